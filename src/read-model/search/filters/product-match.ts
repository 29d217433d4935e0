import type { OfferStep, TimedPrices } from "../../schema/filter-values.ts";
import type { ProductFacts } from "../doc-values/attribute-scan.ts";
import { stepAt } from "../doc-values/price-column.ts";
import type { VariantsAt } from "../doc-values/variant-column.ts";
import type { ValueFilter } from "./value-filter.ts";
import {
  createVariantTest,
  findVariant,
  isPriceMet,
  isWithin,
  type VariantFilter,
} from "./variant-match.ts";

/** What filters read of a product. */
export interface ProductValues {
  readonly id: number;
  readonly facts: ProductFacts | undefined;
  readonly offer: TimedPrices | undefined;
  /** In units of 10^-6, of a product with a price alone; NaN without one. */
  readonly price: number;
  /** States of stock of its active variants, or its own without any (`toStatusBits`). */
  readonly statuses: number;
  /** NaN without ratings. */
  stars(): number;
  /** Decodes its active variants; undefined without any. */
  variants(): VariantsAt | undefined;
}

/** Creates a test of a product, alone or with one of its variants. */
export const createProductTest = (
  filter: ValueFilter,
  instant: number,
): ((values: ProductValues) => boolean) => {
  const range = isPriceOnly(filter) ? filter.variant.prices : undefined;
  return (product) => {
    if (range && !product.offer) return isWithin(product.price, range);
    const match = matchProduct(filter, product, instant);
    if (!match?.variant) return match !== undefined;
    const variants = product.variants();
    if (!variants) return meetsAlone(match.variant, product.offer, instant);
    const test = createVariantTest(variants, product.facts, match.variant);
    return findVariant(variants, test) !== undefined;
  };
};

const isPriceOnly = (filter: ValueFilter): boolean =>
  !needsAttributes(filter) &&
  filter.minRating === undefined &&
  filter.variant.statuses === undefined &&
  !filter.variant.onSale;

export const needsAttributes = ({ variant: { options, attributes } }: ValueFilter): boolean =>
  options.length + attributes.length > 0;

/** Tests a product whose variants are all inactive: it has a price of its own, no options, and is out of stock. */
const meetsAlone = (
  variant: VariantFilter,
  offer: TimedPrices | undefined,
  instant: number,
): boolean => {
  const step = offer && stepAt(offer.steps, instant);
  return (
    variant.options.length === 0 &&
    !variant.inStockOnly &&
    isPriceMet(variant, step?.[1] ?? Number.NaN, step?.[3] === true)
  );
};

/** The part of a filter that one of the variants has to meet; undefined for a product that does not match. */
type Match = { readonly variant: VariantFilter | undefined } | undefined;

/**
 * Evaluates a filter for a product, without its variants.
 * @returns the part that its variants have to meet together, where the product alone does not decide
 */
const matchProduct = (filter: ValueFilter, values: ProductValues, instant: number): Match => {
  const { facts, offer, price, statuses } = values;
  if (filter.minRating !== undefined && !(values.stars() >= filter.minRating)) return undefined;
  if (((filter.variant.statuses ?? statuses) & statuses) === 0) return undefined;
  const variant = filter.select(facts);
  if (!variant) return undefined;
  if (!offer?.hasVariants) {
    const step = offer && stepAt(offer.steps, instant);
    const current = step ? (step[1] ?? Number.NaN) : price;
    const isMet = isPriceMet(variant, current, step?.[3] === true);
    return isMet ? { variant: undefined } : undefined;
  }
  return matchVariantsOf(variant, offer, instant);
};

const matchVariantsOf = (
  variant: VariantFilter,
  { bounds, steps }: TimedPrices,
  instant: number,
): Match => {
  const { prices, options, onSale, inStockOnly, isCounted } = variant;
  const step = stepAt(steps, instant);
  if (onSale && !step?.[3]) return undefined;
  if (!mayBeWithin(bounds, isCounted ? step : undefined, prices)) return undefined;
  // Where the range counts variants that can be ordered, the featured one is a witness for price and stock together.
  const isWitness = !inStockOnly || step?.[4] === true;
  const hasPrice = isPriceMet(variant, step?.[1] ?? Number.NaN, true);
  const constraints =
    options.length + Number(onSale) + (options.length > 0 ? Number(inStockOnly) : 0);
  const others = constraints + (prices && constraints > 0 ? 1 : 0);
  const isDecided =
    !needsVariants(variant) && hasPrice && others <= 1 && (isWitness || (!prices && !onSale));
  return { variant: isDecided ? undefined : variant };
};

/** Whether nothing that is stored of the product itself decides a filter. */
const needsVariants = (variant: VariantFilter): boolean =>
  variant.attributes.some(({ byEach }) => !byEach) ||
  (variant.statuses !== undefined &&
    (variant.prices !== undefined ||
      variant.options.length > 0 ||
      variant.onSale ||
      variant.inStockOnly));

/** Whether a variant may have a price in a range. @param step the price of the product, where it is the lowest that counts */
const mayBeWithin = (
  bounds: TimedPrices["bounds"],
  step: OfferStep | undefined,
  prices: VariantFilter["prices"],
): boolean =>
  !prices ||
  (bounds !== null &&
    bounds[0] <= prices.max &&
    bounds[1] >= prices.min &&
    (step?.[1] ?? bounds[0]) <= prices.max);
