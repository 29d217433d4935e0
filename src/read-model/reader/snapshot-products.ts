import { tables } from "../schema/tables.ts";
import {
  isNarrowed,
  type Search,
  type Searches,
  type SearchWorld,
  searchesIn,
} from "../search/searcher.ts";
import type { Tables } from "../store/store.ts";
import { isPlain, plainPageOf } from "./catalogue-page.ts";
import type { Asked } from "./change-log.ts";
import { pageOf } from "./cursor-page.ts";
import { listingOf } from "./offset-page.ts";
import type { ProductText } from "./product-json.ts";
import type { Counts, ProductFilters, ProductQuery, Snapshot, Sort } from "./reader.ts";
import { mustBeAbsent, namedProduct, namedText } from "./required-products.ts";

/** State of the current snapshot. */
export interface Now {
  asked: Asked;
  head: number | undefined;
  searches: Searches | undefined;
  /** Complete lists read in this snapshot, because one GraphQL document may request a list under several aliases. */
  lists: Partial<CompleteLists>;
}

interface CompleteLists {
  categories: ReturnType<Snapshot["categories"]>;
  policies: ReturnType<Snapshot["policies"]>;
}

type ProductReads = Pick<
  Snapshot,
  "product" | "productDetail" | "products" | "texts" | "listing" | "facets" | "suggestions"
>;

/** @param pricesVisible returns true when the shop shows its prices */
export const productsOf = (
  stored: Tables,
  searchCaches: SearchWorld,
  state: Now,
  counts: Counts,
  pricesVisible: () => boolean,
): ProductReads => {
  /** Search, sorting and facets depend on every product, because a change of any product can change the result. */
  const dependOnAll = () => {
    state.asked.list = state.asked.any = true;
  };
  const searcher = (): Searches => {
    dependOnAll();
    state.searches ??= searchesIn(stored, searchCaches);
    return state.searches;
  };
  const search: Search = (request, pinned) => searcher().find(request, pinned);
  const buildPage = <P>(query: ProductQuery, read: (id: number) => P) => {
    state.asked.list = true;
    if (isNarrowed(query) || query.sort || query.inStockOnly) dependOnAll();
    return pageOf(stored, counts, query, search, (id) => {
      state.asked.products.push(id);
      return read(id);
    });
  };
  const buildUnfilteredPage = (query: ProductQuery) => {
    state.asked.list = true;
    const page = plainPageOf(stored, counts, query);
    if (page) state.asked.products.push(...page.ids);
    return page;
  };
  return {
    product(id) {
      state.asked.products.push(id);
      const product = stored.get(tables.products, id) ?? mustBeAbsent(stored, id);
      return product && !pricesVisible() ? { ...product, price: null } : product;
    },
    productDetail(id) {
      state.asked.products.push(id);
      if (!stored.has(tables.products, id)) return mustBeAbsent(stored, id);
      const core = stored.get(tables.cores, id)?.group?.content;
      if (!core) throw stored.lost(tables.cores, id);
      const { categoryIds, specifications, images } = core;
      const markdown = stored.get(tables.texts, id)?.markdown ?? null;
      return { markdown, categoryIds, specifications, images };
    },
    products(query) {
      const read = (id: number) => namedProduct(stored, id);
      if (pricesVisible()) return buildPage(query, read);
      return buildPage(withoutPriceOptions(query), (id) => ({ ...read(id), price: null }));
    },
    texts() {
      if (!pricesVisible()) return undefined;
      return {
        product(id) {
          state.asked.products.push(id);
          return stored.text(tables.products, id) ?? mustBeAbsent(stored, id);
        },
        products: (query) =>
          isPlain(query)
            ? buildUnfilteredPage(query)
            : buildPage(query, (id): ProductText => namedText(stored, id)),
      };
    },
    listing(query) {
      dependOnAll();
      if (pricesVisible()) return listingOf(stored, counts, query, search);
      const request = { sort: "relevance", ...withoutPriceOptions(query) } as const;
      const page = listingOf(stored, counts, request, search);
      const products = page.products.map((product) => ({ ...product, price: null }));
      return { ...page, products };
    },
    facets(query) {
      return pricesVisible()
        ? searcher().facets(query, true)
        : searcher().facets(withoutPriceOptions(query), false);
    },
    suggestions(query) {
      return searcher().suggestions(query);
    },
  };
};

/** Removes price filters and price sorts, because their results would disclose hidden prices. */
const withoutPriceOptions = <Q extends ProductFilters & { readonly sort?: Sort | "relevance" }>({
  priceMin: _,
  priceMax: __,
  sort,
  ...rest
}: Q) => ({ ...rest, ...(sort === "name" && { sort }) });
