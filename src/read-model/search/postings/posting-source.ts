import { allocateIds, type DocIds, emptyIds, toDocIds } from "./doc-ids.ts";
import { type Intersection, type PackedList, pickPayloads, toIntersection } from "./packed-list.ts";
import { impactOf, namePosition, type Payload } from "./posting-codec.ts";
import type { PostingList } from "./posting-list.ts";
import { emptyPostings, findPayloads, type Postings, unionPostings } from "./postings.ts";

/** Products that match one term or filter of a query, with their payloads. */
export interface PostingSource {
  /** Upper bound of the number of products. */
  readonly count: number;
  all(): Postings;
  /** Looks up the payload of each id; 0 for an id that does not match. */
  at(ids: DocIds): Uint16Array;
  /** Finds which of these ids match. Present where this needs no test of each id. */
  intersect?(ids: DocIds): Intersection;
  /** Reads the source as a packed list and an overlay. Present where there is a packed list. */
  overlay?(): Overlay;
}

/** A packed list, with postings that replace some of its own and add others. */
export interface Overlay {
  readonly base: PackedList;
  readonly overrides: Postings;
}

export const emptySource: PostingSource = {
  count: 0,
  all: () => emptyPostings,
  at: (ids) => new Uint16Array(ids.length),
};

export const listSource = (list: PostingList): PostingSource => ({
  ...list,
  overlay: () => ({ base: list.packed(), overrides: emptyPostings }),
});

/** Creates a source of exactly these ids, ascending. */
export const idSource = (ascending: readonly number[]): PostingSource => {
  const ids = toDocIds(ascending);
  const postings = { ids, payloads: new Uint16Array(ids.length).fill(1) };
  return {
    count: ids.length,
    all: () => postings,
    at: (queryIds) => findPayloads(postings, queryIds),
  };
};

/** Unites lists and scales their impacts by some sixteenths. */
export const unionScaled = (lists: readonly PostingList[], sixteenths: number): PostingSource => {
  const count = lists.reduce((sum, list) => sum + list.count, 0);
  let cached: Postings | undefined;
  const all = (): Postings => {
    if (!cached) {
      const { ids, payloads } = unionPostings(
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
      if (cached || count < ids.length * lists.length) return findPayloads(all(), ids);
      const best = new Uint16Array(ids.length);
      for (const list of lists) raisePayloads(best, list, ids);
      return best.map((payload) => scaleImpact(payload, sixteenths));
    },
  };
};

const raisePayloads = (best: Uint16Array, list: PostingList, ids: DocIds): void => {
  const { indexes, payloads } = list.intersect(ids);
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
export const constantScore = (source: PostingSource, impact: number): PostingSource => {
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
export const unionSources = (
  sources: readonly PostingSource[],
  combine: (one: Payload, other: Payload) => Payload = higherImpact,
): PostingSource => {
  if (sources.length === 0) return emptySource;
  if (sources.length === 1) return sources[0] as PostingSource;
  const count = sources.reduce((sum, source) => sum + source.count, 0);
  let cached: Postings | undefined;
  const all = (): Postings => {
    cached ??= unionPostings(
      sources.map((source) => source.all()),
      combine,
    );
    return cached;
  };
  const [largest, ...others] = [...sources].sort((a, b) => b.count - a.count) as [
    PostingSource,
    ...PostingSource[],
  ];
  return {
    count,
    all,
    ...(largest.overlay && {
      overlay: () =>
        addOverlay(
          (largest.overlay as () => Overlay)(),
          unionSources(others, combine).all(),
          combine,
        ),
    }),
    at(ids) {
      if (cached || count < ids.length * sources.length) return findPayloads(all(), ids);
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
  { base, overrides }: Overlay,
  more: Postings,
  combine: (one: Payload, other: Payload) => Payload,
): Overlay => {
  const [overPayloads, basePayloads] = [findPayloads(overrides, more.ids), base.at(more.ids)];
  const payloads = more.payloads.map((payload, at) => {
    const current = (overPayloads[at] || basePayloads[at]) as number;
    return current === 0 ? payload : combine(current, payload);
  });
  const unchangedMarks = findPayloads(more, overrides.ids).map((payload) => Number(payload === 0));
  const unchanged = toIntersection(unchangedMarks).indexes;
  const unchangedPostings = {
    ids: pickIds(overrides.ids, unchanged),
    payloads: pickPayloads(overrides.payloads, unchanged),
  };
  return {
    base,
    overrides: unionPostings([unchangedPostings, { ids: more.ids, payloads }], higherImpact),
  };
};

/** Intersects sources and averages their impacts, for tokens that mean something only together. */
export const intersectAveraged = (sources: readonly PostingSource[]): PostingSource => {
  if (sources.length === 1) return sources[0] as PostingSource;
  let cached: Postings | undefined;
  const all = (): Postings => {
    if (!cached) {
      const { ids, payloads } = intersectSources(sources);
      cached = { ids, payloads: averageImpacts(payloads) };
    }
    return cached;
  };
  const count = Math.min(...sources.map((source) => source.count));
  return { count, all, at: (ids) => findPayloads(all(), ids) };
};

/** Matches products with one term right behind the other in the name. Impacts are averaged. */
export const adjacentInName = (one: PostingSource, other: PostingSource): PostingSource => {
  const { ids, payloads } = intersectSources([one, other]);
  const [first, next] = payloads as readonly [Uint16Array, Uint16Array];
  const adjacentMarks = next.map((payload, at) => {
    const position = namePosition(payload);
    return Number(position > 1 && namePosition(first[at] as number) === position - 1);
  });
  const { indexes } = toIntersection(adjacentMarks);
  const postings = {
    ids: pickIds(ids, indexes),
    payloads: pickPayloads(averageImpacts(payloads), indexes),
  };
  return {
    count: indexes.length,
    all: () => postings,
    at: (queryIds) => findPayloads(postings, queryIds),
  };
};

/** Averages the impacts of sources; the other bits are those of the first source. */
const averageImpacts = (payloads: readonly Uint16Array[]): Uint16Array =>
  (payloads[0] ?? emptyPostings.payloads).map((first, at) => {
    const sum = payloads.reduce((impacts, each) => impacts + impactOf(each[at] as Payload), 0);
    return first - impactOf(first) + Math.floor(sum / payloads.length);
  });

/** Products that are in every source, with their payloads for each source. */
export interface SourceIntersection {
  readonly ids: DocIds;
  readonly payloads: readonly Uint16Array[];
}

/** Intersects sources, the rarest first. Each further source is read only for the ids that are left. */
export const intersectSources = (sources: readonly PostingSource[]): SourceIntersection => {
  const byCount = sources.map((_, at) => at);
  byCount.sort((a, b) => (sources[a] as PostingSource).count - (sources[b] as PostingSource).count);
  const payloads: Uint16Array[] = sources.map(() => emptyPostings.payloads);
  const [rarest, ...others] = byCount;
  if (rarest === undefined) return { ids: emptyIds, payloads };
  const rarestPostings = (sources[rarest] as PostingSource).all();
  let ids = rarestPostings.ids;
  payloads[rarest] = rarestPostings.payloads;
  const processed = [rarest];
  for (const at of others) {
    if (ids.length === 0) break;
    const source = sources[at] as PostingSource;
    const matches = source.intersect?.(ids) ?? toIntersection(source.at(ids));
    payloads[at] = matches.payloads;
    if (matches.indexes.length < ids.length) {
      ids = pickIds(ids, matches.indexes);
      for (const one of processed) {
        payloads[one] = pickPayloads(payloads[one] as Uint16Array, matches.indexes);
      }
    }
    processed.push(at);
  }
  return { ids, payloads };
};

const pickIds = (ids: DocIds, indexes: Uint32Array): DocIds => {
  const picked = allocateIds(indexes.length, ids[ids.length - 1] ?? 0);
  for (let at = 0; at < indexes.length; at += 1) picked[at] = ids[indexes[at] as number] as number;
  return picked;
};
