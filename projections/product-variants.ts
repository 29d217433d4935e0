import type { OptionData } from "../src/events/product-facts.ts";
import { foldText } from "../src/offers/option-selection.ts";
import type { OfferPolicy } from "../src/offers/policy.ts";
import { emptyPriceGroup, type PriceGroup, variantPriceGroup } from "../src/offers/price.ts";
import { convertibleUnit } from "../src/offers/units.ts";
import type {
  ProductOption,
  VariantEntry,
  VariantMembers,
  VariantsRow,
} from "../src/read-model/schema/documents.ts";
import {
  type AttributeValue,
  collectDistinct,
  type OptionValues,
  toConditionAttribute,
} from "../src/read-model/schema/filter-values.ts";
import type { Specification, VariantContent } from "../src/read-model/schema/product-parts.ts";
import type { OfferRows } from "./offer.ts";
import { currentPrices } from "./price.ts";
import { completeOptions } from "./product-options.ts";
import { showStockRow } from "./stock.ts";

/**
 * Builds the variants of a product that has active ones.
 * @param stated options that the product's own events list
 */
export const buildVariants = (
  rows: OfferRows,
  stated: readonly OptionData[],
  policy: OfferPolicy,
): VariantsRow => {
  const { active } = rows;
  const contents = active.map(({ content }) => content);
  const complete = completeOptions(stated, contents);
  const options = toOptionValues(complete.options, complete.variants, stated);
  const toOrdinals = createOrdinals(options);
  const product = currentPrices(rows.prices)?.priceGroup ?? emptyPriceGroup;
  const prices = collectDistinct<PriceGroup>();
  const stocks = collectDistinct<VariantsRow["index"]["stocks"][number]>();
  const attributes = collectDistinct<readonly AttributeValue[]>();
  const entries = active.map(({ content, priceGroup, stock }, at): VariantEntry => {
    const price = prices.indexOf(variantPriceGroup(priceGroup, product));
    const own = stocks.indexOf(showStockRow(stock ?? rows.stock, policy));
    return [content.id, price, own, ...toOrdinals(complete.variants[at]?.options ?? [])];
  });
  const of = contents.map((content) => attributes.indexOf(toOwnAttributes(content)));
  const hasAttributes = attributes.all.some((own) => own.length > 0);
  const members = contents.map((content, at) =>
    toMembers(content, complete.variants[at]?.options ?? [], options),
  );
  const bytes = { prices: prices.all.map(countBytes), members: members.map(countBytes) };
  const hasOwnTexts = contents.some((own) => own.unitPricing || own.quantityRule);
  return {
    index: { options, stocks: stocks.all, entries, hasOwnTexts, bytes },
    prices: prices.all,
    members,
    ...(hasAttributes && { attributes: { distinct: attributes.all, of } }),
  };
};

const countBytes = (value: object): number => Buffer.byteLength(JSON.stringify(value));

const toMembers = (
  { id: _, options: __, active: ___, priceGroup: ____, ...members }: VariantContent,
  own: VariantContent["options"],
  options: readonly OptionValues[],
): VariantMembers => {
  const sequence = own.map(({ name }) => options.findIndex(([option]) => option === name));
  const isSorted = sequence.every(
    (option, index) => index === 0 || option > Number(sequence[index - 1]),
  );
  return { ...members, ...(!isSorted && { optionSequence: sequence }) };
};

/** Lists the values that active variants have: all that the product lists where a variant leaves the option out. */
const toOptionValues = (
  options: readonly ProductOption[],
  variants: readonly Pick<VariantContent, "options">[],
  stated: readonly OptionData[],
): readonly OptionValues[] => {
  const used = new Map(options.map(({ name }) => [name, new Set<string>()]));
  for (const { name, value } of variants.flatMap((variant) => variant.options)) {
    used.get(name)?.add(value);
  }
  return options.flatMap(({ name, code, values }): OptionValues[] => {
    const isLeftOut = variants.some((variant) => !variant.options.some((own) => own.name === name));
    const isListed = stated.some(
      (each) => foldText(each.name) === foldText(name) && (each.values ?? []).length > 0,
    );
    const texts = values
      .map(({ value }) => value)
      .filter((value) => isLeftOut || used.get(name)?.has(value));
    return texts.length > 0 ? [[name, code, texts, isLeftOut && !isListed]] : [];
  });
};

/** Creates a function that gives the index of the value of each option; -1 where a variant leaves the option out. */
const createOrdinals = (options: readonly OptionValues[]) => {
  const ordinals = options.map(
    ([name, , values]) => [name, new Map(values.map((value, at) => [value, at]))] as const,
  );
  return (own: VariantContent["options"]): readonly number[] =>
    ordinals.map(([name, indexes]) => {
      const value = own.find((option) => option.name === name)?.value;
      return value === undefined ? -1 : (indexes.get(value) ?? -1);
    });
};

/** Lists the attributes and the condition that a product or a variant states itself. */
export const toOwnAttributes = ({
  specifications = [],
  condition,
}: {
  readonly specifications?: readonly Specification[];
  readonly condition?: string | null;
}): readonly AttributeValue[] => [
  ...specifications.flatMap(toAttributeValue),
  ...(condition ? [toConditionAttribute(condition)] : []),
];

/** @returns none for a specification that is no attribute */
const toAttributeValue = ({ name, value, typed }: Specification): readonly AttributeValue[] => {
  if (!typed) return [];
  const { code = null, numericValue, max, unit = "" } = typed;
  const members = [name, code, value, toNumber(numericValue), toNumber(max)] as const;
  return [numericValue && convertibleUnit(unit) ? [...members, unit] : members];
};

const toNumber = (decimal: string | undefined): number | null =>
  decimal === undefined ? null : Number(decimal);
