import type { Searcher } from "../search/searcher.ts";
import type { ReadSet } from "./change-log.ts";
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
