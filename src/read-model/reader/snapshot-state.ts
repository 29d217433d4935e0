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

interface CompleteLists {
  categories: ReturnType<Snapshot["categories"]>;
  policies: ReturnType<Snapshot["policies"]>;
}
