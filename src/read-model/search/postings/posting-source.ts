import { type Ids, idsOf, idsUpTo, noIds } from "./doc-ids.ts";
import { type Matches, matchesOf, type Packed, payloadsFrom } from "./packed-list.ts";
import { impactOf, type Payload, placeOf } from "./posting-codec.ts";
import type { List } from "./posting-list.ts";
import { noPostings, type Postings, payloadsAt, unite } from "./postings.ts";

/** Where products that match one part of a query come from. */
export interface Source {
  /** Products at most. */
  readonly count: number;
  all(): Postings;
  /** The payload of each of these ids; 0 for one that does not match. */
  at(ids: Ids): Uint16Array;
  /** Which of these ids match: where that can be told without looking at each. */
  match?(ids: Ids): Matches;
  /** All of it, as a long list and what is to be laid over it: where there is such a list. */
  layers?(): Layers;
}

/** Products of a list, some of which count otherwise, and some more. */
export interface Layers {
  readonly base: Packed;
  readonly over: Postings;
}

export const noSource: Source = {
  count: 0,
  all: () => noPostings,
  at: (ids) => new Uint16Array(ids.length),
};

export const listSource = (list: List): Source => ({
  ...list,
  layers: () => ({ base: list.packed(), over: noPostings }),
});

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
      if (whole || count < ids.length * lists.length) return payloadsAt(all(), ids);
      const found = new Uint16Array(ids.length);
      for (const list of lists) raise(found, list, ids);
      return found.map((payload) => weaker(payload, sixteenths));
    },
  };
};

const raise = (found: Uint16Array, list: List, ids: Ids): void => {
  const { places, payloads } = list.match(ids);
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] as number;
    found[place] = larger(found[place] as number, payloads[at] as number);
  }
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

/** The greater impact; of equal ones the greater payload, so that it makes no difference which comes first. */
const larger = (one: Payload, other: Payload): Payload => {
  const difference = impactOf(one) - impactOf(other);
  return difference > 0 || (difference === 0 && one > other) ? one : other;
};

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
  const [largest, ...others] = [...sources].sort((a, b) => b.count - a.count) as [
    Source,
    ...Source[],
  ];
  return {
    count,
    all,
    ...(largest.layers && {
      layers: () =>
        layOver((largest.layers as () => Layers)(), anyOf(others, combine).all(), combine),
    }),
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

const layOver = (
  { base, over }: Layers,
  more: Postings,
  combine: (one: Payload, other: Payload) => Payload,
): Layers => {
  const [known, under] = [payloadsAt(over, more.ids), base.at(more.ids)];
  const payloads = more.payloads.map((payload, at) => {
    const own = (known[at] || under[at]) as number;
    return own === 0 ? payload : combine(own, payload);
  });
  const isLeft = payloadsAt(more, over.ids).map((payload) => Number(payload === 0));
  const left = matchesOf(isLeft).places;
  const rest = { ids: idsFrom(over.ids, left), payloads: payloadsFrom(over.payloads, left) };
  return { base, over: unite([rest, { ids: more.ids, payloads }], larger) };
};

/** What matches all of them, counting as they do on average: words that only mean something together. */
export const allOf = (sources: readonly Source[]): Source => {
  if (sources.length === 1) return sources[0] as Source;
  let whole: Postings | undefined;
  const all = (): Postings => {
    if (!whole) {
      const { ids, payloads } = conjunction(sources);
      whole = { ids, payloads: averaged(payloads) };
    }
    return whole;
  };
  const count = Math.min(...sources.map((source) => source.count));
  return { count, all, at: (ids) => payloadsAt(all(), ids) };
};

/** What says one thing and right behind it the other in its name, counting as the two do on average. */
export const besideInName = (one: Source, other: Source): Source => {
  const { ids, payloads } = conjunction([one, other]);
  const [first, next] = payloads as readonly [Uint16Array, Uint16Array];
  const beside = next.map((payload, at) => {
    const place = placeOf(payload);
    return Number(place > 1 && placeOf(first[at] as number) === place - 1);
  });
  const { places } = matchesOf(beside);
  const whole = { ids: idsFrom(ids, places), payloads: payloadsFrom(averaged(payloads), places) };
  return { count: places.length, all: () => whole, at: (asked) => payloadsAt(whole, asked) };
};

/** The first one's payloads, with the mean of all impacts. */
const averaged = (payloads: readonly Uint16Array[]): Uint16Array =>
  (payloads[0] ?? noPostings.payloads).map((first, at) => {
    const sum = payloads.reduce((impacts, each) => impacts + impactOf(each[at] as Payload), 0);
    return first - impactOf(first) + Math.floor(sum / payloads.length);
  });

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
    const source = sources[at] as Source;
    const found = source.match?.(ids) ?? matchesOf(source.at(ids));
    payloads[at] = found.payloads;
    if (found.places.length < ids.length) {
      ids = idsFrom(ids, found.places);
      for (const one of done) {
        payloads[one] = payloadsFrom(payloads[one] as Uint16Array, found.places);
      }
    }
    done.push(at);
  }
  return { ids, payloads };
};

const idsFrom = (ids: Ids, places: Uint32Array): Ids => {
  const taken = idsUpTo(places.length, ids[ids.length - 1] ?? 0);
  for (let at = 0; at < places.length; at += 1) taken[at] = ids[places[at] as number] as number;
  return taken;
};
