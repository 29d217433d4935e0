import type { CategoryDocument } from "../schema/documents.ts";
import type { ProductFilters, Sort } from "../schema/queries.ts";
import { tables } from "../schema/tables.ts";
import { findMatchedVariants } from "../search/filters/matched-variants.ts";
import type { SearchCaches } from "../search/search-caches.ts";
import { createSearcher, type Searcher, type SearchFunction } from "../search/searcher.ts";
import type { ReadTables } from "../store/store.ts";
import type { ReadSet } from "./change-log.ts";
import { priceChangeAt, type View } from "./offer.ts";
import { buildCategoryPage, buildCursorPage, buildOffsetPage, isUnfiltered } from "./page.ts";
import {
  type Product,
  type ProductRow,
  readProduct,
  requireProduct,
  toProduct,
} from "./product.ts";
import type { ShopCounts, Snapshot } from "./reader.ts";

export interface SnapshotState {
  readSet: ReadSet;
  head: number;
  /** Time of the snapshot, milliseconds since 1970. */
  instant: number;
  searches: Searcher | undefined;
  /** Complete lists read in this snapshot, because one GraphQL document may request a list under several aliases. */
  lists: Partial<CompleteLists>;
}

/** Limits how long the reads of a snapshot hold: something changes at an instant without an event. */
export const expireAt = ({ readSet }: SnapshotState, instant: number): void => {
  readSet.validUntil = Math.min(readSet.validUntil, instant);
};

interface CompleteLists {
  categories: ReturnType<Snapshot["categories"]>;
  policies: ReturnType<Snapshot["policies"]>;
}

/** Finds the next change of any offer after an instant; infinite when there is none. */
export const readNextOfferChange = (stored: ReadTables, instant: number): number => {
  for (const [at] of stored.keys(tables.offerChanges, { start: [instant + 1], limit: 1 }))
    return at;
  return Number.POSITIVE_INFINITY;
};

/** Limits the reads of a snapshot to the time before the next change of any offer. */
export const expireAtNextOfferChange = (stored: ReadTables, state: SnapshotState): void =>
  expireAt(state, readNextOfferChange(stored, state.instant));

/** Returns the last change of any offer that has passed; 0 when none has. */
export const readLastOfferChange = (stored: ReadTables, instant: number): number => {
  const range = { start: [instant + 1], reverse: true, limit: 1 } as const;
  for (const [at] of stored.keys(tables.offerChanges, range)) return at;
  return 0;
};

/** Dates the page of a category at an instant, by the prices of the products on it. */
export const showCategory = (
  { changesAt = [], ...category }: CategoryDocument,
  view: View,
): { readonly category: CategoryDocument; readonly nextChange: number } => {
  const { last, next } = priceChangeAt(changesAt, view);
  return { category: { ...category, lastmod: laterOf(category.lastmod, last) }, nextChange: next };
};

/** @param at milliseconds since 1970 */
export const laterOf = (time: string, at: number): string =>
  at > Date.parse(time) ? new Date(at).toISOString() : time;

type ProductReads = Pick<
  Snapshot,
  | "product"
  | "relatedProducts"
  | "matchedVariants"
  | "categoryProducts"
  | "products"
  | "listing"
  | "facets"
  | "suggestions"
>;

/** Creates the reads of products. Each adds to the read set the products that it returns, until their offers change. */
export const createProductQueries = (
  stored: ReadTables,
  searchCaches: SearchCaches,
  state: SnapshotState,
  counts: ShopCounts,
  view: () => View,
): ProductReads => {
  /** Search, sorting and facets depend on every product, because a change of any product can change the result. */
  const dependOnAll = () => {
    state.readSet.list = state.readSet.anyProduct = true;
    expireAtNextOfferChange(stored, state);
  };
  const dependOn = <P extends Product | undefined>(id: number, product: P): P => {
    state.readSet.products.push(id);
    if (product) expireAt(state, product.nextChange);
    return product;
  };
  const require = (id: number): Product => dependOn(id, requireProduct(stored, id, view()));
  const searcher = (): Searcher => {
    dependOnAll();
    state.searches ??= createSearcher(stored, searchCaches, view());
    return state.searches;
  };
  const search: SearchFunction = (request, pinned) => searcher().find(request, pinned);
  const show = (row: ProductRow): Product => dependOn(row.id, toProduct(stored, row, view()));
  const allIds = () => searchCaches.allIds(stored);
  const context = () => ({ stored, counts, search, allIds, view: view(), read: require, show });
  return {
    product: (id) => dependOn(id, readProduct(stored, id, view())),
    relatedProducts({ id, text }) {
      const related = text.facts.related ?? [];
      const ids = [id, ...related.map(({ productId }) => productId)];
      state.readSet.products.push(...ids);
      return related.filter(
        ({ productId }, at) =>
          ids.indexOf(productId) === at + 1 && stored.has(tables.products, productId),
      );
    },
    matchedVariants(products, query) {
      const withVariants = products.flatMap(({ id, variants }) =>
        variants ? [{ id, options: variants.options }] : [],
      );
      return findMatchedVariants(stored, withVariants, listingFilters(query, view()), view());
    },
    categoryProducts(id, query) {
      state.readSet.list = true;
      return buildCategoryPage(stored, id, query, require);
    },
    products(query) {
      state.readSet.list = true;
      if (!isUnfiltered(query)) dependOnAll();
      return buildCursorPage(context(), listingFilters(query, view()));
    },
    listing(query) {
      dependOnAll();
      const request = { sort: "relevance", ...listingFilters(query, view()) } as const;
      return buildOffsetPage(context(), request);
    },
    facets: (query) => searcher().facets(listingFilters(query, view())),
    suggestions: (query) => searcher().suggestions(query),
  };
};

type Listing = ProductFilters & { readonly sort?: Sort | "relevance" };

/** Removes from a listing what would reveal hidden prices. The caller reports that to the agent. */
const listingFilters = <Q extends Listing>(query: Q, { policy }: View) =>
  policy.pricesVisible ? query : withoutPrices(query);

const withoutPrices = <Q extends Listing>({
  priceMin: _,
  priceMax: __,
  onSale: ___,
  sort,
  ...others
}: Q) => ({
  ...others,
  ...(sort && sort !== "relevance" && !isPriceSort(sort) && { sort }),
  hidesPrices: true as const,
});

const isPriceSort = (sort: Sort): boolean =>
  sort === "price_asc" || sort === "price_desc" || sort === "discount";
