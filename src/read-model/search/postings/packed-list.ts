import { allocateIds, type DocIds } from "./doc-ids.ts";
import { createIdIndex } from "./id-index/create-id-index.ts";
import type { IntersectionBuffers } from "./id-index/id-index.ts";
import { type Intersection, toIntersection } from "./intersection.ts";
import { createPayloadDictionary } from "./payload-dictionary.ts";
import { findPayloads, type Postings } from "./postings.ts";

/**
 * A compressed posting list: one to three bytes for each product in place of eight, so that a process can cache all
 * frequent lists.
 */
export interface PackedList {
  readonly bytes: number;
  all(): Postings;
  at(queryIds: DocIds): Uint32Array;
  intersect(queryIds: DocIds): Intersection;
}

/**
 * Work buffers, shared by all lookups: most requested ids are not found, and new buffers for each lookup would soon
 * exceed the lists.
 */
let sharedBuffers: IntersectionBuffers = {
  queryIndexes: new Uint32Array(0),
  listIndexes: new Uint32Array(0),
};

/** Larger buffers are released after use: they would take megabytes, for the few terms that most products have. */
const maxSharedLength = 2 ** 18;

const getBuffers = (count: number): IntersectionBuffers => {
  if (sharedBuffers.queryIndexes.length >= count) return sharedBuffers;
  const larger: IntersectionBuffers = {
    queryIndexes: new Uint32Array(count),
    listIndexes: new Uint32Array(count),
  };
  if (count <= maxSharedLength) sharedBuffers = larger;
  return larger;
};

export const packList = ({ ids, payloads }: Postings): PackedList => {
  const last = ids[ids.length - 1] ?? 0;
  const idIndex = createIdIndex(ids, last);
  const dictionary = createPayloadDictionary(payloads);
  const all = (): Postings => {
    // Uses `last`, not `ids`, because the packed list must not retain the unpacked array.
    const unpacked = allocateIds(dictionary.count, last);
    idIndex.unpack(unpacked);
    return { ids: unpacked, payloads: dictionary.unpack() };
  };
  const match = (queryIds: DocIds): Intersection => {
    const buffers = getBuffers(Math.min(queryIds.length, dictionary.count));
    const count = idIndex.find(queryIds, buffers);
    return {
      indexes: buffers.queryIndexes.slice(0, count),
      payloads: dictionary.read(buffers.listIndexes.subarray(0, count)),
    };
  };
  return {
    bytes: idIndex.bytes + dictionary.bytes,
    all,
    at(queryIds) {
      if (queryIds.length > dictionary.count * unpackFactor) return findPayloads(all(), queryIds);
      const { indexes, payloads } = match(queryIds);
      const result = new Uint32Array(queryIds.length);
      for (let index = 0; index < indexes.length; index += 1) {
        result[indexes[index] as number] = payloads[index] as number;
      }
      return result;
    },
    intersect(queryIds) {
      if (queryIds.length > dictionary.count * unpackFactor)
        return toIntersection(findPayloads(all(), queryIds));
      return match(queryIds);
    },
  };
};

const unpackFactor = 4;
