import type { OperatorReader } from "../operator/state.ts";
import { type CounterName, tables } from "../schema/tables.ts";
import type { SearchWorld } from "../search/searcher.ts";
import type { Tables } from "../store/store.ts";
import { type CategoryTree, countedOf } from "./category-tree.ts";
import { categoryPageOf } from "./cursor-page.ts";
import { addressKey } from "./page-path.ts";
import type { Counts, Snapshot } from "./reader.ts";
import { agentOf, carriersOf, pageShown, partChangedAt } from "./shop-documents.ts";
import { type Now, productsOf } from "./snapshot-products.ts";

/** What a reader keeps from one moment to the next while it stays. */
interface Kept extends Pick<Snapshot, "shop" | "robots" | "categories"> {
  /** Its directory. */
  readonly generation: string;
  readonly operator: Pick<OperatorReader, "revocation">;
  tree(): CategoryTree;
}

/**
 * All that can be asked of a generation at the moment `now` tells of. Each question marks there what it asks, so that an
 * answer is kept no longer than that stays.
 */
export const momentOf = (
  stored: Tables,
  world: SearchWorld,
  now: Now,
  { generation, operator, shop, robots, tree, categories }: Kept,
): Snapshot => {
  const checkpoint = () => {
    now.asked.everything = true;
    return stored.get(tables.meta, "checkpoint");
  };
  const pricesVisible = () => shop()?.pricesVisible ?? true;
  const counts = countsOf(stored, now);
  return {
    pagesVersion() {
      now.asked.everything = true;
      const pages = stored.get(tables.counters, "pages");
      if (pages !== undefined) return `${pages}`;
      // A generation of earlier versions does not know, nor does one without pages.
      const { sequence = 0, retries = 0 } = checkpoint() ?? {};
      return `${generation} ${sequence}.${retries}`;
    },
    lastEventTime() {
      const time = checkpoint()?.lastEventTime;
      return time ? new Date(time).toISOString() : undefined;
    },
    changedAt(...parts) {
      now.asked.list = true;
      const time = Math.max(...parts.map((part) => partChangedAt(stored, part)));
      return time > 0 ? new Date(time).toISOString() : undefined;
    },
    shop,
    counts: () => counts,
    ...productsOf(stored, world, now, counts, pricesVisible),
    categories() {
      now.asked.list = true;
      now.lists.categories ??= categories();
      return now.lists.categories;
    },
    nearestCategories(limit) {
      now.asked.list = true;
      const { all } = tree();
      const nearest = all.slice(0, limit).map((category) => countedOf(stored, category));
      return { categories: nearest, total: all.length };
    },
    subcategories(id) {
      now.asked.list = true;
      return (tree().children.get(id) ?? []).map((category) => countedOf(stored, category));
    },
    category(id) {
      now.asked.list = true;
      const category = stored.get(tables.categories, id);
      return category && countedOf(stored, category);
    },
    categoryDetail(id) {
      const content =
        stored.has(tables.categories, id) && stored.get(tables.categoryStates, id)?.content;
      return content ? { markdown: content.markdown } : undefined;
    },
    categoryProducts(id, query) {
      now.asked.list = true;
      const found = categoryPageOf(stored, id, query);
      for (const product of found?.products ?? []) now.asked.products.push(product.id);
      if (!found || pricesVisible()) return found;
      return { ...found, products: found.products.map((product) => ({ ...product, price: null })) };
    },
    policies() {
      now.lists.policies ??= [...stored.entries(tables.policies)].map(([, policy]) => policy);
      return now.lists.policies;
    },
    page: (id) => pageShown(stored, id),
    carriers: () => carriersOf(stored),
    robots,
    agent: (label) => agentOf(stored, operator, label),
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
  };
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
