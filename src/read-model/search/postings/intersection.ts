import { allocateIds, type DocIds } from "./doc-ids.ts";

/** The requested ids that are in a list. */
export interface Intersection {
  readonly indexes: Uint32Array;
  readonly payloads: Uint32Array;
}

/**
 * Converts the payloads of requested ids to an intersection.
 * @param payloads 0 for an id that does not match
 */
export const toIntersection = (payloads: Uint32Array): Intersection => {
  const indexes = indexesWhere(payloads.length, (at) => payloads[at] !== 0);
  return { indexes, payloads: pickPayloads(payloads, indexes) };
};

/** Finds the indexes below `length` that match. */
export const indexesWhere = (length: number, matches: (at: number) => boolean): Uint32Array => {
  const indexes = new Uint32Array(length);
  let count = 0;
  for (let at = 0; at < length; at += 1) if (matches(at)) indexes[count++] = at;
  return indexes.subarray(0, count);
};

export const pickPayloads = (payloads: Uint32Array, indexes: Uint32Array): Uint32Array => {
  const picked = new Uint32Array(indexes.length);
  for (let at = 0; at < indexes.length; at += 1) {
    picked[at] = payloads[indexes[at] as number] as number;
  }
  return picked;
};

export const pickIds = (ids: DocIds, indexes: Uint32Array): DocIds => {
  const picked = allocateIds(indexes.length, ids[ids.length - 1] ?? 0);
  for (let at = 0; at < indexes.length; at += 1) picked[at] = ids[indexes[at] as number] as number;
  return picked;
};
