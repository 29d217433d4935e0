import type { Payload } from "./posting.ts";

/** A list as it is read: ids ascending, each with its payload. */
export interface Postings {
  readonly ids: Float64Array;
  readonly payloads: Uint16Array;
}

export const noPostings: Postings = { ids: new Float64Array(0), payloads: new Uint16Array(0) };

/** The payload of each of these ascending ids; 0 for one that is not in the list. */
export const payloadsAt = ({ ids, payloads }: Postings, asked: Float64Array): Uint16Array => {
  const found = new Uint16Array(asked.length);
  const leap = ids.length > asked.length * 16;
  let at = 0;
  for (let index = 0; index < asked.length; index += 1) {
    const id = asked[index] as number;
    if (leap) at = leapTo(ids, id, at);
    else while (at < ids.length && (ids[at] as number) < id) at += 1;
    if (at >= ids.length) break;
    if (ids[at] === id) found[index] = payloads[at] as number;
  }
  return found;
};

/** First place from `from` on whose id is not below; found in steps that double, then halve. */
const leapTo = (ids: Float64Array, id: number, from: number): number => {
  let step = 1;
  let low = from;
  let high = from;
  while (high < ids.length && (ids[high] as number) < id) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, ids.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Everything that is in any of the lists; `combine` says what counts where two have the same product. */
export const unite = (
  lists: readonly Postings[],
  combine: (one: Payload, other: Payload) => Payload,
): Postings => {
  // Neighbours by size, so that a long list is copied as seldom as can be.
  let round = [...lists].sort((a, b) => a.ids.length - b.ids.length);
  while (round.length > 1) {
    const next: Postings[] = [];
    for (let at = 0; at < round.length; at += 2) {
      const [one, other] = [round[at] as Postings, round[at + 1]];
      next.push(other ? uniteTwo(one, other, combine) : one);
    }
    round = next;
  }
  return round[0] ?? noPostings;
};

const uniteTwo = (
  one: Postings,
  other: Postings,
  combine: (one: Payload, other: Payload) => Payload,
): Postings => {
  const [a, b] = [one.ids, other.ids];
  const ids = new Float64Array(a.length + b.length);
  const payloads = new Uint16Array(a.length + b.length);
  let [i, j, at] = [0, 0, 0];
  while (i < a.length || j < b.length) {
    const left = i < a.length ? (a[i] as number) : Number.POSITIVE_INFINITY;
    const right = j < b.length ? (b[j] as number) : Number.POSITIVE_INFINITY;
    ids[at] = left < right ? left : right;
    if (left < right) payloads[at] = one.payloads[i++] as number;
    else if (right < left) payloads[at] = other.payloads[j++] as number;
    else payloads[at] = combine(one.payloads[i++] as number, other.payloads[j++] as number);
    at += 1;
  }
  return { ids: ids.subarray(0, at), payloads: payloads.subarray(0, at) };
};

/** Those whose place is marked. */
export const keepMarked = <A extends Float64Array | Uint16Array>(
  values: A,
  marks: Uint8Array,
  count: number,
): A => {
  const kept = (
    values instanceof Float64Array ? new Float64Array(count) : new Uint16Array(count)
  ) as A;
  let at = 0;
  for (let index = 0; index < marks.length; index += 1) {
    if (marks[index] === 1) kept[at++] = values[index] as number;
  }
  return kept;
};
