import { type Ids, idsOf, idsUpTo, noIds } from "./doc-ids.ts";
import { type Matches, matchesOf, type Packed, payloadsFrom } from "./packed-list.ts";
import { impactOf, type Payload, placeOf } from "./posting-codec.ts";
import type { List } from "./posting-list.ts";
import { noPostings, type Postings, payloadsAt, unite } from "./postings.ts";

/** Products that match one term or filter of a query, with their payloads. */
export interface Source {
  /** Upper bound of the number of products. */
  readonly count: number;
  all(): Postings;
  /** Looks up the payload of each id; 0 for an id that does not match. */
  at(ids: Ids): Uint16Array;
  /** Finds which of these ids match. Present where this needs no test of each id. */
  match?(ids: Ids): Matches;
  /** Reads the source as a packed list and an overlay. Present where there is a packed list. */
  layers?(): Layers;
}

/** A packed list, with postings that replace some of its own and add others. */
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

/** Creates a source of exactly these ids, ascending. */
export const idSource = (ascending: readonly number[]): Source => {
  const ids = idsOf(ascending);
  const postings = { ids, payloads: new Uint16Array(ids.length).fill(1) };
  return {
    count: ids.length,
    all: () => postings,
    at: (queryIds) => payloadsAt(postings, queryIds),
  };
};

/** Unites lists and scales their impacts by some sixteenths. */
export const weakened = (lists: readonly List[], sixteenths: number): Source => {
  const count = lists.reduce((sum, list) => sum + list.count, 0);
  let cached: Postings | undefined;
  const all = (): Postings => {
    if (!cached) {
      const { ids, payloads } = unite(
        lists.map((list) => list.all()),
        higherImpact,
      );
      cached = { ids, payloads: payloads.map((payload) => scaleImpact(payload, sixteenths)) };
    }
    return cached;
  };
  return {
    count,
    all,
    at(ids) {
      if (cached || count < ids.length * lists.length) return payloadsAt(all(), ids);
      const best = new Uint16Array(ids.length);
      for (const list of lists) raisePayloads(best, list, ids);
      return best.map((payload) => scaleImpact(payload, sixteenths));
    },
  };
};

const raisePayloads = (best: Uint16Array, list: List, ids: Ids): void => {
  const { places: indexes, payloads } = list.match(ids);
  for (let at = 0; at < indexes.length; at += 1) {
    const index = indexes[at] as number;
    best[index] = higherImpact(best[index] as number, payloads[at] as number);
  }
};

const scaleImpact = (payload: Payload, sixteenths: number): Payload => {
  const impact = impactOf(payload);
  return impact === 0 ? 0 : payload - impact + ((impact * sixteenths) >> 4 || 1);
};

/** Gives every product of a source the same impact. */
export const uniform = (source: Source, impact: number): Source => {
  const setImpact = (payloads: Uint16Array): Uint16Array =>
    payloads.map((payload) => (payload === 0 ? 0 : impact));
  return {
    count: source.count,
    all() {
      const { ids, payloads } = source.all();
      return { ids, payloads: setImpact(payloads) };
    },
    at: (ids) => setImpact(source.at(ids)),
  };
};

/**
 * Selects the payload with the higher impact, of equal ones the greater payload. So the sequence of arguments makes
 * no difference.
 */
const higherImpact = (one: Payload, other: Payload): Payload => {
  const difference = impactOf(one) - impactOf(other);
  return difference > 0 || (difference === 0 && one > other) ? one : other;
};

/** Unites sources. A product in several gets its best payload, or what `combine` returns. */
export const anyOf = (
  sources: readonly Source[],
  combine: (one: Payload, other: Payload) => Payload = higherImpact,
): Source => {
  if (sources.length === 0) return noSource;
  if (sources.length === 1) return sources[0] as Source;
  const count = sources.reduce((sum, source) => sum + source.count, 0);
  let cached: Postings | undefined;
  const all = (): Postings => {
    cached ??= unite(
      sources.map((source) => source.all()),
      combine,
    );
    return cached;
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
        addOverlay((largest.layers as () => Layers)(), anyOf(others, combine).all(), combine),
    }),
    at(ids) {
      if (cached || count < ids.length * sources.length) return payloadsAt(all(), ids);
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

const addOverlay = (
  { base, over: overrides }: Layers,
  more: Postings,
  combine: (one: Payload, other: Payload) => Payload,
): Layers => {
  const [overPayloads, basePayloads] = [payloadsAt(overrides, more.ids), base.at(more.ids)];
  const payloads = more.payloads.map((payload, at) => {
    const current = (overPayloads[at] || basePayloads[at]) as number;
    return current === 0 ? payload : combine(current, payload);
  });
  const unchangedMarks = payloadsAt(more, overrides.ids).map((payload) => Number(payload === 0));
  const unchanged = matchesOf(unchangedMarks).places;
  const unchangedPostings = {
    ids: pickIds(overrides.ids, unchanged),
    payloads: payloadsFrom(overrides.payloads, unchanged),
  };
  return { base, over: unite([unchangedPostings, { ids: more.ids, payloads }], higherImpact) };
};

/** Intersects sources and averages their impacts, for tokens that mean something only together. */
export const allOf = (sources: readonly Source[]): Source => {
  if (sources.length === 1) return sources[0] as Source;
  let cached: Postings | undefined;
  const all = (): Postings => {
    if (!cached) {
      const { ids, payloads } = conjunction(sources);
      cached = { ids, payloads: averageImpacts(payloads) };
    }
    return cached;
  };
  const count = Math.min(...sources.map((source) => source.count));
  return { count, all, at: (ids) => payloadsAt(all(), ids) };
};

/** Matches products with one term right behind the other in the name. Impacts are averaged. */
export const besideInName = (one: Source, other: Source): Source => {
  const { ids, payloads } = conjunction([one, other]);
  const [first, next] = payloads as readonly [Uint16Array, Uint16Array];
  const adjacentMarks = next.map((payload, at) => {
    const position = placeOf(payload);
    return Number(position > 1 && placeOf(first[at] as number) === position - 1);
  });
  const { places: indexes } = matchesOf(adjacentMarks);
  const postings = {
    ids: pickIds(ids, indexes),
    payloads: payloadsFrom(averageImpacts(payloads), indexes),
  };
  return {
    count: indexes.length,
    all: () => postings,
    at: (queryIds) => payloadsAt(postings, queryIds),
  };
};

/** Averages the impacts of sources; the other bits are those of the first source. */
const averageImpacts = (payloads: readonly Uint16Array[]): Uint16Array =>
  (payloads[0] ?? noPostings.payloads).map((first, at) => {
    const sum = payloads.reduce((impacts, each) => impacts + impactOf(each[at] as Payload), 0);
    return first - impactOf(first) + Math.floor(sum / payloads.length);
  });

/** Products that are in every source, with their payloads for each source. */
export interface Conjunction {
  readonly ids: Ids;
  readonly payloads: readonly Uint16Array[];
}

/** Intersects sources, the rarest first. Each further source is read only for the ids that are left. */
export const conjunction = (sources: readonly Source[]): Conjunction => {
  const byCount = sources.map((_, at) => at);
  byCount.sort((a, b) => (sources[a] as Source).count - (sources[b] as Source).count);
  const payloads: Uint16Array[] = sources.map(() => noPostings.payloads);
  const [rarest, ...others] = byCount;
  if (rarest === undefined) return { ids: noIds, payloads };
  const rarestPostings = (sources[rarest] as Source).all();
  let ids = rarestPostings.ids;
  payloads[rarest] = rarestPostings.payloads;
  const processed = [rarest];
  for (const at of others) {
    if (ids.length === 0) break;
    const source = sources[at] as Source;
    const matches = source.match?.(ids) ?? matchesOf(source.at(ids));
    payloads[at] = matches.payloads;
    if (matches.places.length < ids.length) {
      ids = pickIds(ids, matches.places);
      for (const one of processed) {
        payloads[one] = payloadsFrom(payloads[one] as Uint16Array, matches.places);
      }
    }
    processed.push(at);
  }
  return { ids, payloads };
};

const pickIds = (ids: Ids, indexes: Uint32Array): Ids => {
  const picked = idsUpTo(indexes.length, ids[ids.length - 1] ?? 0);
  for (let at = 0; at < indexes.length; at += 1) picked[at] = ids[indexes[at] as number] as number;
  return picked;
};
