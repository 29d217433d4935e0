import { addressKey } from "./address.ts";
import type { CategoryDocument, ProductDocument } from "./documents.ts";
import { footprintOf, whileRestStays } from "./footprint.ts";
import { listingOf } from "./listing.ts";
import { isPlain, plainPageOf } from "./plain-page.ts";
import { categoryPageOf, pageOf } from "./product-page.ts";
import type {
  Counts,
  ProductFilters,
  ProductQuery,
  ProductText,
  Reader,
  Snapshot,
  Sort,
} from "./reader.ts";
import { type Asked, followChanges, nothingAsked } from "./recent.ts";
import {
  facetsIn,
  isNarrowed,
  openSearchWorld,
  type Search,
  type SearchWorld,
  searchOf,
  suggestionsFor,
} from "./search/search.ts";
import type { Synonym } from "./search/synonyms.ts";
import { agentOf, carriersOf, pageShown, robotsOf, shopOf } from "./shop-shown.ts";
import type { Store, Tables } from "./store.ts";
import { type CounterName, tables } from "./tables.ts";

/**
 * Answers from one generation. Every `snapshot` sees the newest commit, and only that one.
 * @param synonyms what queries say in other words
 */
export const openReader = (store: Store, synonyms: readonly Synonym[] = []): Reader => {
  const changes = followChanges(store);
  const now: Now = { asked: nothingAsked(), head: undefined, search: undefined };
  const currentShop = whileRestStays(changes, () => shopOf(store));
  const currentRobots = whileRestStays(changes, () => robotsOf(store));
  // One for all snapshots: to make its many small functions anew costs more than most questions.
  const moment = momentOf(store, openSearchWorld(synonyms), now, {
    shop: () => currentShop(now.head),
    robots: () => currentRobots(now.head),
  });
  let isHeld = false;
  let held: number | undefined;
  /** All look-ups until the next call share the read transaction that the first of them opens. */
  const newest = (): number | undefined => {
    if (isHeld) return held;
    store.refresh();
    return changes.head();
  };
  return {
    hold() {
      held = newest();
      isHeld = true;
      return () => {
        isHeld = false;
      };
    },
    snapshot(read) {
      const head = newest();
      const asked = nothingAsked();
      const outer = { ...now };
      Object.assign(now, { asked, head, search: undefined });
      try {
        const footprint =
          head === undefined ? undefined : footprintOf(newest, changes, asked, head);
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

const momentOf = (
  stored: Tables,
  world: SearchWorld,
  now: Now,
  { shop, robots }: Pick<Snapshot, "shop" | "robots">,
): Snapshot => {
  const checkpoint = () => {
    now.asked.everything = true;
    return stored.get(tables.meta, "checkpoint");
  };
  const pricesVisible = () => shop()?.pricesVisible ?? true;
  const counts = countsOf(stored, now);
  /** What is searched, sorted or counted depends on every product: one that is not shown may be the next time. */
  const askAny = () => {
    now.asked.list = now.asked.any = true;
  };
  const search: Search = (asked, pinned) => {
    askAny();
    now.search ??= searchOf(stored, world);
    return now.search(asked, pinned);
  };
  const withCount = (category: CategoryDocument) => ({
    ...category,
    productCount: stored.get(tables.categoryCounts, category.id) ?? 0,
  });
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
      const find = (id: number) => stored.get(tables.products, id) as ProductDocument;
      if (pricesVisible()) return page(query, find);
      return page(withoutPrices(query), (id) => ({ ...find(id), price: null }));
    },
    texts() {
      if (!pricesVisible()) return undefined;
      return {
        product(id) {
          now.asked.products.push(id);
          return text(id);
        },
        products: (query) =>
          isPlain(query) ? plainPage(query) : page(query, (id) => text(id) as ProductText),
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
      askAny();
      return pricesVisible()
        ? facetsIn(stored, query, search, true)
        : facetsIn(stored, withoutPrices(query), search, false);
    },
    suggestions(query) {
      askAny();
      return suggestionsFor(stored, world, query);
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
    page: (id) => pageShown(stored, id),
    carriers: () => carriersOf(stored),
    robots,
    agent: (label) => agentOf(stored, label),
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

/** Prices that are hidden must not be told by what they filter or how they sort either. */
const withoutPrices = <Q extends ProductFilters & { readonly sort?: Sort | "relevance" }>({
  priceMin: _,
  priceMax: __,
  sort,
  ...rest
}: Q) => ({ ...rest, ...(sort === "name" && { sort }) });

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
