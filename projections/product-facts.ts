import {
  factNames,
  type ImageData,
  type ProductFacts,
  type SpecificationData,
} from "../src/events/product-facts.ts";
import type {
  AttributeValues,
  Image,
  Specification,
} from "../src/read-model/schema/product-parts.ts";
import type { TextCleaner } from "./projection.ts";

/**
 * Merges the facts of an event, with clean texts: an absent fact stays, null clears it.
 * @returns undefined when none says something
 */
export const mergeFacts = (
  facts: ProductFacts | undefined,
  patch: ProductFacts,
  text: TextCleaner,
): ProductFacts | undefined => {
  const merged = Object.fromEntries(
    factNames.flatMap((name) => {
      const value = patch[name] === undefined ? facts?.[name] : cleanValue(patch[name], text);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return Object.keys(merged).length > 0 ? merged : undefined;
};

/**
 * Cleans the texts of a value, and drops members that say nothing.
 * @returns undefined for null, a blank text, an empty list and an empty object
 */
export const cleanValue = (value: unknown, text: TextCleaner): unknown => {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "string") return text.cleanText(value) || undefined;
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => cleanValue(item, text) ?? []);
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== "object") return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const clean = cleanValue(member, text);
    return clean === undefined ? [] : [[name, clean]];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
};

export const buildSpecifications = (
  specifications: readonly SpecificationData[] | null | undefined,
  text: TextCleaner,
): readonly Specification[] =>
  (specifications ?? []).map((specification) => {
    const typed = buildAttribute(specification, text);
    const { name, value } = specification;
    const plain = { name: text.cleanText(name), value: text.cleanText(value) };
    return typed ? { ...plain, typed } : plain;
  });

const buildAttribute = (
  { code, numericValue, max, unit, group }: SpecificationData,
  text: TextCleaner,
): AttributeValues | undefined => {
  const [lowest, highest] = [toDecimal(numericValue), toDecimal(max)];
  return cleanValue({ code, numericValue: lowest, max: highest, unit, group }, text) as
    | AttributeValues
    | undefined;
};

/** Converts a number to decimal text. A text is kept as it is, so that nothing is rounded. */
const toDecimal = (value: string | number | null | undefined): string | undefined => {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "string") return value;
  const text = String(value);
  return text.includes("e") ? value.toFixed(maxDecimals).replace(/\.?0+$/, "") : text;
};

/** Digits after the decimal point of a number that JavaScript writes with an exponent. */
const maxDecimals = 20;

export const buildImages = (
  images: readonly ImageData[] | null | undefined,
  text: TextCleaner,
): readonly Image[] =>
  (images ?? []).map(({ url, alt, width, height }) => {
    const image = { url, alt: (alt && text.cleanText(alt)) || null };
    const hasSize = width != null || height != null;
    return hasSize ? { ...image, width: width ?? null, height: height ?? null } : image;
  });
