import { eachShared, type Ids, idsOf, noIds } from "./ids.ts";
import type { List } from "./lists.ts";
import { impactOf, type Payload } from "./posting.ts";
import { keepMarked, noPostings, type Postings, payloadsAt, unite } from "./postings.ts";

/** Where products that match one part of a query come from. */
export interface Source {
  /** Products at most. */
  readonly count: number;
  all(): Postings;
  /** The payload of each of these ids; 0 for one that does not match. */
  at(ids: Ids): Uint16Array;
}

export const noSource: Source = {
  count: 0,
  all: () => noPostings,
  at: (ids) => new Uint16Array(ids.length),
};

export const listSource = (list: List): Source => list;

/** These very ids, ascending. */
export const idSource = (ascending: readonly number[]): Source => {
  const ids = idsOf(ascending);
  const postings = { ids, payloads: new Uint16Array(ids.length).fill(1) };
  return { count: ids.length, all: () => postings, at: (asked) => payloadsAt(postings, asked) };
};

/** Whatever is in any of the lists, counting for so many sixteenths of what it would. */
export const weakened = (lists: readonly List[], sixteenths: number): Source => {
  const count = lists.reduce((sum, list) => sum + list.count, 0);
  let whole: Postings | undefined;
  const all = (): Postings => {
    if (!whole) {
      const { ids, payloads } = unite(
        lists.map((list) => list.all()),
        larger,
      );
      whole = { ids, payloads: payloads.map((payload) => weaker(payload, sixteenths)) };
    }
    return whole;
  };
  return {
    count,
    all,
    at(ids) {
      if (whole) return payloadsAt(whole, ids);
      const found = new Uint16Array(ids.length);
      for (const list of lists) raise(found, list, ids);
      return found.map((payload) => weaker(payload, sixteenths));
    },
  };
};

/** A list that is so much longer than what is asked for is looked into, and not read. */
const muchLonger = 16;

const raise = (found: Uint16Array, list: List, ids: Ids): void => {
  if (list.count > ids.length * muchLonger) {
    const payloads = list.at(ids);
    for (let at = 0; at < found.length; at += 1) {
      found[at] = larger(found[at] as number, payloads[at] as number);
    }
    return;
  }
  const postings = list.all();
  eachShared(ids, postings.ids, (at, place) => {
    found[at] = larger(found[at] as number, postings.payloads[place] as number);
  });
};

const weaker = (payload: Payload, sixteenths: number): Payload => {
  const impact = impactOf(payload);
  return impact === 0 ? 0 : payload - impact + ((impact * sixteenths) >> 4 || 1);
};

/** Counts the same for every product. */
export const uniform = (source: Source, impact: number): Source => {
  const level = (payloads: Uint16Array): Uint16Array =>
    payloads.map((payload) => (payload === 0 ? 0 : impact));
  return {
    count: source.count,
    all() {
      const { ids, payloads } = source.all();
      return { ids, payloads: level(payloads) };
    },
    at: (ids) => level(source.at(ids)),
  };
};

const larger = (one: Payload, other: Payload): Payload =>
  impactOf(one) >= impactOf(other) ? one : other;

/** Whatever matches any of them, counted by where it matches best. */
export const anyOf = (
  sources: readonly Source[],
  combine: (one: Payload, other: Payload) => Payload = larger,
): Source => {
  if (sources.length === 0) return noSource;
  if (sources.length === 1) return sources[0] as Source;
  const count = sources.reduce((sum, source) => sum + source.count, 0);
  let whole: Postings | undefined;
  const all = (): Postings => {
    whole ??= unite(
      sources.map((source) => source.all()),
      combine,
    );
    return whole;
  };
  return {
    count,
    all,
    at(ids) {
      if (whole || count < ids.length * sources.length) return payloadsAt(all(), ids);
      return sources
        .map((source) => source.at(ids))
        .reduce((one, other) => {
          return one.map((payload, at) => {
            const more = other[at] as number;
            return payload === 0 ? more : more === 0 ? payload : combine(payload, more);
          });
        });
    },
  };
};

/** What matches all of them, counted by the first: words that only mean something together. */
export const allOf = (sources: readonly Source[]): Source => {
  if (sources.length === 1) return sources[0] as Source;
  let whole: Postings | undefined;
  const all = (): Postings => {
    if (!whole) {
      const { ids, payloads } = conjunction(sources);
      whole = { ids, payloads: payloads[0] ?? new Uint16Array(0) };
    }
    return whole;
  };
  const count = Math.min(...sources.map((source) => source.count));
  return { count, all, at: (ids) => payloadsAt(all(), ids) };
};

/** Products that every source has, and their payload in each, in the order of the sources. */
export interface Conjunction {
  readonly ids: Ids;
  readonly payloads: readonly Uint16Array[];
}

/** The rarest first: each further source is only asked about what is left. */
export const conjunction = (sources: readonly Source[]): Conjunction => {
  const order = sources.map((_, at) => at);
  order.sort((a, b) => (sources[a] as Source).count - (sources[b] as Source).count);
  const payloads: Uint16Array[] = sources.map(() => noPostings.payloads);
  const [rarest, ...others] = order;
  if (rarest === undefined) return { ids: noIds, payloads };
  const begin = (sources[rarest] as Source).all();
  let ids = begin.ids;
  payloads[rarest] = begin.payloads;
  const done = [rarest];
  for (const at of others) {
    if (ids.length === 0) break;
    const found = (sources[at] as Source).at(ids);
    const marks = new Uint8Array(ids.length);
    let count = 0;
    for (let index = 0; index < found.length; index += 1) {
      if (found[index] === 0) continue;
      marks[index] = 1;
      count += 1;
    }
    payloads[at] = found;
    done.push(at);
    if (count === ids.length) continue;
    ids = keepMarked(ids, marks, count);
    for (const one of done) payloads[one] = keepMarked(payloads[one] as Uint16Array, marks, count);
  }
  return { ids, payloads };
};
