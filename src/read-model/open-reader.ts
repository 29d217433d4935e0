import { addressKey } from "./address.ts";
import type { CategoryDocument, ProductDocument, ShopDocument } from "./documents.ts";
import { listingOf } from "./listing.ts";
import { categoryPageOf, pageOf, type Search, searchOf } from "./product-page.ts";
import type { Counts, Footprint, ProductQuery, ProductText, Reader, Snapshot } from "./reader.ts";
import { type Asked, type Changes, followChanges } from "./recent.ts";
import type { Store, Tables } from "./store.ts";
import { type CounterName, tables } from "./tables.ts";

/** Answers from one generation. Every `snapshot` sees the newest commit, and only that one. */
export const openReader = (store: Store): Reader => {
  const changes = followChanges(store);
  const now: Now = { asked: nothingAsked(), head: undefined, search: undefined };
  const currentShop = whileRestStays(changes, () => shopOf(store));
  // One for all snapshots: to make its many small functions anew costs more than most questions.
  const moment = momentOf(store, () => currentShop(now.head), now);
  return {
    snapshot(read) {
      // All look-ups of one turn share the read transaction that the first of them opens.
      store.refresh();
      const head = changes.head();
      const asked = nothingAsked();
      const outer = { ...now };
      Object.assign(now, { asked, head, search: undefined });
      try {
        const footprint = head === undefined ? undefined : footprintOf(store, changes, asked, head);
        return read(moment, footprint);
      } finally {
        Object.assign(now, outer);
      }
    },
  };
};

/** What belongs to the snapshot that is read. */
interface Now {
  asked: Asked;
  head: number | undefined;
  search: Search | undefined;
}

const nothingAsked = (): Asked => ({ products: [], list: false, any: false, everything: false });

/** Asks the store again only after a commit, and looks further only when that changed something. */
const footprintOf = (store: Store, changes: Changes, asked: Asked, head: number): Footprint => {
  let since = head;
  return {
    isCurrent() {
      store.refresh();
      const now = changes.head();
      if (now === undefined || !changes.unchanged(asked, since)) return false;
      since = now;
      return true;
    },
  };
};

/** What only a change of anything but products can change is made once until then. */
const whileRestStays = <T>(changes: Changes, make: () => T) => {
  let made: { readonly value: T; readonly at: number } | undefined;
  return (head: number | undefined): T => {
    if (head === undefined) return make();
    if (!made || made.at < changes.rest()) made = { value: make(), at: head };
    return made.value;
  };
};

const momentOf = (stored: Tables, shop: () => ShopDocument | undefined, now: Now): Snapshot => {
  const checkpoint = () => {
    now.asked.everything = true;
    return stored.get(tables.meta, "checkpoint");
  };
  const pricesVisible = () => shop()?.pricesVisible ?? true;
  const counts = countsOf(stored, now);
  const search: Search = (query) => {
    now.search ??= searchOf(stored);
    return now.search(query);
  };
  const withCount = (category: CategoryDocument) => ({
    ...category,
    productCount: stored.get(tables.categoryCounts, category.id) ?? 0,
  });
  const page = <P>(query: ProductQuery, find: (id: number) => P) => {
    now.asked.list = true;
    if (query.query || query.inStockOnly) now.asked.any = true;
    return pageOf(stored, counts, query, search, (id) => {
      now.asked.products.push(id);
      return find(id);
    });
  };
  const text = (id: number) => stored.text(tables.products, id);
  const moment: Snapshot = {
    version: () => `${checkpoint()?.sequence ?? 0}.${checkpoint()?.retries ?? 0}`,
    lastEventTime() {
      const time = checkpoint()?.lastEventTime;
      return time ? new Date(time).toISOString() : undefined;
    },
    shop,
    counts: () => counts,
    product(id) {
      now.asked.products.push(id);
      const product = stored.get(tables.products, id);
      return product && !pricesVisible() ? { ...product, price: null } : product;
    },
    productDetail(id) {
      now.asked.products.push(id);
      const core = stored.get(tables.products, id) && stored.get(tables.cores, id)?.group?.content;
      if (!core) return undefined;
      const { categoryIds, specifications, images } = core;
      const markdown = stored.get(tables.texts, id)?.markdown ?? null;
      return { markdown, categoryIds, specifications, images };
    },
    products(query) {
      const found = page(query, (id) => stored.get(tables.products, id) as ProductDocument);
      if (!found || pricesVisible()) return found;
      return { ...found, products: found.products.map((product) => ({ ...product, price: null })) };
    },
    texts() {
      if (!pricesVisible()) return undefined;
      return {
        product(id) {
          now.asked.products.push(id);
          return text(id);
        },
        products: (query) => page(query, (id) => text(id) as ProductText),
      };
    },
    listing(query) {
      now.asked.list = now.asked.any = true;
      const { products, total } = listingOf(stored, counts, query);
      if (pricesVisible()) return { products, total };
      return { products: products.map((product) => ({ ...product, price: null })), total };
    },
    categories: () =>
      // Each of them is asked for by itself.
      (stored.get(tables.categoryOrder, "order") ?? []).flatMap((id) => moment.category(id) ?? []),
    category(id) {
      now.asked.list = true;
      const category = stored.get(tables.categories, id);
      return category && withCount(category);
    },
    categoryProducts(id, query) {
      now.asked.list = true;
      const found = categoryPageOf(stored, id, query);
      for (const product of found?.products ?? []) now.asked.products.push(product.id);
      if (!found || pricesVisible()) return found;
      return { ...found, products: found.products.map((product) => ({ ...product, price: null })) };
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
      now.asked.list = true;
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
    changes({ after, limit }) {
      now.asked.everything = true;
      return [
        ...stored.entries(tables.lastChanges, {
          ...(after ? { start: [after.kind, after.id + 1] } : {}),
          limit,
        }),
      ].map(([[kind, id], change]) => ({ kind, id, ...change }));
    },
  };
  return moment;
};

const shopOf = (stored: Tables): ShopDocument | undefined => {
  const row = stored.get(tables.settings, "settings");
  return row?.content
    ? { ...row.content, updatedAt: new Date(row.changedAt).toISOString() }
    : undefined;
};

/** Each count is read when it is asked for. */
const countsOf = (stored: Tables, now: Now): Counts => {
  const count = (name: CounterName): number => stored.get(tables.counters, name) ?? 0;
  return {
    get products() {
      now.asked.list = true;
      return count("products");
    },
    get inStock() {
      now.asked.any = true;
      return count("inStock");
    },
    get stockedCategories() {
      now.asked.list = true;
      return count("stockedCategories");
    },
  };
};
