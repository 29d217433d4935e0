import { addressKey } from "./address.ts";
import type { CategoryDocument, ShopDocument } from "./documents.ts";
import { listingOf } from "./listing.ts";
import { categoryPageOf, pageOf } from "./product-page.ts";
import type { Counts, ProductFilters, Reader, Snapshot, Sort } from "./reader.ts";
import {
  facetsIn,
  openSearchWorld,
  type SearchWorld,
  searchOf,
  suggestionsFor,
} from "./search/search.ts";
import type { Synonym } from "./search/synonyms.ts";
import type { Store, Tables } from "./store.ts";
import { type CounterName, tables } from "./tables.ts";

/**
 * Answers from one generation. Every `snapshot` sees the newest commit, and only that one.
 * @param synonyms what queries say in other words
 */
export const openReader = (store: Store, synonyms: readonly Synonym[] = []): Reader => {
  const world = openSearchWorld(synonyms);
  return {
    snapshot(read) {
      // All look-ups of one turn share the read transaction that the first of them opens.
      store.refresh();
      return read(momentOf(store, world));
    },
  };
};

const momentOf = (stored: Tables, world: SearchWorld): Snapshot => {
  const checkpoint = once(() => stored.get(tables.meta, "checkpoint"));
  const shop = once(() => shopOf(stored));
  const pricesVisible = () => shop()?.pricesVisible ?? true;
  const counts = once(() => countsOf(stored));
  const search = searchOf(stored, world);
  const withCount = (category: CategoryDocument) => ({
    ...category,
    productCount: stored.get(tables.categoryCounts, category.id) ?? 0,
  });
  const moment: Snapshot = {
    version: () => `${checkpoint()?.sequence ?? 0}.${checkpoint()?.retries ?? 0}`,
    lastEventTime() {
      const time = checkpoint()?.lastEventTime;
      return time ? new Date(time).toISOString() : undefined;
    },
    shop,
    counts,
    product(id) {
      const product = stored.get(tables.products, id);
      return product && !pricesVisible() ? { ...product, price: null } : product;
    },
    productDetail(id) {
      const core = stored.get(tables.products, id) && stored.get(tables.cores, id)?.group?.content;
      if (!core) return undefined;
      const { categoryIds, specifications, images } = core;
      const markdown = stored.get(tables.texts, id)?.markdown ?? null;
      return { markdown, categoryIds, specifications, images };
    },
    products(query) {
      if (pricesVisible()) return pageOf(stored, counts(), query, search);
      const page = pageOf(stored, counts(), withoutPrices(query), search);
      if (!page) return page;
      return { ...page, products: page.products.map((product) => ({ ...product, price: null })) };
    },
    listing(query) {
      if (pricesVisible()) return listingOf(stored, counts(), query, search);
      const listing = listingOf(
        stored,
        counts(),
        { sort: "relevance", ...withoutPrices(query) },
        search,
      );
      const products = listing.products.map((product) => ({ ...product, price: null }));
      return { ...listing, products };
    },
    facets: (query) =>
      pricesVisible()
        ? facetsIn(stored, query, search, true)
        : facetsIn(stored, withoutPrices(query), search, false),
    suggestions: (query) => suggestionsFor(stored, world, query),
    categories: () =>
      (stored.get(tables.categoryOrder, "order") ?? []).flatMap((id) => moment.category(id) ?? []),
    category(id) {
      const category = stored.get(tables.categories, id);
      return category && withCount(category);
    },
    categoryProducts(id, asked) {
      const page = categoryPageOf(stored, id, asked);
      if (!page || pricesVisible()) return page;
      return { ...page, products: page.products.map((product) => ({ ...product, price: null })) };
    },
    policies: () => [...stored.entries(tables.policies)].map(([, policy]) => policy),
    page(id) {
      const row = stored.get(tables.pages, id);
      if (!row?.content?.published) return undefined;
      const { title, url, policy, summary, markdown } = row.content;
      const lastmod = new Date(row.changedAt).toISOString();
      return { id, title, url, policy, summary, markdown, lastmod };
    },
    carriers: () =>
      [...stored.entries(tables.carriers)].flatMap(([, { content }]) => {
        if (!content?.active) return [];
        const { active: _, ...carrier } = content;
        return [carrier];
      }),
    robots() {
      const row = stored.get(tables.robots, "robots");
      return row?.content
        ? { text: row.content.text, updatedAt: new Date(row.changedAt).toISOString() }
        : undefined;
    },
    agent(label) {
      const content = stored.get(tables.agents, label)?.content;
      return content ? { label, ...content } : undefined;
    },
    address(pathAndQuery) {
      const key = addressKey(pathAndQuery);
      for (const [, kind, id] of stored.keys(tables.addresses, {
        start: [key],
        end: [key, "\u{10ffff}"],
        limit: 1,
      })) {
        return { kind, id };
      }
      return undefined;
    },
    changes: ({ after, limit }) =>
      [
        ...stored.entries(tables.lastChanges, {
          ...(after ? { start: [after.kind, after.id + 1] } : {}),
          limit,
        }),
      ].map(([[kind, id], change]) => ({ kind, id, ...change })),
  };
  return moment;
};

/** Prices that are hidden must not be told by what they filter or how they sort either. */
const withoutPrices = <Q extends ProductFilters & { readonly sort?: Sort | "relevance" }>({
  priceMin: _,
  priceMax: __,
  sort,
  ...rest
}: Q) => ({ ...rest, ...(sort === "name" && { sort }) });

const shopOf = (stored: Tables): ShopDocument | undefined => {
  const row = stored.get(tables.settings, "settings");
  return row?.content
    ? { ...row.content, updatedAt: new Date(row.changedAt).toISOString() }
    : undefined;
};

const countsOf = (stored: Tables): Counts => {
  const count = (name: CounterName): number => stored.get(tables.counters, name) ?? 0;
  return {
    products: count("products"),
    inStock: count("inStock"),
    stockedCategories: count("stockedCategories"),
  };
};

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
