import { lowestBit } from "../bits.ts";
import { allocateIds, type DocIds, emptyIds, forEachCommon } from "./doc-ids.ts";
import type { Combine } from "./payload.ts";

/** A decoded posting list: ascending ids, each with its payload. */
export interface Postings {
  readonly ids: DocIds;
  readonly payloads: Uint32Array;
}

export const emptyPostings: Postings = { ids: emptyIds, payloads: new Uint32Array(0) };

export const allocatePostings = (count: number, maxId: number): Postings => ({
  ids: allocateIds(count, maxId),
  payloads: new Uint32Array(count),
});

/** Looks up the payload of each id; 0 for an id that is not in the list. */
export const findPayloads = ({ ids, payloads }: Postings, queryIds: DocIds): Uint32Array => {
  const matched = new Uint32Array(queryIds.length);
  forEachCommon(queryIds, ids, (at, index) => {
    matched[at] = payloads[index] as number;
  });
  return matched;
};

/** Unites lists; `combine` selects the payload of a product that is in two of them. */
export const unionPostings = (lists: readonly Postings[], combine: Combine): Postings => {
  const last = lists.reduce((max, { ids }) => Math.max(max, ids[ids.length - 1] ?? 0), 0);
  const total = lists.reduce((sum, { ids }) => sum + ids.length, 0);
  if (lists.length > 2 && last < Math.min(maxScatterId, total * 64)) {
    return scatter(lists, last, total, combine);
  }
  // Unites lists of similar size, so that a long list is copied as seldom as can be.
  let round = [...lists].sort((a, b) => a.ids.length - b.ids.length);
  while (round.length > 1) {
    const next: Postings[] = [];
    for (let at = 0; at < round.length; at += 2) {
      const [one = emptyPostings, other] = round.slice(at, at + 2);
      next.push(other ? unionTwo(one, other, combine) : one);
    }
    round = next.sort((a, b) => a.ids.length - b.ids.length);
  }
  return round[0] ?? emptyPostings;
};

/** Up to this id, lists are united in an array by id. It takes four bytes for each id and is kept. */
const maxScatterId = 2 ** 22;
/** Work buffers: payloads by id, and a bit for each id with one. Invariant: all zeros between two uses. */
let scatterBuffers = { payloads: new Uint32Array(0), bits: new Uint32Array(0) };

const scatter = (
  lists: readonly Postings[],
  last: number,
  total: number,
  combine: Combine,
): Postings => {
  if (scatterBuffers.payloads.length <= last) {
    scatterBuffers = {
      payloads: new Uint32Array(last + 1),
      bits: new Uint32Array((last >>> 5) + 1),
    };
  }
  const { payloads: payloadById, bits } = scatterBuffers;
  for (const { ids, payloads } of lists) {
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] as number;
      const payload = payloads[at] as number;
      const previous = payloadById[id] as number;
      payloadById[id] = previous === 0 ? payload : combine(previous, payload);
      bits[id >>> 5] = (bits[id >>> 5] as number) | (1 << (id & 31));
    }
  }
  const { ids, payloads } = allocatePostings(total, last);
  let count = 0;
  for (let word = 0; word <= last >>> 5; word += 1) {
    for (let remaining = bits[word] as number; remaining !== 0; remaining &= remaining - 1) {
      const id = word * 32 + lowestBit(remaining);
      ids[count] = id;
      payloads[count++] = payloadById[id] as number;
      payloadById[id] = 0;
    }
    bits[word] = 0;
  }
  return { ids: ids.subarray(0, count), payloads: payloads.subarray(0, count) };
};

const unionTwo = (one: Postings, other: Postings, combine: Combine): Postings => {
  const [a, b] = [one.ids, other.ids];
  const maxId = Math.max(a[a.length - 1] ?? 0, b[b.length - 1] ?? 0);
  const { ids, payloads } = allocatePostings(a.length + b.length, maxId);
  let [i, j, at] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const [idA, idB] = [a[i] as number, b[j] as number];
    ids[at] = idA < idB ? idA : idB;
    if (idA < idB) payloads[at] = one.payloads[i++] as number;
    else if (idB < idA) payloads[at] = other.payloads[j++] as number;
    else payloads[at] = combine(one.payloads[i++] as number, other.payloads[j++] as number);
    at += 1;
  }
  const [rest, from] = i < a.length ? [one, i] : [other, j];
  ids.set(rest.ids.subarray(from), at);
  payloads.set(rest.payloads.subarray(from), at);
  at += rest.ids.length - from;
  return { ids: ids.subarray(0, at), payloads: payloads.subarray(0, at) };
};
