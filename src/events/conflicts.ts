import { cleanText } from "../text/invisible-characters.ts";
import type { EventData, EventType } from "./event.ts";
import {
  defaultBest,
  defaultWorst,
  type QuantityRule,
  type Rating,
  type SpecificationData,
  type VariantData,
} from "./product-facts.ts";
import { quoteForMessage } from "./rejection.ts";
import type { SchemaViolation } from "./schema-violation.ts";

/**
 * Finds members of one event that contradict each other, which a JSON Schema cannot say (Contract §9). Members of other events are
 * not compared, because whether an event is accepted must not depend on the sequence of events.
 * @param data normalized data of an event of `type`
 */
export const findConflict = (type: EventType, data: unknown): SchemaViolation | undefined => {
  switch (type) {
    case "shop.product.upserted":
    case "shop.product.patched":
      return findProductConflict(data as EventData["shop.product.upserted"]);
    case "shop.variant.upserted":
      return findVariantConflict(data as EventData["shop.variant.upserted"], "data");
    default:
      return undefined;
  }
};

type ProductMembers = EventData["shop.product.upserted"];
type Conflict = SchemaViolation | undefined;

const conflict = (field: string, reason: string): SchemaViolation => ({
  field,
  reason: `${field} ${reason}`,
});

const findProductConflict = (data: ProductMembers): Conflict =>
  findSharedConflict(data, "data") ??
  findRatingConflict(data.rating, "data.rating") ??
  findOptionConflict(data.options ?? []) ??
  findListConflict(data.variants ?? []);

/** Checks members that products and variants share. */
const findSharedConflict = (
  { quantityRule, specifications }: Pick<VariantData, "quantityRule" | "specifications">,
  path: string,
): Conflict =>
  findRuleConflict(quantityRule, `${path}.quantityRule`) ??
  firstConflict(specifications ?? [], (specification, at) =>
    findRangeConflict(specification, `${path}.specifications[${at}]`),
  );

const firstConflict = <V>(
  values: readonly V[],
  find: (value: V, at: number) => Conflict,
): Conflict => {
  for (const [at, value] of values.entries()) {
    const found = find(value, at);
    if (found) return found;
  }
  return undefined;
};

const findRuleConflict = (rule: QuantityRule | null | undefined, path: string): Conflict =>
  rule?.max != null && rule.max < (rule.min ?? 1)
    ? conflict(`${path}.max`, `must be at least min, ${rule.min ?? 1}, not ${rule.max}`)
    : undefined;

const findRangeConflict = ({ numericValue, max }: SpecificationData, path: string): Conflict => {
  if (max == null) return undefined;
  if (numericValue == null) return conflict(`${path}.max`, "needs numericValue, the lower end");
  return Number(max) < Number(numericValue)
    ? conflict(`${path}.max`, `must be at least numericValue, ${numericValue}, not ${max}`)
    : undefined;
};

const findRatingConflict = (rating: Rating | null | undefined, path: string): Conflict => {
  if (!rating || rating.count === 0) return undefined;
  const [worst, best] = [rating.worst ?? defaultWorst, rating.best ?? defaultBest];
  if (worst >= best) return conflict(`${path}.best`, `must be above worst, ${worst}, not ${best}`);
  const value = rating.value ?? null;
  return value === null || value < worst || value > best
    ? conflict(`${path}.value`, `must be from ${worst} to ${best}, not ${value}`)
    : undefined;
};

const findOptionConflict = (options: readonly { readonly name: string }[]): Conflict => {
  const at = findRepeated(options.map(({ name }) => cleanText(name)));
  return at < 0
    ? undefined
    : conflict(`data.options[${at}].name`, "must differ from the other options of the product");
};

const findListConflict = (variants: readonly VariantData[]): Conflict => {
  const id = findRepeated(variants.map((variant) => variant.id));
  if (id >= 0) {
    const reason = `must differ from the other variants, and ${variants[id]?.id} is there twice`;
    return conflict(`data.variants[${id}].id`, reason);
  }
  const found = firstConflict(variants, (each, at) =>
    findVariantConflict(each, `data.variants[${at}]`),
  );
  return found ?? findCombinationConflict(variants);
};

const findVariantConflict = (variant: VariantData, path: string): Conflict => {
  const at = findRepeated((variant.options ?? []).map(({ name }) => cleanText(name)));
  return at >= 0
    ? conflict(`${path}.options[${at}].name`, "must differ from the other options of the variant")
    : findSharedConflict(variant, path);
};

const findCombinationConflict = (variants: readonly VariantData[]): Conflict => {
  const combinations = variants.map(({ options }, at) =>
    options && options.length > 0 ? combinationKey(options) : at,
  );
  const at = findRepeated(combinations);
  if (at < 0) return undefined;
  const earlier = variants[combinations.indexOf(combinations[at] ?? "")]?.id;
  const values = quoteForMessage(
    (variants[at]?.options ?? []).map(({ value }) => value).join(" / "),
  );
  return conflict(
    `data.variants[${at}].options`,
    `must differ from those of variant ${earlier}: both are ${values}`,
  );
};

const combinationKey = (options: readonly { readonly name: string; readonly value: string }[]) =>
  JSON.stringify(options.map(({ name, value }) => [cleanText(name), cleanText(value)]).sort());

/** @returns the index of the first value that is there before; -1 when all differ */
const findRepeated = (values: readonly unknown[]): number => {
  const seen = new Set<unknown>();
  return values.findIndex((value) => {
    if (seen.has(value)) return true;
    seen.add(value);
    return false;
  });
};
