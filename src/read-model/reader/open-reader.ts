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
 * Answers from one generation. Every `snapshot` sees the newest commit, and only that one.
 * @param synonyms what queries say in other words
 * @param operator which tokens are dead, whatever the generation knows of them
 */
export const openReader = (
  store: Store,
  synonyms: readonly Synonym[] = [],
  operator: Pick<OperatorReader, "revocation"> = noOperatorState,
): Reader => {
  const changes = followChanges(store);
  const now: Now = { asked: nothingAsked(), head: undefined, searches: undefined, lists: {} };
  const currentShop = whileRestStays(changes, () => shopOf(store));
  const currentRobots = whileRestStays(changes, () => robotsOf(store));
  const currentTree = whileRestStays(changes, () => treeOf(store));
  const currentCategories = whileListStays(changes, () => allCounted(store, currentTree(now.head)));
  // One for all snapshots: to make its many small functions anew costs more than most questions.
  const moment = momentOf(store, openSearchWorld(synonyms), now, {
    generation: store.directory,
    operator,
    shop: () => currentShop(now.head),
    robots: () => currentRobots(now.head),
    tree: () => currentTree(now.head),
    categories: () => currentCategories(now.head),
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
    async walk(read) {
      // What is held is read by others of this turn, who must not see another moment in the midst of it.
      const pin = store.pin(isHeld ? "read" : "newest");
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
      const head = newest();
      const asked = nothingAsked();
      const outer = { ...now };
      Object.assign(now, { asked, head, searches: undefined, lists: {} });
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
