import type { CategoryDocument } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { Searcher } from "../search/searcher.ts";
import type { ReadTables } from "../store/store.ts";
import type { ReadSet } from "./change-log.ts";
import { priceChangeAt, type View } from "./offer.ts";
import type { Snapshot } from "./reader.ts";

export interface SnapshotState {
  readSet: ReadSet;
  head: number;
  /** Time of the snapshot, milliseconds since 1970. */
  instant: number;
  searches: Searcher | undefined;
  /** Complete lists read in this snapshot, because one GraphQL document may request a list under several aliases. */
  lists: Partial<CompleteLists>;
}

/** Limits how long the reads of a snapshot hold: something changes at an instant without an event. */
export const expireAt = ({ readSet }: SnapshotState, instant: number): void => {
  readSet.validUntil = Math.min(readSet.validUntil, instant);
};

interface CompleteLists {
  categories: ReturnType<Snapshot["categories"]>;
  policies: ReturnType<Snapshot["policies"]>;
}

/** Finds the next change of any offer after an instant; infinite when there is none. */
export const readNextOfferChange = (stored: ReadTables, instant: number): number => {
  for (const [at] of stored.keys(tables.offerChanges, { start: [instant + 1], limit: 1 }))
    return at;
  return Number.POSITIVE_INFINITY;
};

/** Limits the reads of a snapshot to the time before the next change of any offer. */
export const expireAtNextOfferChange = (stored: ReadTables, state: SnapshotState): void =>
  expireAt(state, readNextOfferChange(stored, state.instant));

/** Returns the last change of any offer that has passed; 0 when none has. */
export const readLastOfferChange = (stored: ReadTables, instant: number): number => {
  const range = { start: [instant + 1], reverse: true, limit: 1 } as const;
  for (const [at] of stored.keys(tables.offerChanges, range)) return at;
  return 0;
};

/** Dates the page of a category at an instant, by the prices of the products on it. */
export const showCategory = (
  { changesAt = [], ...category }: CategoryDocument,
  view: View,
): { readonly category: CategoryDocument; readonly nextChange: number } => {
  const { last, next } = priceChangeAt(changesAt, view);
  return { category: { ...category, lastmod: laterOf(category.lastmod, last) }, nextChange: next };
};

/** @param at milliseconds since 1970 */
export const laterOf = (time: string, at: number): string =>
  at > Date.parse(time) ? new Date(at).toISOString() : time;
