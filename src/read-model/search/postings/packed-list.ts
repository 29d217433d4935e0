import { allocateIds, type DocIds, partitionPoint } from "./doc-ids.ts";
import { createIdIndex } from "./id-index/create-id-index.ts";
import type { IntersectionBuffers } from "./id-index/id-index.ts";
import { type Intersection, toIntersection } from "./intersection.ts";
import type { Payload } from "./payload.ts";
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
  payloadHistogram(): readonly (readonly [payload: Payload, products: number])[];
  /** Visits the products with one of these payloads. */
  forEachWith(payloads: ReadonlySet<Payload>, visit: (id: number, payload: Payload) => void): void;
  /** Finds the ids with one of these payloads lazily, ascending and from an id on. */
  idsWith(payloads: ReadonlySet<Payload>, from: number): Iterable<number>;
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
    payloadHistogram: dictionary.payloadHistogram,
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
    forEachWith(wanted, visit) {
      const next = dictionary.next(wanted);
      for (let position = next(0); position < dictionary.count; position = next(position + 1)) {
        visit(idIndex.idAt(position), dictionary.at(position));
      }
    },
    *idsWith(wanted, from) {
      const next = dictionary.next(wanted);
      const isBefore = (index: number): boolean => idIndex.idAt(index) < from;
      const first = from === 0 ? 0 : partitionPoint(0, dictionary.count, isBefore);
      for (let position = next(first); position < dictionary.count; position = next(position + 1)) {
        yield idIndex.idAt(position);
      }
    },
  };
};

const unpackFactor = 4;
