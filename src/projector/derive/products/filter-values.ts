import type { ProductRows } from "../../../../projections/product-document.ts";
import type { OptionData } from "../../../events/goods.ts";
import { foldText } from "../../../offers/option-selection.ts";
import { discountPercent, noTerms, type PriceTerms, variantTerms } from "../../../offers/price.ts";
import { type PriceStep, priceSteps } from "../../../offers/product-offer.ts";
import { toScaledRating, toStars } from "../../../offers/rating.ts";
import { convertibleUnit } from "../../../offers/units.ts";
import { toComparablePrice } from "../../../read-model/reader/sort-keys.ts";
import type { ProductDocument, VariantDocument } from "../../../read-model/schema/documents.ts";
import {
  type AttributeValue,
  type FactValues,
  type OfferValues,
  type OptionValues,
  toConditionAttribute,
  type VariantEntry,
  type VariantIndex,
  type VariantStep,
} from "../../../read-model/schema/filter-values.ts";
import type { Specification } from "../../../read-model/schema/goods.ts";
import type { ProductCore } from "../../../read-model/schema/rows.ts";
import { toMicroUnits } from "../../../read-model/search/doc-values/doc-values.ts";
import type { IndexSettings } from "../index-settings.ts";
import type { VariantDocuments } from "./product-variants.ts";

/** Builds the prices of a product over time. @returns undefined for a product with a price alone */
export const toOfferValues = (
  product: ProductDocument | undefined,
  { currency, policy }: IndexSettings,
): OfferValues | undefined => {
  if (!product?.offers) return undefined;
  const { bounds, hasVariants, periods } = product.offers;
  const [lowest, highest] = bounds ?? [];
  return [
    product.id,
    hasVariants,
    lowest === undefined || highest === undefined
      ? null
      : [toMicroUnits(lowest), toMicroUnits(highest)],
    periods.map((period) => [
      period.from,
      toMicro(period.price, currency),
      discountPercent(period, policy.listPriceKind) ?? 0,
      period.onSale,
      period.isOrderable,
    ]),
  ];
};

const toMicro = (price: PriceStep["shown"]["price"], currency: string | undefined) => {
  const compared = toComparablePrice(price, currency);
  return compared && toMicroUnits(compared.amount);
};

/** Builds what a product is filtered by in addition to its prices. @returns undefined for a product without any */
export const toFactValues = (
  id: number,
  core: ProductCore | undefined,
  { goods, variants }: VariantDocuments,
): FactValues | undefined => {
  if (!core) return undefined;
  const { condition, rating, releaseDate } = core.facts ?? {};
  const scaled = toScaledRating(rating);
  const options = goods ? toOptionValues(goods.options, variants, core.facts?.options) : [];
  const attributes = distinct(core.specifications.flatMap(toAttribute));
  const variantAttributes = distinct(variants.flatMap(toOwnAttributes));
  const values: FactValues = {
    id,
    ...(options.length > 0 && { options }),
    ...(attributes.length > 0 && { attributes }),
    ...(variantAttributes.length > 0 && { variantAttributes }),
    ...(condition && { condition }),
    ...(scaled && { stars: toStars(scaled) }),
    ...(releaseDate && { released: toDays(releaseDate) }),
  };
  return Object.keys(values).length > 1 ? values : undefined;
};

/** Lists the values that active variants have: all that the product lists where a variant leaves the option out. */
export const toOptionValues = (
  options: NonNullable<VariantDocuments["goods"]>["options"],
  variants: readonly VariantDocument[],
  stated: readonly OptionData[] | null | undefined,
): readonly OptionValues[] => {
  const used = new Map(options.map(({ name }) => [name, new Set<string>()]));
  for (const { name, value } of variants.flatMap((variant) => variant.options)) {
    used.get(name)?.add(value);
  }
  return options.flatMap(({ name, code, values }): OptionValues[] => {
    const isLeftOut = variants.some((variant) => !variant.options.some((own) => own.name === name));
    const isListed = stated?.some(
      (each) => foldText(each.name) === foldText(name) && (each.values ?? []).length > 0,
    );
    const texts = values
      .map(({ value }) => value)
      .filter((value) => isLeftOut || used.get(name)?.has(value));
    return texts.length > 0 ? [[name, code, texts, isLeftOut && !isListed]] : [];
  });
};

/** Lists what a variant states itself. */
const toOwnAttributes = ({
  specifications = [],
  condition,
}: VariantDocument): readonly AttributeValue[] => [
  ...specifications.flatMap(toAttribute),
  ...(condition ? [toConditionAttribute(condition)] : []),
];

const toAttribute = ({ name, value, typed }: Specification): readonly AttributeValue[] => {
  if (!typed) return [];
  const { code = null, numericValue, max, unit = "" } = typed;
  const members = [name, code, value, toNumber(numericValue), toNumber(max)] as const;
  return [numericValue && convertibleUnit(unit) ? [...members, unit] : members];
};

const toNumber = (decimal: string | undefined): number | null =>
  decimal === undefined ? null : Number(decimal);

const distinct = <V>(values: readonly V[]): readonly V[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

const dayMs = 24 * 60 * 60 * 1000;

const toDays = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

/** Builds the index of the active variants of a product. @returns undefined for a product without any */
export const toVariantIndex = (
  { goods, variants }: VariantDocuments,
  product: ProductDocument | undefined,
  core: ProductCore | undefined,
  currency: string | undefined,
): VariantIndex | undefined => {
  if (!goods || variants.length === 0) return undefined;
  const options = toOptionValues(goods.options, variants, core?.facts?.options);
  const ordinals = options.map(
    ([, , values]) => new Map(values.map((value, ordinal) => [value, ordinal])),
  );
  const prices = collectDistinct<readonly VariantStep[]>();
  const terms = product?.offers?.terms ?? noTerms;
  const entries = variants.map((variant): VariantEntry => {
    const values = options.map(([name], at) => {
      const value = variant.options.find((option) => option.name === name)?.value;
      return value === undefined ? -1 : (ordinals[at]?.get(value) ?? -1);
    });
    const steps = toVariantSteps(variant.terms ?? null, terms, currency);
    return [variant.id, prices.indexOf(steps), ...values];
  });
  const facts = collectDistinct<readonly AttributeValue[]>();
  const of = variants.map((variant) => facts.indexOf(toOwnAttributes(variant)));
  const hasFacts = facts.all().some((own) => own.length > 0);
  return {
    options,
    prices: prices.all(),
    variants: entries,
    ...(hasFacts && { facts: { distinct: facts.all(), of } }),
  };
};

/** Collects distinct values, because most variants have those of another one. */
const collectDistinct = <V>() => {
  const indexes = new Map<string, number>();
  const all: V[] = [];
  return {
    all: (): readonly V[] => all,
    indexOf(value: V): number {
      const key = JSON.stringify(value);
      const index = indexes.get(key) ?? all.push(value) - 1;
      indexes.set(key, index);
      return index;
    },
  };
};

/** Lists the prices of a variant over time: mostly those of its product. */
const toVariantSteps = (
  own: PriceTerms | null,
  product: PriceTerms,
  currency: string | undefined,
): readonly VariantStep[] =>
  priceSteps(variantTerms(own, product)).map(({ from, shown }) => [
    from,
    toMicro(shown.price, currency),
    shown.listPrice !== null,
  ]);

/** Builds a bit for each active variant: whether it can be ordered. */
export const toVariantStock = ({ variants, stock }: ProductRows): Buffer | undefined => {
  const active = variants.filter(({ content }) => content.active);
  if (active.length === 0) return undefined;
  const bits = Buffer.alloc(Math.ceil(active.length / 8));
  for (const [at, variant] of active.entries()) {
    if ((variant.stock ?? stock)?.content?.orderable) {
      bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
    }
  }
  return bits;
};
