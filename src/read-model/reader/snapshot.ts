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

/** Values that a reader memoises across snapshots until a commit changes them. */
interface SnapshotCaches extends Pick<Snapshot, "shop" | "robots" | "categories"> {
  /** Directory of the generation. */
  readonly generation: string;
  readonly operator: Pick<OperatorReader, "revocation">;
  tree(): CategoryTree;
}

/**
 * Creates the snapshot of a generation. Each read adds to the read set in `state` what its result depends on, so that a
 * cached reply is dropped when a commit changes it.
 */
export const momentOf = (
  stored: Tables,
  searchCaches: SearchWorld,
  state: Now,
  { generation, operator, shop, robots, tree, categories }: SnapshotCaches,
): Snapshot => {
  const checkpoint = () => {
    state.asked.everything = true;
    return stored.get(tables.meta, "checkpoint");
  };
  const pricesVisible = () => shop()?.pricesVisible ?? true;
  const counts = createCounts(stored, state);
  return {
    pagesVersion() {
      state.asked.everything = true;
      const pages = stored.get(tables.counters, "pages");
      if (pages !== undefined) return `${pages}`;
      // Generations of earlier versions and generations without pages lack the counter.
      const { sequence = 0, retries = 0 } = checkpoint() ?? {};
      return `${generation} ${sequence}.${retries}`;
    },
    lastEventTime() {
      const time = checkpoint()?.lastEventTime;
      return time ? new Date(time).toISOString() : undefined;
    },
    changedAt(...parts) {
      state.asked.list = true;
      const time = Math.max(...parts.map((part) => partChangedAt(stored, part)));
      return time > 0 ? new Date(time).toISOString() : undefined;
    },
    shop,
    counts: () => counts,
    ...productsOf(stored, searchCaches, state, counts, pricesVisible),
    categories() {
      state.asked.list = true;
      state.lists.categories ??= categories();
      return state.lists.categories;
    },
    nearestCategories(limit) {
      state.asked.list = true;
      const { all } = tree();
      const top = all.slice(0, limit).map((category) => countedOf(stored, category));
      return { categories: top, total: all.length };
    },
    subcategories(id) {
      state.asked.list = true;
      return (tree().children.get(id) ?? []).map((category) => countedOf(stored, category));
    },
    category(id) {
      state.asked.list = true;
      const category = stored.get(tables.categories, id);
      return category && countedOf(stored, category);
    },
    categoryDetail(id) {
      const content =
        stored.has(tables.categories, id) && stored.get(tables.categoryStates, id)?.content;
      return content ? { markdown: content.markdown } : undefined;
    },
    categoryProducts(id, query) {
      state.asked.list = true;
      const page = categoryPageOf(stored, id, query);
      for (const product of page?.products ?? []) state.asked.products.push(product.id);
      if (!page || pricesVisible()) return page;
      return { ...page, products: page.products.map((product) => ({ ...product, price: null })) };
    },
    policies() {
      state.lists.policies ??= [...stored.entries(tables.policies)].map(([, policy]) => policy);
      return state.lists.policies;
    },
    page: (id) => pageShown(stored, id),
    carriers: () => carriersOf(stored),
    robots,
    agent: (label) => agentOf(stored, operator, label),
    address(pathAndQuery) {
      state.asked.list = true;
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

/** Reads each counter when its member is accessed, so that the read set contains only the counters used. */
const createCounts = (stored: Tables, state: Now): Counts => {
  const count = (name: CounterName): number => stored.get(tables.counters, name) ?? 0;
  return {
    get products() {
      state.asked.list = true;
      return count("products");
    },
    get inStock() {
      state.asked.any = true;
      return count("inStock");
    },
    get stockedCategories() {
      state.asked.list = true;
      return count("stockedCategories");
    },
  };
};
