import { VitrineError } from "../../errors.ts";
import { noOperatorState, type OperatorReader } from "../operator/state.ts";
import { openSearchWorld } from "../search/searcher.ts";
import type { Synonym } from "../search/text/synonyms.ts";
import type { Store } from "../store/store.ts";
import { allCounted, treeOf } from "./category-tree.ts";
import { followChanges, nothingAsked } from "./change-log.ts";
import { footprintOf, whileListStays, whileRestStays } from "./read-set.ts";
import type { Reader } from "./reader.ts";
import { robotsOf, shopOf } from "./shop-documents.ts";
import { pageChanges } from "./sitemap-entries.ts";
import { momentOf } from "./snapshot.ts";
import type { Now } from "./snapshot-products.ts";

/**
 * Opens the reader of a generation. Every `snapshot` sees the latest commit, and only that one.
 * @param synonyms synonyms that search adds to queries
 * @param operator source of revocations in addition to those in the generation
 */
export const openReader = (
  store: Store,
  synonyms: readonly Synonym[] = [],
  operator: Pick<OperatorReader, "revocation"> = noOperatorState,
): Reader => {
  const changes = followChanges(store);
  const state: Now = { asked: nothingAsked(), head: undefined, searches: undefined, lists: {} };
  const currentShop = whileRestStays(changes, () => shopOf(store));
  const currentRobots = whileRestStays(changes, () => robotsOf(store));
  const currentTree = whileRestStays(changes, () => treeOf(store));
  const currentCategories = whileListStays(changes, () =>
    allCounted(store, currentTree(state.head)),
  );
  // All calls share one snapshot object, because creating its many closures costs more than most reads.
  const snapshot = momentOf(store, openSearchWorld(synonyms), state, {
    generation: store.directory,
    operator,
    shop: () => currentShop(state.head),
    robots: () => currentRobots(state.head),
    tree: () => currentTree(state.head),
    categories: () => currentCategories(state.head),
  });
  let isPinned = false;
  let pinnedHead: number | undefined;
  /** Moves to the latest commit, unless one is pinned. All reads until the next call share one read transaction. */
  const refreshHead = (): number | undefined => {
    if (isPinned) return pinnedHead;
    store.refresh();
    return changes.head();
  };
  return {
    hold() {
      pinnedHead = refreshHead();
      isPinned = true;
      return () => {
        isPinned = false;
      };
    },
    async walk(read) {
      // Uses the pinned commit, because other reads of this turn of the event loop must not see another one.
      const pin = store.pin(isPinned ? "read" : "newest");
      try {
        return await read(({ after, limit }) => {
          if (!pin.isHeld()) throw new VitrineError("no_model", `${store.directory} was closed`);
          return pageChanges(pin, after, limit);
        });
      } finally {
        pin.release();
      }
    },
    snapshot(read) {
      const head = refreshHead();
      const readSet = nothingAsked();
      const outer = { ...state };
      const inner: Now = { asked: readSet, head, searches: undefined, lists: {} };
      Object.assign(state, inner);
      try {
        const readSetCheck =
          head === undefined ? undefined : footprintOf(refreshHead, changes, readSet, head);
        return read(snapshot, readSetCheck);
      } finally {
        Object.assign(state, outer);
      }
    },
  };
};
