import type { ProductDetail, ProductDocument } from "../schema/documents.ts";
import type { ProductFilters, ProductQuery, Sort } from "../schema/queries.ts";
import { tables } from "../schema/tables.ts";
import type { SearchCaches } from "../search/search-caches.ts";
import { isFiltered } from "../search/search-request.ts";
import { createSearcher, type Searcher, type SearchFunction } from "../search/searcher.ts";
import type { ReadTables } from "../store/store.ts";
import { buildCataloguePage, isUnfiltered } from "./catalogue-page.ts";
import { buildCategoryPage, buildCursorPage } from "./cursor-page.ts";
import { expireWithNextEdge, snapshotTime } from "./offers/edges.ts";
import { hasOffers, showProduct, showProductJson } from "./offers/shown-product.ts";
import { buildOffsetPage } from "./offset-page.ts";
import {
  type JsonMembers,
  type ProductJson,
  sliceOffers,
  splitFragments,
  splitProduct,
} from "./product-json.ts";
import type { ShopCounts, Snapshot } from "./reader.ts";
import { assertNotVisible, requireProduct, requireProductJson } from "./required-products.ts";
import type { SnapshotState } from "./snapshot-state.ts";

type ProductReads = Pick<
  Snapshot,
  | "product"
  | "productDetail"
  | "productMembers"
  | "productFragments"
  | "categoryProducts"
  | "products"
  | "rawProducts"
  | "listing"
  | "facets"
  | "suggestions"
>;

/** @param pricesVisible returns true when the shop shows its prices */
export const createProductQueries = (
  stored: ReadTables,
  searchCaches: SearchCaches,
  state: SnapshotState,
  counts: ShopCounts,
  pricesVisible: () => boolean,
): ProductReads => {
  /** Search, sorting and facets depend on every product, because a change of any product can change the result. */
  const dependOnAll = () => {
    state.readSet.list = state.readSet.anyProduct = true;
    expireWithNextEdge(stored, time());
  };
  const time = () => snapshotTime(state);
  const show = (product: ProductDocument): ProductDocument =>
    showProduct(product, pricesVisible(), time());
  const showJson = (json: ProductJson): ProductJson =>
    showProductJson(json, pricesVisible(), time());
  const searcher = (): Searcher => {
    dependOnAll();
    state.searches ??= createSearcher(stored, searchCaches, state.instant);
    return state.searches;
  };
  const search: SearchFunction = (request, pinned) => searcher().find(request, pinned);
  const buildPage = <P>(query: ProductQuery, read: (id: number) => P) => {
    state.readSet.list = true;
    if (isFiltered(query) || query.sort || query.inStockOnly) dependOnAll();
    return buildCursorPage(stored, counts, query, search, state.instant, (id) => {
      state.readSet.products.push(id);
      return read(id);
    });
  };
  const buildUnfilteredPage = (query: ProductQuery) => {
    state.readSet.list = true;
    const page = buildCataloguePage(stored, counts, query);
    if (!page) return undefined;
    state.readSet.products.push(...page.ids);
    return { ...page, products: page.products.map(showJson) };
  };
  const readMembers = (id: number): JsonMembers<ProductDocument> | undefined => {
    state.readSet.products.push(id);
    const json = stored.json(tables.products, id);
    if (json === undefined) return undefined;
    const product = splitProduct(showJson(json));
    if (!pricesVisible()) return { ...product, price: "null" };
    return hasOffers(json) ? { ...product, offers: sliceOffers(json) } : product;
  };
  const readDetail = (id: number): ProductDetail | undefined => {
    if (!stored.has(tables.products, id)) return assertNotVisible(stored, id);
    const core = stored.get(tables.productCores, id)?.group?.content;
    if (!core) throw stored.missingRow(tables.productCores, id);
    const { categoryIds, specifications, images } = core;
    const markdown = stored.get(tables.productTexts, id)?.markdown ?? null;
    return { markdown, categoryIds, specifications, images };
  };
  return {
    product(id) {
      state.readSet.products.push(id);
      const product = stored.get(tables.products, id) ?? assertNotVisible(stored, id);
      return product && show(product);
    },
    productDetail(id) {
      state.readSet.products.push(id);
      return readDetail(id);
    },
    productMembers(id) {
      return readMembers(id) ?? assertNotVisible(stored, id);
    },
    productFragments(id) {
      state.readSet.products.push(id);
      const json = stored.json(tables.productFragments, id);
      return json === undefined ? assertNotVisible(stored, id) : splitFragments(json);
    },
    categoryProducts(id, query) {
      state.readSet.list = true;
      return buildCategoryPage(stored, id, query, (product) => {
        const members = readMembers(product);
        if (members) return members;
        throw stored.missingRow(tables.products, product);
      });
    },
    products(query) {
      const read = (id: number) => show(requireProduct(stored, id));
      return buildPage(pricesVisible() ? query : withoutPriceOptions(query), read);
    },
    rawProducts() {
      if (!pricesVisible()) return undefined;
      return {
        product(id) {
          state.readSet.products.push(id);
          const json = stored.rawJson(tables.products, id) ?? assertNotVisible(stored, id);
          return json && showJson(json);
        },
        products: (query) =>
          isUnfiltered(query)
            ? buildUnfilteredPage(query)
            : buildPage(query, (id): ProductJson => showJson(requireProductJson(stored, id))),
      };
    },
    listing(query) {
      dependOnAll();
      const request = pricesVisible()
        ? query
        : ({ sort: "relevance", ...withoutPriceOptions(query) } as const);
      const page = buildOffsetPage(stored, counts, request, search, state.instant);
      return { ...page, products: page.products.map(show) };
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
  onSale: ___,
  sort,
  ...rest
}: Q) => ({
  ...rest,
  ...(sort && sort !== "relevance" && !isPriceSort(sort) && { sort }),
});

const isPriceSort = (sort: Sort): boolean =>
  sort === "price_asc" || sort === "price_desc" || sort === "discount";
