import type { NameValue } from "../../../events/event.ts";
import { findOption, findValues, isNamed } from "../../../offers/option-selection.ts";
import {
  conditionName,
  type OfferStep,
  type ProductAttributes,
  type TimedPrices,
  toConditionAttribute,
} from "../../schema/filter-values.ts";
import type { AttributeFilter, ProductFilters } from "../../schema/queries.ts";
import { toMicroUnits } from "../doc-values/doc-values.ts";
import { stepAt } from "../doc-values/price-column.ts";
import type { SearchRequest } from "../search-request.ts";
import { type AttributeTest, meetsAttribute } from "./attribute-match.ts";
import { isWithin, type VariantFilter } from "./variant-match.ts";

/** Filters that depend on options, facts and prices over time. */
export interface ValueFilter {
  readonly variant: Omit<VariantFilter, "attributes" | "isCounted">;
  /** A condition is one of them. */
  readonly attributes: readonly AttributeFilter[];
  readonly minRating: number | undefined;
  /** Whether words, a code or an address may name variants: these match also where the price of the product does not count them. */
  readonly namesVariants: boolean;
}

/** @returns undefined when no filter needs more than the lists of products */
export const toValueFilter = (request: SearchRequest): ValueFilter | undefined =>
  request.minRating !== undefined || filtersVariants({ ...request, inStockOnly: false })
    ? buildFilter(request, mayNameVariants(request))
    : undefined;

/** Whether a request has words, a code or an address. */
export const mayNameVariants = ({ query, reference, gtin, mpn, url }: SearchRequest): boolean =>
  [query?.trim() || undefined, reference, gtin, mpn, url].some((each) => each !== undefined);

/** @returns undefined when every variant meets the filters */
export const toVariantFilter = (
  filters: ProductFilters,
  namesVariants: boolean,
): ValueFilter | undefined =>
  filtersVariants(filters) ? buildFilter(filters, namesVariants) : undefined;

const filtersVariants = (filters: ProductFilters): boolean =>
  (filters.attributes ?? []).length > 0 ||
  filters.condition !== undefined ||
  filters.priceMin !== undefined ||
  filters.priceMax !== undefined ||
  (filters.options ?? []).length > 0 ||
  filters.onSale === true ||
  filters.inStockOnly === true ||
  filters.stockStatuses !== undefined;

const buildFilter = (filters: ProductFilters, namesVariants: boolean): ValueFilter => {
  const { options = [], attributes = [], inStockOnly = false, onSale = false } = filters;
  const { condition, minRating, stockStatuses } = filters;
  return {
    variant: {
      ...{ options, prices: toPrices(filters), inStockOnly, onSale },
      stockStatuses: stockStatuses && new Set(stockStatuses),
    },
    attributes: condition ? [...attributes, { name: conditionName, value: condition }] : attributes,
    minRating,
    namesVariants,
  };
};

const toPrices = ({ priceMin, priceMax }: ProductFilters): VariantFilter["prices"] =>
  priceMin === undefined && priceMax === undefined
    ? undefined
    : {
        min: priceMin === undefined ? 0 : toMicroUnits(priceMin),
        max: priceMax === undefined ? Number.POSITIVE_INFINITY : toMicroUnits(priceMax),
      };

/** What is stored of a product for its filters. */
export interface ProductValues {
  readonly facts: ProductAttributes | undefined;
  readonly offer: TimedPrices | undefined;
  /** In units of 10^-6, of a product with a price alone; null without one. */
  readonly price: number | null;
}

/** The part of a filter that one of the variants has to meet; undefined for a product that does not match. */
export type Match = { readonly variant: VariantFilter | undefined } | undefined;

/**
 * Evaluates a filter for a product, without its variants.
 * @returns the part that its variants have to meet together, where the product alone does not decide
 */
export const matchProduct = (
  filter: ValueFilter,
  values: ProductValues,
  instant: number,
): Match => {
  const { facts, offer, price } = values;
  if (filter.minRating !== undefined && (facts?.stars ?? -1) < filter.minRating) return undefined;
  const variant = selectVariantFilter(filter, facts);
  if (!variant) return undefined;
  if (!offer?.hasVariants) {
    const step = offer && stepAt(offer.steps, instant);
    const isMet =
      (!variant.prices || isWithin(step ? step[1] : price, variant.prices)) &&
      (!variant.onSale || step?.[3] === true);
    return isMet ? { variant: undefined } : undefined;
  }
  const hasVariantTests = variant.attributes.length > 0 || variant.stockStatuses !== undefined;
  return matchVariantsOf(variant, offer, instant, hasVariantTests);
};

const matchVariantsOf = (
  variant: VariantFilter,
  { bounds, steps }: TimedPrices,
  instant: number,
  hasVariantTests: boolean,
): Match => {
  const { prices, options, onSale, inStockOnly, isCounted } = variant;
  const step = stepAt(steps, instant);
  if (onSale && !step?.[3]) return undefined;
  if (!mayBeWithin(bounds, isCounted ? step : undefined, prices)) return undefined;
  // Where the range counts variants that can be ordered, the featured one is a witness for price and stock together.
  const isWitness = !inStockOnly || step?.[4] === true;
  const isPriceMet = !prices || isWithin(step?.[1] ?? null, prices);
  const constraints =
    options.length + Number(onSale) + (options.length > 0 ? Number(inStockOnly) : 0);
  const others = constraints + (prices && constraints > 0 ? 1 : 0);
  const isDecided =
    isPriceMet && others <= 1 && !hasVariantTests && (isWitness || (!prices && !onSale));
  return { variant: isDecided ? undefined : variant };
};

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

/**
 * Selects what one variant has to meet together. An attribute meets an option that the product does not have.
 * @returns undefined when the product meets an option or an attribute in no way
 */
export const selectVariantFilter = (
  { variant, attributes, namesVariants }: ValueFilter,
  facts: ProductAttributes | undefined,
): VariantFilter | undefined => {
  const options: NameValue[] = [];
  const wanted = [...attributes];
  for (const each of variant.options) {
    const option = findOption(facts?.options ?? [], each.name);
    if (!option) wanted.push(each);
    else if (option[3] || findValues(option[2], each.value).length > 0) options.push(each);
    else return undefined;
  }
  const tests = wanted.map((each) => toTest(each, facts));
  if (tests.includes(undefined)) return undefined;
  const open = tests.filter((test) => typeof test === "object");
  const isChosen =
    namesVariants || variant.stockStatuses !== undefined || options.length + open.length > 0;
  const isCounted = variant.onSale || (variant.prices !== undefined && !isChosen);
  return { ...variant, options, attributes: open, isCounted };
};

/** @returns true when each variant has the attribute, because none states it itself; undefined when none has it */
const toTest = (
  wanted: AttributeFilter,
  facts: ProductAttributes | undefined,
): AttributeTest | true | undefined => {
  const { attributes = [], variantAttributes = [], condition } = facts ?? {};
  const own = condition ? [...attributes, toConditionAttribute(condition)] : attributes;
  const byProduct = own.some((each) => meetsAttribute(each, wanted));
  const stated = variantAttributes.filter((each) => isNamed(each, wanted.name));
  if (!byProduct && !stated.some((each) => meetsAttribute(each, wanted))) return undefined;
  return stated.length > 0 ? { wanted, byProduct } : true;
};

/** Whether a filter says something of the variants of a product. */
export const concernsVariants = (
  { variant }: ValueFilter,
  { attributes }: VariantFilter,
): boolean =>
  attributes.length + variant.options.length > 0 ||
  variant.prices !== undefined ||
  variant.inStockOnly ||
  variant.onSale ||
  variant.stockStatuses !== undefined;
