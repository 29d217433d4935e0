import type { OperatorReader } from "../operator/state.ts";
import { pathKey } from "../schema/keys.ts";
import { type CounterName, tables } from "../schema/tables.ts";
import { findPages } from "../search/find-pages.ts";
import type { SearchCaches } from "../search/search-caches.ts";
import { type ReadTables, readCheckpoint } from "../store/store.ts";
import { type CategoryTree, withProductCount } from "./category-tree.ts";
import { findChangedLines } from "./feed/changed-lines.ts";
import { readRemovalReason } from "./feed/removal.ts";
import { toView, type View } from "./offer.ts";
import type { ShopCounts, Snapshot } from "./reader.ts";
import {
  readAgent,
  readCarriers,
  readPage,
  readPartChangedAt,
  toCarrier,
} from "./shop-documents.ts";
import {
  createProductQueries,
  expireAt,
  expireAtNextOfferChange,
  readLastOfferChange,
  readNextOfferChange,
  type SnapshotState,
  showCategory,
} from "./snapshot-products.ts";

/** Values that a reader memoises across snapshots until a commit changes them. */
interface SnapshotCaches extends Pick<Snapshot, "shop" | "robots" | "categories"> {
  readonly operator: Pick<OperatorReader, "revocation">;
  tree(): CategoryTree;
}

/**
 * Creates the snapshot of a generation. Each read adds to the read set in `state` what its result depends on, so that a
 * cached reply is dropped when a commit changes it.
 */
export const createSnapshot = (
  stored: ReadTables,
  searchCaches: SearchCaches,
  state: SnapshotState,
  { operator, shop, robots, tree, categories }: SnapshotCaches,
): Snapshot => {
  const view = (): View => toView(state.instant, shop());
  const counts = createCounts(stored, state);
  return {
    pagesVersion() {
      state.readSet.everything = true;
      const pages = stored.get(tables.counters, "pages") ?? 0;
      const lastChange = readLastOfferChange(stored, state.instant);
      expireAtNextOfferChange(stored, state);
      return lastChange === 0 ? `${pages}` : `${pages}.${lastChange}`;
    },
    nextOfferChange: (instant) => readNextOfferChange(stored, instant),
    lastEventTime() {
      state.readSet.everything = true;
      const time = readCheckpoint(stored)?.lastEventTime;
      return time ? new Date(time).toISOString() : undefined;
    },
    changedAt(...parts) {
      state.readSet.list = true;
      const time = Math.max(...parts.map((part) => readPartChangedAt(stored, part)));
      return time > 0 ? new Date(time).toISOString() : undefined;
    },
    shop,
    counts: () => counts,
    ...createProductQueries(stored, searchCaches, state, counts, view),
    categories() {
      state.readSet.list = true;
      state.lists.categories ??= categories();
      return state.lists.categories;
    },
    topCategories(limit) {
      state.readSet.list = true;
      const { all } = tree();
      const top = all.slice(0, limit).map((category) => withProductCount(stored, category));
      return { categories: top, total: all.length };
    },
    subcategories(id) {
      state.readSet.list = true;
      return (tree().children.get(id) ?? []).map((category) => withProductCount(stored, category));
    },
    listedCategory(id) {
      state.readSet.list = true;
      return tree().byId.get(id);
    },
    category(id) {
      state.readSet.list = true;
      const document = stored.get(tables.categories, id);
      if (!document) return undefined;
      const { category, nextChange } = showCategory(document, view());
      expireAt(state, nextChange);
      return withProductCount(stored, category);
    },
    categoryDetail(id) {
      const content =
        stored.has(tables.categories, id) && stored.get(tables.categoryStates, id)?.content;
      return content
        ? { description: content.description, markdown: content.pageMarkdown }
        : undefined;
    },
    policies() {
      state.lists.policies ??= [...stored.entries(tables.policies)].map(([, policy]) => policy);
      return state.lists.policies;
    },
    page: (id) => readPage(stored, id),
    findPages(query, limit) {
      state.readSet.list = true;
      return findPages(stored, shop()?.language ?? "en", query, limit);
    },
    carrier: (id) => toCarrier(stored.get(tables.carriers, id)),
    carriers: () => readCarriers(stored),
    robots,
    agent: (label) => readAgent(stored, operator, label),
    address(pathAndQuery) {
      state.readSet.list = true;
      const key = pathKey(pathAndQuery);
      const range = { start: [key], end: [key, "\u{10ffff}"], limit: 1 } as const;
      const [found] = stored.keys(tables.addresses, range);
      return found && { kind: found[1], id: found[2] };
    },
    instant: () => state.instant,
    changedLines(query) {
      state.readSet.everything = true;
      const sequence = readCheckpoint(stored)?.sequence ?? 0;
      return findChangedLines(stored, query, { sequence, now: state.instant });
    },
    removalReason: (line) => readRemovalReason(stored, line),
  };
};

/** Reads each counter when its member is accessed, so that the read set contains only the counters used. */
const createCounts = (stored: ReadTables, state: SnapshotState): ShopCounts => {
  const count = (name: CounterName): number => stored.get(tables.counters, name) ?? 0;
  return {
    get products() {
      state.readSet.list = true;
      return count("products");
    },
    get inStock() {
      state.readSet.anyProduct = true;
      return count("inStock");
    },
    get stockedCategories() {
      state.readSet.list = true;
      return count("stockedCategories");
    },
  };
};
