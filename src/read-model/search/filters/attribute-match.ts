import { foldText, isNamed } from "../../../offers/option-selection.ts";
import { convertibleUnit } from "../../../offers/units.ts";
import type { AttributeValue } from "../../schema/filter-values.ts";
import type { AttributeFilter } from "../../schema/queries.ts";

/** Whether an attribute has the requested value, or a number in the requested range. */
export const meetsAttribute = (own: AttributeValue, wanted: AttributeFilter): boolean => {
  const [, , value, number, max, unit] = own;
  if (!isNamed(own, wanted.name)) return false;
  if (wanted.value !== undefined && foldText(value) !== foldText(wanted.value)) return false;
  if (wanted.min === undefined && wanted.max === undefined) return true;
  if (number === null) return false;
  // A range matches where it overlaps the requested one.
  const [lowest, highest] = [number, max ?? number].map((each) => convert(each, unit, wanted.unit));
  return (
    (highest ?? number) >= (wanted.min ?? -Infinity) &&
    (lowest ?? number) <= (wanted.max ?? Infinity)
  );
};

/** Converts a number into a unit; one whose unit does not convert into it stays as it is. */
const convert = (number: number, unit = "", wanted = ""): number => {
  const [from, to] = [convertibleUnit(unit), convertibleUnit(wanted)];
  if (!from || from.dimension !== to?.dimension || from.factor === to.factor) return number;
  const converted = (number * Number(from.factor)) / Number(to.factor);
  // Rounded, because decimals are no exact floating-point numbers.
  return Number(converted.toPrecision(12));
};

/** An attribute that one variant has to have. */
export interface AttributeTest {
  readonly wanted: AttributeFilter;
  /** Whether the product has it, so that a variant meets it which does not state the attribute itself. */
  readonly byProduct: boolean;
}

/** Whether a variant has an attribute, by what it states itself or by its product. */
export const meetsTest = (
  stated: readonly AttributeValue[],
  { wanted, byProduct }: AttributeTest,
): boolean => {
  const own = stated.filter((each) => isNamed(each, wanted.name));
  return own.length > 0 ? own.some((each) => meetsAttribute(each, wanted)) : byProduct;
};
