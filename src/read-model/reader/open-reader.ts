import { VitrineError } from "../../errors.ts";
import { memoizeLast } from "../../platform/memo.ts";
import { emptyOperatorState, type OperatorReader } from "../operator/state.ts";
import type { PageAddress } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import { createSearchCaches } from "../search/search-caches.ts";
import type { Synonym } from "../search/text/synonyms.ts";
import { type ReadTables, readCheckpoint, type Store } from "../store/store.ts";
import { readCategoryTree, readCountedCategories } from "./category-tree.ts";
import {
  createReadSetCheck,
  emptyReadSet,
  memoUntilListChange,
  memoUntilShopChange,
  openChangeTracker,
} from "./change-log.ts";
import { toPosition } from "./feed/position.ts";
import { priceChangeAt, toView, type View } from "./offer.ts";
import { scanProducts, toProduct, urlOf } from "./product.ts";
import type { Reader, SitemapEntry } from "./reader.ts";
import { readRobots, readShop } from "./shop-documents.ts";
import { createSnapshot } from "./snapshot.ts";
import { laterOf, type SnapshotState } from "./snapshot-products.ts";

/**
 * Opens the reader of a generation. Every `snapshot` sees the latest commit, and only that one.
 * @param synonyms synonyms that search adds to queries
 * @param operator source of revocations in addition to those in the generation
 * @param now returns the time in milliseconds since 1970: sales begin and end without an event
 */
export const openReader = (
  store: Store,
  synonyms: readonly Synonym[] = [],
  operator: Pick<OperatorReader, "revocation"> = emptyOperatorState,
  now: () => number = Date.now,
): Reader => {
  const changes = openChangeTracker(store);
  const state: SnapshotState = {
    readSet: emptyReadSet(),
    head: 0,
    instant: 0,
    searches: undefined,
    lists: {},
  };
  const currentShop = memoUntilShopChange(changes, () => readShop(store));
  const currentRobots = memoUntilShopChange(changes, () => readRobots(store));
  const currentTree = memoUntilShopChange(changes, () => readCategoryTree(store));
  const currentCategories = memoUntilListChange(changes, () =>
    readCountedCategories(store, currentTree(state.head)),
  );
  // All calls share one snapshot object, because creating its many closures costs more than most reads.
  const snapshot = createSnapshot(store, createSearchCaches(synonyms), state, {
    operator,
    shop: () => currentShop(state.head),
    robots: () => currentRobots(state.head),
    tree: () => currentTree(state.head),
    categories: () => currentCategories(state.head),
  });
  // A commit is decoded once, not for each request.
  const positionAt = memoizeLast((_head: number) => {
    const checkpoint = readCheckpoint(store);
    return checkpoint && toPosition(checkpoint);
  });
  let isPinned = false;
  let pinnedHead = 0;
  /** Moves to the latest commit, unless one is pinned. All reads until the next call share one read transaction. */
  const refreshHead = (): number => {
    if (isPinned) return pinnedHead;
    store.refresh();
    return changes.head();
  };
  const sources = { refreshHead, positionAt, now };
  return {
    position: () => positionAt(refreshHead()),
    pinCommit() {
      pinnedHead = refreshHead();
      isPinned = true;
      return () => {
        isPinned = false;
      };
    },
    async scanPages(read) {
      // Uses the pinned commit, because other reads of this turn of the event loop must not see another one.
      const pin = store.pin(isPinned ? "read" : "newest");
      const view = toView(now(), readShop(pin));
      try {
        return await read(({ after, limit }) => {
          if (!pin.isOpen()) throw new VitrineError("no_model", `${store.directory} was closed`);
          return readSitemapEntries(pin, view, after, limit);
        });
      } finally {
        pin.release();
      }
    },
    snapshot(read) {
      const head = refreshHead();
      const readSet = emptyReadSet();
      const outer = { ...state };
      const instant = now();
      const inner: SnapshotState = { readSet, head, instant, searches: undefined, lists: {} };
      Object.assign(state, inner);
      try {
        return read(snapshot, createReadSetCheck(changes, readSet, head, sources));
      } finally {
        Object.assign(state, outer);
      }
    },
  };
};

/** Reads visible pages sorted by kind and id, at most `limit` after `after`. Products come last: `product` is the last kind. */
export const readSitemapEntries = (
  stored: ReadTables,
  view: View,
  after: PageAddress | undefined,
  limit: number,
): readonly SitemapEntry[] => {
  const isPastOthers = after?.kind === "product";
  const next = after && ([after.kind, after.id + 1] as const);
  const range = { ...(next && { start: next }), limit };
  const others = isPastOthers ? [] : [...stored.entries(tables.lastChanges, range)];
  const entries = others.map(
    ([[kind, id], { url, lastmod, changesAt = [] }]): SitemapEntry => ({
      kind,
      id,
      url,
      lastmod: laterOf(lastmod, priceChangeAt(changesAt, view).last),
    }),
  );
  const remaining = limit - entries.length;
  if (remaining === 0) return entries;
  const start = isPastOthers ? after.id + 1 : 0;
  for (const row of scanProducts(stored, start, remaining)) {
    const { id, json, lastmod } = toProduct(stored, row, view);
    entries.push({ kind: "product", id, url: urlOf({ json }), lastmod });
  }
  return entries;
};
