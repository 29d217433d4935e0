import type { NameValue } from "../../../events/event.ts";
import { foldText, isNamed } from "../../../offers/option-selection.ts";
import type { AttributeValue, FactValues, OfferValues } from "../../schema/filter-values.ts";
import type { AttributeFilter, ProductFilters } from "../../schema/queries.ts";
import { toMicroUnits } from "../doc-values/doc-values.ts";
import { isWithin, stepAt, type VariantFilter } from "./variant-match.ts";

/** Filters that depend on options, facts and prices over time. */
export interface GoodsFilter {
  readonly variant: VariantFilter;
  readonly attributes: readonly AttributeFilter[];
  readonly condition: string | undefined;
  readonly minRating: number | undefined;
  readonly stockStatuses: ReadonlySet<string> | undefined;
}

/** @returns undefined when no filter needs more than the lists of products */
export const toGoodsFilter = (filters: ProductFilters): GoodsFilter | undefined => {
  const { attributes = [], condition, minRating } = filters;
  const hasFacts = attributes.length > 0 || condition !== undefined || minRating !== undefined;
  return hasFacts || filtersVariants({ ...filters, inStockOnly: false })
    ? buildFilter(filters)
    : undefined;
};

/** @returns undefined when every variant meets the filters */
export const toVariantFilter = (filters: ProductFilters): GoodsFilter | undefined =>
  filtersVariants(filters) ? buildFilter(filters) : undefined;

const filtersVariants = (filters: ProductFilters): boolean =>
  filters.priceMin !== undefined ||
  filters.priceMax !== undefined ||
  (filters.options ?? []).length > 0 ||
  filters.onSale === true ||
  filters.inStockOnly === true ||
  filters.stockStatuses !== undefined;

const buildFilter = (filters: ProductFilters): GoodsFilter => {
  const { options = [], attributes = [], inStockOnly = false, onSale = false } = filters;
  const { condition, minRating, stockStatuses } = filters;
  return {
    variant: { options, prices: toPrices(filters), inStockOnly, onSale },
    attributes,
    condition,
    minRating,
    stockStatuses: stockStatuses && new Set(stockStatuses),
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
export interface GoodsValues {
  readonly facts: FactValues | undefined;
  readonly offer: OfferValues | undefined;
  /** In units of 10^-6, of a product with a price alone; null without one. */
  readonly price: number | null;
}

/** The part of a filter that one of the variants has to meet; undefined for a product that does not match. */
export type Verdict = { readonly variant: VariantFilter | undefined } | undefined;

/**
 * Evaluates a filter for a product, without its variants.
 * @returns the part that its variants have to meet together, where the product alone does not decide
 */
export const judgeProduct = (
  filter: GoodsFilter,
  values: GoodsValues,
  instant: number,
): Verdict => {
  const { facts, offer, price } = values;
  if (!meetsFacts(filter, facts)) return undefined;
  const options = selectVariantOptions(filter.variant.options, facts);
  if (!options) return undefined;
  const variant = { ...filter.variant, options };
  if (!offer?.[1]) {
    const step = offer && stepAt(offer[3], instant);
    const isMet =
      (!variant.prices || isWithin(step ? step[1] : price, variant.prices)) &&
      (!variant.onSale || step?.[3] === true);
    return isMet ? { variant: undefined } : undefined;
  }
  return judgeVariants(variant, offer, instant, filter.stockStatuses !== undefined);
};

const judgeVariants = (
  variant: VariantFilter,
  [, , bounds, steps]: OfferValues,
  instant: number,
  hasStatuses: boolean,
): Verdict => {
  const { prices, options, onSale, inStockOnly } = variant;
  const step = stepAt(steps, instant);
  if (onSale && !step?.[3]) return undefined;
  if (prices && !(bounds && bounds[0] <= prices.max && bounds[1] >= prices.min)) return undefined;
  // Where the range counts variants that can be ordered, the featured one is a witness for price and stock together.
  const isWitness = !inStockOnly || step?.[4] === true;
  const isPriceMet = !prices || isWithin(step?.[1] ?? null, prices);
  const constraints =
    options.length + Number(onSale) + (options.length > 0 ? Number(inStockOnly) : 0);
  const others = constraints + (prices && constraints > 0 ? 1 : 0);
  const isDecided =
    isPriceMet && others <= 1 && !hasStatuses && (isWitness || (!prices && !onSale));
  return { variant: isDecided ? undefined : variant };
};

const meetsFacts = (
  { attributes, condition, minRating }: GoodsFilter,
  facts: FactValues | undefined,
): boolean =>
  (condition === undefined || facts?.condition === condition) &&
  (minRating === undefined || (facts?.stars ?? -1) >= minRating) &&
  attributes.every((wanted) => facts?.attributes?.some((own) => meetsAttribute(own, wanted)));

const meetsAttribute = (
  [name, code, value, number, max]: AttributeValue,
  wanted: AttributeFilter,
): boolean => {
  if (!isNamed({ name, code }, wanted.name)) return false;
  if (wanted.value !== undefined && foldText(value) !== foldText(wanted.value)) return false;
  if (wanted.min === undefined && wanted.max === undefined) return true;
  if (number === null) return false;
  // A range matches where it overlaps the requested one.
  return (max ?? number) >= (wanted.min ?? -Infinity) && number <= (wanted.max ?? Infinity);
};

/**
 * Selects the options that variants have to meet. An attribute meets an option that the product does not have.
 * @returns undefined when the product meets one in no way
 */
const selectVariantOptions = (
  requested: readonly NameValue[],
  facts: FactValues | undefined,
): readonly NameValue[] | undefined => {
  const options: NameValue[] = [];
  for (const wanted of requested) {
    const option = facts?.options?.find(([name, code]) => isNamed({ name, code }, wanted.name));
    if (option) {
      const [, , values, open] = option;
      if (!open && !values.some((value) => foldText(value) === foldText(wanted.value)))
        return undefined;
      options.push(wanted);
    } else if (!facts?.attributes?.some((own) => meetsAttribute(own, wanted))) return undefined;
  }
  return options;
};
