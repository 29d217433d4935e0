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

/** What belongs to the snapshot that is read. */
export interface Now {
  asked: Asked;
  head: number | undefined;
  searches: Searches | undefined;
  /** What was read whole: a document may ask for it under several names. */
  lists: Partial<Whole>;
}

interface Whole {
  categories: ReturnType<Snapshot["categories"]>;
  policies: ReturnType<Snapshot["policies"]>;
}

/** What a snapshot tells of products. */
type OfProducts = Pick<
  Snapshot,
  "product" | "productDetail" | "products" | "texts" | "listing" | "facets" | "suggestions"
>;

/** @param pricesVisible whether the shop shows them now */
export const productsOf = (
  stored: Tables,
  world: SearchWorld,
  now: Now,
  counts: Counts,
  pricesVisible: () => boolean,
): OfProducts => {
  /** What is searched, sorted or counted depends on every product: one that is not shown may be the next time. */
  const askAny = () => {
    now.asked.list = now.asked.any = true;
  };
  const searches = (): Searches => {
    askAny();
    now.searches ??= searchesIn(stored, world);
    return now.searches;
  };
  const search: Search = (asked, pinned) => searches().find(asked, pinned);
  const page = <P>(query: ProductQuery, find: (id: number) => P) => {
    now.asked.list = true;
    if (isNarrowed(query) || query.sort || query.inStockOnly) askAny();
    return pageOf(stored, counts, query, search, (id) => {
      now.asked.products.push(id);
      return find(id);
    });
  };
  const plainPage = (query: ProductQuery) => {
    now.asked.list = true;
    const found = plainPageOf(stored, counts, query);
    if (found) now.asked.products.push(...found.ids);
    return found;
  };
  return {
    product(id) {
      now.asked.products.push(id);
      const product = stored.get(tables.products, id) ?? mustBeAbsent(stored, id);
      return product && !pricesVisible() ? { ...product, price: null } : product;
    },
    productDetail(id) {
      now.asked.products.push(id);
      if (!stored.has(tables.products, id)) return mustBeAbsent(stored, id);
      const core = stored.get(tables.cores, id)?.group?.content;
      if (!core) throw stored.lost(tables.cores, id);
      const { categoryIds, specifications, images } = core;
      const markdown = stored.get(tables.texts, id)?.markdown ?? null;
      return { markdown, categoryIds, specifications, images };
    },
    products(query) {
      const find = (id: number) => namedProduct(stored, id);
      if (pricesVisible()) return page(query, find);
      return page(withoutPrices(query), (id) => ({ ...find(id), price: null }));
    },
    texts() {
      if (!pricesVisible()) return undefined;
      return {
        product(id) {
          now.asked.products.push(id);
          return stored.text(tables.products, id) ?? mustBeAbsent(stored, id);
        },
        products: (query) =>
          isPlain(query)
            ? plainPage(query)
            : page(query, (id): ProductText => namedText(stored, id)),
      };
    },
    listing(query) {
      askAny();
      if (pricesVisible()) return listingOf(stored, counts, query, search);
      const unpriced = { sort: "relevance", ...withoutPrices(query) } as const;
      const listing = listingOf(stored, counts, unpriced, search);
      const products = listing.products.map((product) => ({ ...product, price: null }));
      return { ...listing, products };
    },
    facets(query) {
      return pricesVisible()
        ? searches().facets(query, true)
        : searches().facets(withoutPrices(query), false);
    },
    suggestions(query) {
      return searches().suggestions(query);
    },
  };
};

/** Prices that are hidden must not be told by what they filter or how they sort either. */
const withoutPrices = <Q extends ProductFilters & { readonly sort?: Sort | "relevance" }>({
  priceMin: _,
  priceMax: __,
  sort,
  ...rest
}: Q) => ({ ...rest, ...(sort === "name" && { sort }) });
