import { foldText } from "../../../offers/option-selection.ts";
import { convertibleUnit } from "../../../offers/units.ts";
import type { AttributeValue } from "../../schema/filter-values.ts";
import type { AttributeFilter } from "../../schema/queries.ts";

/** A requested attribute, its texts folded once. */
export interface AttributeMatcher {
  readonly isNamed: (own: AttributeValue) => boolean;
  /** Whether an attribute has the name and the value, or a number in the range. */
  readonly isMet: (own: AttributeValue) => boolean;
}

export const createAttributeMatcher = (wanted: AttributeFilter): AttributeMatcher => {
  const [name, text] = [foldText(wanted.name), wanted.value && foldText(wanted.value)];
  const isNamed = ([own, code]: AttributeValue): boolean => foldText(own) === name || code === name;
  return {
    isNamed,
    isMet: (own) =>
      isNamed(own) && (text === undefined || foldText(own[2]) === text) && isInRange(own, wanted),
  };
};

/** A range matches where it overlaps the requested one. */
const isInRange = ([, , , number, max, unit]: AttributeValue, wanted: AttributeFilter): boolean => {
  if (wanted.min === undefined && wanted.max === undefined) return true;
  if (number === null) return false;
  const [lowest, highest] = [number, max ?? number].map((each) => convert(each, unit, wanted.unit));
  return (
    (highest ?? number) >= (wanted.min ?? -Infinity) &&
    (lowest ?? number) <= (wanted.max ?? Infinity)
  );
};

/** Converts a number into a unit; one whose unit does not convert into it stays as it is. */
const convert = (number: number, unit = "", wanted = ""): number => {
  if (unit === wanted || wanted === "") return number;
  const [from, to] = [convertibleUnit(unit), convertibleUnit(wanted)];
  if (!from || from.dimension !== to?.dimension || from.factor === to.factor) return number;
  const converted = (number * Number(from.factor)) / Number(to.factor);
  // Rounded, because decimals are no exact floating-point numbers.
  return Number(converted.toPrecision(12));
};

/** An attribute that one variant has to have. */
export interface AttributeTest {
  readonly wanted: AttributeMatcher;
  /** Whether the product has it, so that a variant meets it which does not state the attribute itself. */
  readonly byProduct: boolean;
}

/**
 * Whether a variant has an attribute, by what it states itself or by its product.
 * @param stated indexes in `all`
 */
export const meetsTest = (
  stated: readonly number[],
  all: readonly AttributeValue[],
  { wanted, byProduct }: AttributeTest,
): boolean => {
  let isStated = false;
  for (const at of stated) {
    const own = all[at];
    if (!own || !wanted.isNamed(own)) continue;
    if (wanted.isMet(own)) return true;
    isStated = true;
  }
  return !isStated && byProduct;
};
