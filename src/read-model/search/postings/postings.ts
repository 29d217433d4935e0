import { eachShared, type Ids, idsUpTo, noIds } from "./doc-ids.ts";
import type { Payload } from "./posting-codec.ts";

/** A list as it is read: ids ascending, each with its payload. */
export interface Postings {
  readonly ids: Ids;
  readonly payloads: Uint16Array;
}

export const noPostings: Postings = { ids: noIds, payloads: new Uint16Array(0) };

/** Room for so many postings with ids up to a greatest one. */
export const postingsUpTo = (count: number, greatest: number): Postings => ({
  ids: idsUpTo(count, greatest),
  payloads: new Uint16Array(count),
});

/** The payload of each of these ids; 0 for one that is not in the list. */
export const payloadsAt = ({ ids, payloads }: Postings, asked: Ids): Uint16Array => {
  const found = new Uint16Array(asked.length);
  eachShared(asked, ids, (at, place) => {
    found[at] = payloads[place] as number;
  });
  return found;
};

/** Everything that is in any of the lists; `combine` says what counts where two have the same product. */
export const unite = (
  lists: readonly Postings[],
  combine: (one: Payload, other: Payload) => Payload,
): Postings => {
  const last = lists.reduce((most, { ids }) => Math.max(most, ids[ids.length - 1] ?? 0), 0);
  const total = lists.reduce((sum, { ids }) => sum + ids.length, 0);
  if (lists.length > 2 && last < Math.min(mostScattered, total * 64)) {
    return scatter(lists, last, total, combine);
  }
  // Neighbours by size, so that a long list is copied as seldom as can be.
  let round = [...lists].sort((a, b) => a.ids.length - b.ids.length);
  while (round.length > 1) {
    const next: Postings[] = [];
    for (let at = 0; at < round.length; at += 2) {
      const [one, other] = [round[at] as Postings, round[at + 1]];
      next.push(other ? uniteTwo(one, other, combine) : one);
    }
    round = next.sort((a, b) => a.ids.length - b.ids.length);
  }
  return round[0] ?? noPostings;
};

/** Ids up to here are united where each has its place: two bytes of room for each, which stay. */
const mostScattered = 2 ** 22;
/** Payloads by id, and a bit for each that has one; empty but while lists are united. */
let room = { payloads: new Uint16Array(0), bits: new Uint32Array(0) };

const scatter = (
  lists: readonly Postings[],
  last: number,
  total: number,
  combine: (one: Payload, other: Payload) => Payload,
): Postings => {
  if (room.payloads.length <= last) {
    room = { payloads: new Uint16Array(last + 1), bits: new Uint32Array((last >>> 5) + 1) };
  }
  const { payloads: known, bits } = room;
  for (const { ids, payloads } of lists) {
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] as number;
      const payload = payloads[at] as number;
      const former = known[id] as number;
      known[id] = former === 0 ? payload : combine(former, payload);
      bits[id >>> 5] = (bits[id >>> 5] as number) | (1 << (id & 31));
    }
  }
  const { ids, payloads } = postingsUpTo(total, last);
  let count = 0;
  for (let word = 0; word <= last >>> 5; word += 1) {
    for (let left = bits[word] as number; left !== 0; left &= left - 1) {
      const id = word * 32 + 31 - Math.clz32(left & -left);
      ids[count] = id;
      payloads[count++] = known[id] as number;
      known[id] = 0;
    }
    bits[word] = 0;
  }
  return { ids: ids.subarray(0, count), payloads: payloads.subarray(0, count) };
};

const uniteTwo = (
  one: Postings,
  other: Postings,
  combine: (one: Payload, other: Payload) => Payload,
): Postings => {
  const [a, b] = [one.ids, other.ids];
  const greatest = Math.max(a[a.length - 1] ?? 0, b[b.length - 1] ?? 0);
  const { ids, payloads } = postingsUpTo(a.length + b.length, greatest);
  let [i, j, at] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const [left, right] = [a[i] as number, b[j] as number];
    ids[at] = left < right ? left : right;
    if (left < right) payloads[at] = one.payloads[i++] as number;
    else if (right < left) payloads[at] = other.payloads[j++] as number;
    else payloads[at] = combine(one.payloads[i++] as number, other.payloads[j++] as number);
    at += 1;
  }
  const [rest, from] = i < a.length ? [one, i] : [other, j];
  ids.set(rest.ids.subarray(from), at);
  payloads.set(rest.payloads.subarray(from), at);
  at += rest.ids.length - from;
  return { ids: ids.subarray(0, at), payloads: payloads.subarray(0, at) };
};

/** Those whose place is marked. */
export const keepMarked = <A extends Ids | Uint16Array>(
  values: A,
  marks: Uint8Array,
  count: number,
): A => {
  const kept = new (values.constructor as new (count: number) => A)(count);
  let at = 0;
  for (let index = 0; index < marks.length; index += 1) {
    if (marks[index] === 1) kept[at++] = values[index] as number;
  }
  return kept;
};
