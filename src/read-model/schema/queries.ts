import type { NameValue } from "../../events/event.ts";
import type { Condition, StockAvailability } from "../../events/product-facts.ts";
import type { PageAddress } from "./documents.ts";

/** Filters of a list of products. A product must match all of them; an absent filter matches every product. */
export interface ProductFilters {
  readonly inStockOnly?: boolean;
  /** Selects products of any of the categories, or of their descendants. */
  readonly categoryIds?: readonly number[];
  /** Compared without case and accents. */
  readonly brand?: string;
  /**
   * Inclusive decimal amount in the shop's currency, with at most 15 digits before the point and 6 after it. A price in
   * another currency is in no range.
   */
  readonly priceMin?: string;
  /** Inclusive decimal amount in the form of `priceMin`. */
  readonly priceMax?: string;
  readonly ids?: readonly number[];
  /** Compared without case, separators and leading zeros of a barcode. */
  readonly reference?: string;
  /** Compared without case, separators and leading zeros of a barcode. */
  readonly gtin?: string;
  /** URL of a product page, or its path and query. */
  readonly url?: string;
  /** Part number of the manufacturer, compared as `reference` is. */
  readonly mpn?: string;
  /** Values of options, met by one variant; or by an attribute of a product without such an option. */
  readonly options?: readonly NameValue[];
  readonly attributes?: readonly AttributeFilter[];
  /** True selects products with a list price. */
  readonly onSale?: boolean;
  readonly condition?: Condition;
  /** States of stock, met by one variant. */
  readonly stockStatuses?: readonly StockAvailability[];
  /** Stars, 5 at most. */
  readonly minRating?: number;
}

/** Every filter; a missing or extra one does not compile. */
export const filterNames = Object.keys({
  inStockOnly: true,
  categoryIds: true,
  brand: true,
  priceMin: true,
  priceMax: true,
  ids: true,
  reference: true,
  gtin: true,
  url: true,
  mpn: true,
  options: true,
  attributes: true,
  onSale: true,
  condition: true,
  stockStatuses: true,
  minRating: true,
} satisfies Record<keyof ProductFilters, true>) as readonly (keyof ProductFilters)[];

/** Selects products by an attribute, named by its name or its code: equal to `value`, or a number from `min` to `max`. */
export interface AttributeFilter {
  readonly name: string;
  readonly value?: string;
  readonly min?: number;
  readonly max?: number;
  /** Unit of `min` and `max`, into which other units are converted. */
  readonly unit?: string;
}

/**
 * A sort other than by relevance. Products without a price in the shop's currency come last in both price sorts, those without a
 * discount, a rating or a release date last in the sorts of these, which begin with the highest; ties are sorted by id.
 */
export type Sort = "price_asc" | "price_desc" | "name" | "discount" | "rating" | "newest";

/** What a search looks for. */
export interface SearchRequest extends ProductFilters {
  readonly query?: string;
  /** True to return products that match a part of the query when none matches all of it; default false. */
  readonly relax?: boolean;
}

/** Request for a page of products by cursor. */
export interface ProductQuery extends SearchRequest {
  /** Number of products, 0 or more; the caller limits it. */
  readonly first: number;
  /** Cursor of an earlier page of the same query; absent for the first page. */
  readonly after?: string;
  /** Default: by relevance with a query, by id without. */
  readonly sort?: Sort;
}

/** Reports how search changed a query to find products. */
export interface QueryReport {
  /** Words that no product has, with the words searched instead. */
  readonly corrected: readonly { readonly word: string; readonly words: readonly string[] }[];
  /** Words without a match and without a correction. */
  readonly unknown: readonly string[];
  /** True when the products match only a part of the query, because none matches all of it. */
  readonly relaxed: boolean;
  /** Words of the query that products of a relaxed match have; empty for another match. */
  readonly matched: readonly string[];
}

export interface OffsetPageQuery extends SearchRequest {
  /** `relevance` sorts by id without a query; with a query, ties are sorted by stock, then by id. */
  readonly sort: "relevance" | Sort;
  /** Number of products, 0 or more; the caller limits it. */
  readonly limit: number;
  /** Number of products to skip, 0 or more; the caller limits it. */
  readonly offset: number;
}

/** Distribution of products over values: the most frequent values first, at most 50. */
export interface Facets {
  readonly brands: readonly { readonly brand: string; readonly count: number }[];
  /** Categories that the products are directly in. */
  readonly categories: readonly {
    readonly id: number;
    readonly name: string;
    readonly count: number;
  }[];
  /** Price bands in the shop's currency, ascending, without `max`; empty when the shop hides its prices. */
  readonly prices: readonly {
    readonly min: string;
    readonly max: string;
    readonly count: number;
  }[];
  /** Options of variants. Those with one code are one. */
  readonly options: readonly NamedFacet[];
  /** Attributes. Those with one code are one. */
  readonly attributes: readonly NamedFacet[];
}

/** How products spread over the values of an option or an attribute. */
export interface NamedFacet {
  readonly name: string;
  readonly code: string | null;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

export interface FacetQuery extends SearchRequest {
  /** Leaves out the price bands. */
  readonly hidesPrices?: true;
}

/** A category or CMS page that has words of a query. */
export interface FoundPage {
  readonly kind: Exclude<PageAddress["kind"], "product">;
  readonly id: number;
  /** Name of the category or title of the page. */
  readonly title: string;
  readonly url: string;
  /** Set when it has all words of the query. */
  readonly isComplete: boolean;
}
