import { foldText } from "./option-selection.ts";

/** Units of measure that are converted into each other (Contract §9, Prices at an instant 7). */

export interface ConvertibleUnit {
  readonly dimension: "mass" | "volume" | "length" | "area";
  /** How many of the dimension's smallest step the unit is: exact, so that only a result is rounded. */
  readonly factor: bigint;
}

/** @returns undefined for a unit that converts into no other one, like `piece` */
export const convertibleUnit = (unit: string): ConvertibleUnit | undefined =>
  units.get(foldUnit(unit));

/** Whether a value in one unit can be stated in the other: of one dimension, or the same unit. */
export const isConvertible = (one: string, other: string): boolean => kindOf(one) === kindOf(other);

const kindOf = (unit: string): string => convertibleUnit(unit)?.dimension ?? ` ${foldUnit(unit)}`;

/** Folds differences that do not matter between two spellings of a unit: `fl. oz`, `FLOZ`. */
const foldUnit = (unit: string): string => foldText(unit).replace(/[\s.]/g, "");

/** Units of mass in ng, of volume in 10^-10 ml, of length in 0.1 mm, of area in cm2. */
const units: ReadonlyMap<string, ConvertibleUnit> = new Map(
  (
    [
      ["mass", { mg: 10n ** 6n, g: 10n ** 9n, gr: 10n ** 9n, kg: 10n ** 12n }],
      ["mass", { oz: 28_349_523_125n, lb: 453_592_370_000n }],
      [
        "volume",
        { ml: 10n ** 10n, cm3: 10n ** 10n, cl: 10n ** 11n, dl: 10n ** 12n, l: 10n ** 13n },
      ],
      ["volume", { floz: 295_735_295_625n }],
      ["length", { mm: 10n, cm: 100n, m: 10_000n, in: 254n, ft: 3_048n }],
      ["area", { cm2: 1n, m2: 10_000n, sqm: 10_000n }],
    ] as const
  ).flatMap(([dimension, factors]) =>
    Object.entries<bigint>(factors).map(([unit, factor]) => [unit, { dimension, factor }] as const),
  ),
);
