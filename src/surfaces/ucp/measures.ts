import type { Measure } from "../../events/product-facts.ts";
import { toScaled } from "../../offers/amounts.ts";
import type { UnitPrice } from "../../offers/unit-price.ts";
import { convertibleUnit } from "../../offers/units.ts";
import { toMinorUnits } from "../entry/amounts.ts";
import { newestUcp, type UcpVersion } from "./version.ts";

/** Codes of UN/CEFACT Recommendation 20. */
const unitCodes: Readonly<Record<string, string>> = {
  ...{ mg: "MGM", g: "GRM", kg: "KGM", ml: "MLT", cl: "CLT", l: "LTR" },
  ...{ mm: "MMT", cm: "CMT", m: "MTR", cm2: "CMK", m2: "MTK", piece: "C62" },
};

/** A decimal number: `value` × 10^-`scale`. */
interface Scaled {
  readonly value: number;
  readonly scale: number;
}

/** Converts a unit price, with contents and base in the unit of the base. @returns undefined when UCP cannot say it */
export const toUnitPrice = (shown: UnitPrice | null, version: UcpVersion): object | undefined => {
  const price = shown && toMinorUnits(shown.price);
  const measure = shown && inUnitOf(shown.measure, shown.base);
  const reference = shown && inUnitOf(shown.base, shown.base);
  if (!price || !measure || !reference) return undefined;
  const { unit } = shown.base;
  if (version === newestUcp) {
    const code = unitCodes[unit] ?? unit;
    const write = ({ value, scale }: Scaled) => ({
      ...{ value, unit: code },
      ...(scale > 0 && { scale }),
      display_text: unit,
    });
    return { ...price, measure: write(measure), reference: write(reference) };
  }
  if (reference.scale > 0) return undefined;
  const value = Number(`${measure.value}e-${measure.scale}`);
  return { ...price, measure: { value, unit }, reference: { value: reference.value, unit } };
};

/** @returns undefined for a unit without a code, unless both are the same, and for a number that has no short form */
const inUnitOf = ({ value, unit }: Measure, base: Measure): Scaled | undefined => {
  const [own, target] = [
    convertibleUnit(unit)?.factor ?? 1n,
    convertibleUnit(base.unit)?.factor ?? 1n,
  ];
  const haveCodes = unitCodes[unit] !== undefined && unitCodes[base.unit] !== undefined;
  if (unit !== base.unit && !haveCodes) return undefined;
  const dividend = toScaled(value) * own;
  const divisor = toScaled("1") * target;
  for (let scale = 0, factor = 1n; scale <= maxScale; scale += 1, factor *= 10n) {
    const scaled = dividend * factor;
    if (scaled % divisor !== 0n) continue;
    const number = Number(scaled / divisor);
    return number >= 1 && Number.isSafeInteger(number) ? { value: number, scale } : undefined;
  }
  return undefined;
};

const maxScale = 15;
