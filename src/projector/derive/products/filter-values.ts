import type { ProductRows } from "../../../../projections/product-document.ts";
import { discountPercent, noTerms, type PriceTerms, variantTerms } from "../../../offers/price.ts";
import { type PriceStep, priceSteps } from "../../../offers/product-offer.ts";
import { toScaledRating, toStars } from "../../../offers/rating.ts";
import { toComparablePrice } from "../../../read-model/reader/sort-keys.ts";
import type { ProductDocument, VariantDocument } from "../../../read-model/schema/documents.ts";
import type {
  AttributeValue,
  FactValues,
  OfferValues,
  OptionValues,
  VariantEntry,
  VariantIndex,
  VariantStep,
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
  const options = goods ? toOptionValues(goods.options, variants) : [];
  const attributes = [core, ...variants].flatMap(({ specifications = [] }) =>
    specifications.flatMap(toAttribute),
  );
  const values: FactValues = {
    id,
    ...(options.length > 0 && { options }),
    ...(attributes.length > 0 && { attributes: distinct(attributes) }),
    ...(condition && { condition }),
    ...(scaled && { stars: toStars(scaled) }),
    ...(releaseDate && { released: toDays(releaseDate) }),
  };
  return Object.keys(values).length > 1 ? values : undefined;
};

/** Lists the values that active variants have. */
const toOptionValues = (
  options: NonNullable<VariantDocuments["goods"]>["options"],
  variants: readonly VariantDocument[],
): readonly OptionValues[] => {
  const used = new Map(options.map(({ name }) => [name, new Set<string>()]));
  for (const { name, value } of variants.flatMap((variant) => variant.options)) {
    used.get(name)?.add(value);
  }
  return options.flatMap(({ name, code, values }): OptionValues[] => {
    const texts = values.map(({ value }) => value).filter((value) => used.get(name)?.has(value));
    const open = variants.some((variant) => !variant.options.some((own) => own.name === name));
    return texts.length > 0 ? [[name, code, texts, open]] : [];
  });
};

const toAttribute = ({ name, value, typed }: Specification): readonly AttributeValue[] => {
  if (!typed) return [];
  const { code = null, numericValue, max } = typed;
  return [[name, code, value, toNumber(numericValue), toNumber(max)]];
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
  currency: string | undefined,
): VariantIndex | undefined => {
  if (!goods || variants.length === 0) return undefined;
  const options = toOptionValues(goods.options, variants);
  const ordinals = options.map(
    ([, , values]) => new Map(values.map((value, ordinal) => [value, ordinal])),
  );
  const prices = collectPrices(product?.offers?.terms ?? noTerms, currency);
  const entries = variants.map((variant): VariantEntry => {
    const values = options.map(([name], at) => {
      const value = variant.options.find((option) => option.name === name)?.value;
      return value === undefined ? -1 : (ordinals[at]?.get(value) ?? -1);
    });
    return [variant.id, prices.indexOf(variant.terms ?? null), ...values];
  });
  return { options, prices: prices.all(), variants: entries };
};

/** Collects distinct prices over time: most variants have that of their product. */
const collectPrices = (product: PriceTerms, currency: string | undefined) => {
  const indexes = new Map<string, number>();
  const all: (readonly VariantStep[])[] = [];
  return {
    all: () => all,
    indexOf(own: PriceTerms | null): number {
      const steps = priceSteps(variantTerms(own, product)).map(
        ({ from, shown }): VariantStep => [
          from,
          toMicro(shown.price, currency),
          shown.listPrice !== null,
        ],
      );
      const key = JSON.stringify(steps);
      const index = indexes.get(key) ?? all.push(steps) - 1;
      indexes.set(key, index);
      return index;
    },
  };
};

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
