import type { ProductFacts } from "../doc-values/attribute-scan.ts";
import type { DocValuesBlock } from "../doc-values/doc-values-block.ts";
import { priceFlags } from "../doc-values/price-column.ts";
import { decodeVariants, type VariantsAt } from "../doc-values/variant-column.ts";
import type { ValueFilter } from "./value-filter.ts";
import { createVariantTest, findVariant, isPriceMet, type VariantFilter } from "./variant-match.ts";

/** A product in its block. It has no members of its own that can be read there, because many are tested. */
export interface ProductValues {
  readonly id: number;
  readonly facts: ProductFacts | undefined;
  readonly block: DocValuesBlock;
  readonly row: number;
}

/** Decodes the active variants of a product, as `decodeVariants` does; undefined without any. */
export const variantsOf = ({ block, row }: ProductValues): VariantsAt | undefined =>
  decodeVariants(block.variants(), row, block.instant);

const hasFlag = ({ block, row }: ProductValues, flag: keyof typeof priceFlags): boolean =>
  ((block.prices().flags[row] as number) & priceFlags[flag]) !== 0;

/** @returns NaN without a price */
const priceOf = ({ block, row }: ProductValues): number => block.prices().amounts[row] as number;

/** Creates a test of a product, alone or with one of its variants. */
export const createProductTest =
  (filter: ValueFilter) =>
  (product: ProductValues): boolean => {
    const match = matchProduct(filter, product);
    if (!match?.variant) return match !== undefined;
    const variants = variantsOf(product);
    if (!variants) return meetsAlone(match.variant, product);
    const test = createVariantTest(variants, product.facts, match.variant);
    return findVariant(variants, test) !== undefined;
  };

/** Tests a product whose variants are all inactive: it has a price of its own, no options, and is out of stock. */
const meetsAlone = (variant: VariantFilter, product: ProductValues): boolean =>
  variant.options.length === 0 &&
  !variant.inStockOnly &&
  isPriceMet(variant, priceOf(product), hasFlag(product, "onSale"));

/** The part of a filter that one of the variants has to meet; undefined for a product that does not match. */
type Match = { readonly variant: VariantFilter | undefined } | undefined;

/**
 * Evaluates a filter for a product, without its variants.
 * @returns the part that its variants have to meet together, where the product alone does not decide
 */
const matchProduct = (filter: ValueFilter, product: ProductValues): Match => {
  const { block, row, facts } = product;
  const { minRating } = filter;
  if (minRating !== undefined && !((block.ratings().stars[row] as number) >= minRating))
    return undefined;
  const { statuses } = filter.variant;
  if (statuses !== undefined && (statuses & (block.statuses()[row] as number)) === 0)
    return undefined;
  const variant = filter.select(facts);
  if (!variant) return undefined;
  // Attributes and states of stock are tested above, so that the prices of the block need not be decoded.
  if (!hasOtherConditions(variant) && !needsVariants(variant)) return { variant: undefined };
  if (hasFlag(product, "hasVariants")) return matchVariantsOf(variant, product);
  const isMet = isPriceMet(variant, priceOf(product), hasFlag(product, "onSale"));
  return isMet ? { variant: undefined } : undefined;
};

const matchVariantsOf = (variant: VariantFilter, product: ProductValues): Match => {
  const { prices, options, onSale, inStockOnly } = variant;
  if (onSale && !hasFlag(product, "onSale")) return undefined;
  if (!mayBeWithin(product, variant)) return undefined;
  // Where the range counts variants that can be ordered, the featured one is a witness for price and stock together.
  const isWitness = !inStockOnly || hasFlag(product, "isOrderable");
  const hasPrice = isPriceMet(variant, priceOf(product), true);
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
  (variant.statuses !== undefined && hasOtherConditions(variant));

/** Whether a filter has conditions besides attributes and states of stock. */
const hasOtherConditions = ({ prices, options, onSale, inStockOnly }: VariantFilter): boolean =>
  prices !== undefined || options.length > 0 || onSale || inStockOnly;

/** Whether a variant may have a price in the range. The price of the product is the lowest that counts. */
const mayBeWithin = (product: ProductValues, { prices, isCounted }: VariantFilter): boolean => {
  if (!prices) return true;
  const { block, row } = product;
  const lowest = block.prices().lowest[row] as number;
  const counted = isCounted && !Number.isNaN(priceOf(product)) ? priceOf(product) : lowest;
  return (
    lowest <= prices.max &&
    (block.prices().highest[row] as number) >= prices.min &&
    counted <= prices.max
  );
};
