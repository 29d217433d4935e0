import { addressKey } from "./address.ts";
import type { CategoryDocument, ShopDocument } from "./documents.ts";
import { listingOf } from "./listing.ts";
import { categoryPageOf, pageOf, searchOf } from "./product-page.ts";
import type { Counts, Reader, Snapshot } from "./reader.ts";
import type { Store, Tables } from "./store.ts";
import { type CounterName, tables } from "./tables.ts";

/** Answers from one generation. Every `snapshot` sees the newest commit, and only that one. */
export const openReader = (store: Store): Reader => ({
  snapshot(read) {
    // All look-ups of one turn share the read transaction that the first of them opens.
    store.refresh();
    return read(momentOf(store));
  },
});

const momentOf = (stored: Tables): Snapshot => {
  const checkpoint = once(() => stored.get(tables.meta, "checkpoint"));
  const shop = once(() => shopOf(stored));
  const pricesVisible = () => shop()?.pricesVisible ?? true;
  const counts = once(() => countsOf(stored));
  const search = searchOf(stored);
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
      const page = pageOf(stored, counts(), query, search);
      if (!page || pricesVisible()) return page;
      return { ...page, products: page.products.map((product) => ({ ...product, price: null })) };
    },
    listing(query) {
      const { products, total } = listingOf(stored, counts(), query);
      if (pricesVisible()) return { products, total };
      return { products: products.map((product) => ({ ...product, price: null })), total };
    },
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
