import { foldText } from "../../../offers/option-selection.ts";
import { convertibleUnit } from "../../../offers/units.ts";
import { memoizeLast } from "../../../platform/memo.ts";
import type { AttributeValue } from "../../schema/filter-values.ts";
import type { AttributeFilter } from "../../schema/queries.ts";
import type { AttributeBlock } from "../doc-values/attribute-block.ts";
import type { ProductFacts } from "../doc-values/attribute-scan.ts";
import type { OrdinalLists } from "../doc-values/doc-values-block.ts";

/** How far an attribute is a requested one: not at all, by its name, or also by its value or a number in the range. */
const [other, named, met] = [0, 1, 2];

/** Compares each attribute of a block with a requested one. @returns the degree of each, by its index in the block */
export type AttributeMatcher = (block: AttributeBlock) => Uint8Array;

export const createAttributeMatcher = (wanted: AttributeFilter): AttributeMatcher => {
  const [name, text] = [foldText(wanted.name), wanted.value && foldText(wanted.value)];
  const toDegree = (own: AttributeValue): number => {
    if (foldText(own[0]) !== name && own[1] !== name) return other;
    const hasText = text === undefined || foldText(own[2]) === text;
    return hasText && isInRange(own, wanted) ? met : named;
  };
  return memoizeLast(({ values }) => Uint8Array.from(values, toDegree));
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
  readonly degrees: Uint8Array;
  /** Whether the product has it, so that a variant meets it which does not state the attribute itself. */
  readonly byProduct: boolean;
  /** Whether each variant has it, so that none has to be read. */
  readonly byEach: boolean;
}

/** @returns true when each variant has the attribute, because none states it itself; undefined when none has it */
export const toAttributeTest = (
  matcher: AttributeMatcher,
  { block, row }: ProductFacts,
): AttributeTest | true | undefined => {
  const degrees = matcher(block);
  const byProduct = hasDegree(degrees, block.attributes, row, met);
  const byVariants = hasDegree(degrees, block.variantAttributes, row, met);
  if (!byProduct && !byVariants) return undefined;
  const differs = hasDegree(degrees, block.variantAttributes, row, named);
  if (!byVariants && !differs) return true;
  return { degrees, byProduct, byEach: byProduct && !differs };
};

/** Whether one of the attributes of a product, or of its variants, has a degree. */
const hasDegree = (
  degrees: Uint8Array,
  { ordinals, starts }: OrdinalLists,
  row: number,
  wanted: number,
): boolean => {
  const end = starts[row + 1] as number;
  for (let at = starts[row] as number; at < end; at += 1) {
    if (degrees[ordinals[at] as number] === wanted) return true;
  }
  return false;
};

/**
 * Whether a variant has an attribute, by what it states itself or by its product.
 * @param stated indexes in the attributes that variants of the product state
 */
export const meetsTest = (
  stated: readonly number[],
  { block: { variantAttributes }, row }: ProductFacts,
  { degrees, byProduct }: AttributeTest,
): boolean => {
  let isStated = false;
  const start = variantAttributes.starts[row] as number;
  for (const at of stated) {
    const degree = degrees[variantAttributes.ordinals[start + at] as number];
    if (degree === met) return true;
    if (degree === named) isStated = true;
  }
  return !isStated && byProduct;
};
