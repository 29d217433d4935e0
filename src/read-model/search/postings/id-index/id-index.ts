import type { DocIds } from "../doc-ids.ts";

/** Buffers for the indexes of ids that two lists share. Only their first entries are filled. */
export interface IntersectionBuffers {
  readonly queryIndexes: Uint32Array;
  readonly listIndexes: Uint32Array;
}

/** A compact set of ids that maps ids to indexes. */
export interface IdIndex {
  readonly bytes: number;
  unpack(ids: DocIds): void;
  /**
   * Finds ids, and writes their indexes among the requested ids and in the list.
   * @returns how many were found
   */
  find(queryIds: DocIds, buffers: IntersectionBuffers): number;
}
