import { conditionName } from "../../schema/filter-values.ts";
import type { ProductFilters, SearchRequest } from "../../schema/queries.ts";
import { toMicroUnits } from "../doc-values/doc-values.ts";
import { toStatusBits } from "../doc-values/variant-column.ts";
import type { VariantFilter } from "./variant-match.ts";
import {
  createSelection,
  type SelectVariantFilter,
  type VariantConditions,
} from "./variant-selection.ts";

/** Filters that depend on options, facts and prices over time. */
export interface ValueFilter {
  readonly variant: VariantConditions;
  readonly minRating: number | undefined;
  readonly select: SelectVariantFilter;
}

/** @returns undefined when no filter needs more than the lists of products */
export const toValueFilter = (request: SearchRequest): ValueFilter | undefined => {
  const filter = buildFilter(request, mayNameVariants(request));
  const isNeeded = concernsVariants(
    { ...filter.variant, inStockOnly: false },
    filter.variant.attributes,
  );
  return isNeeded || filter.minRating !== undefined ? filter : undefined;
};

/** Whether a request has words, a code or an address. */
export const mayNameVariants = ({ query, reference, gtin, mpn, url }: SearchRequest): boolean =>
  [query?.trim() || undefined, reference, gtin, mpn, url].some((each) => each !== undefined);

/** @returns undefined when every variant meets the filters */
export const toVariantFilter = (
  filters: ProductFilters,
  namesVariants: boolean,
): ValueFilter | undefined => {
  const filter = buildFilter(filters, namesVariants);
  return concernsVariants(filter.variant, filter.variant.attributes) ? filter : undefined;
};

/** Whether filters say something of the variants of a product. */
export const concernsVariants = (
  { options, prices, inStockOnly, onSale, statuses }: VariantConditions,
  attributes: readonly object[],
): boolean =>
  options.length + attributes.length > 0 ||
  prices !== undefined ||
  statuses !== undefined ||
  inStockOnly ||
  onSale;

const buildFilter = (filters: ProductFilters, namesVariants: boolean): ValueFilter => {
  const { options = [], attributes = [], inStockOnly = false, onSale = false } = filters;
  const { condition, minRating, stockStatuses } = filters;
  const conditions = condition ? [{ name: conditionName, value: condition }] : [];
  const variant: VariantConditions = {
    options,
    attributes: [...attributes, ...conditions],
    namesVariants,
    prices: toPrices(filters),
    inStockOnly,
    onSale,
    statuses: stockStatuses && toStatusBits(stockStatuses),
  };
  return { variant, minRating, select: createSelection(variant) };
};

const toPrices = ({ priceMin, priceMax }: ProductFilters): VariantFilter["prices"] =>
  priceMin === undefined && priceMax === undefined
    ? undefined
    : {
        min: priceMin === undefined ? 0 : toMicroUnits(priceMin),
        max: priceMax === undefined ? Number.POSITIVE_INFINITY : toMicroUnits(priceMax),
      };
