import { lazy } from "../../../platform/memo.ts";
import { type DocIds, emptyIds } from "./doc-ids.ts";
import { indexesWhere, pickIds, pickPayloads, toIntersection } from "./intersection.ts";
import { impactOf, namePosition, type Payload } from "./payload.ts";
import { type PostingSource, postingsSource } from "./posting-source.ts";

/** Products that are in every source, with their payloads for each source. */
export interface SourceIntersection {
  readonly ids: DocIds;
  readonly payloads: readonly Uint32Array[];
}

/** Intersects sources, the rarest first. Each further source is read only for the ids that are left. */
export const intersectSources = (sources: readonly PostingSource[]): SourceIntersection => {
  const payloads = sources.map(() => noPayloads);
  const [rarest, ...others] = [...sources.entries()].sort(([, a], [, b]) => a.count - b.count);
  if (rarest === undefined) return { ids: emptyIds, payloads };
  const [rarestIndex, rarestSource] = rarest;
  const rarestPostings = rarestSource.all();
  let { ids } = rarestPostings;
  payloads[rarestIndex] = rarestPostings.payloads;
  const processed = [rarestIndex];
  for (const [index, source] of others) {
    if (ids.length === 0) break;
    const matches = source.intersect?.(ids) ?? toIntersection(source.at(ids));
    payloads[index] = matches.payloads;
    if (matches.indexes.length < ids.length) {
      ids = pickIds(ids, matches.indexes);
      for (const one of processed) {
        payloads[one] = pickPayloads(payloads[one] ?? noPayloads, matches.indexes);
      }
    }
    processed.push(index);
  }
  return { ids, payloads };
};

const noPayloads: Uint32Array = new Uint32Array(0);

/** Intersects sources and averages their impacts, for tokens that mean something only together. */
export const intersectAveraged = (sources: readonly PostingSource[]): PostingSource => {
  const [first, ...others] = sources;
  if (first && others.length === 0) return first;
  const all = lazy(() => {
    const { ids, payloads } = intersectSources(sources);
    return { ids, payloads: averageImpacts(payloads) };
  });
  return postingsSource(Math.min(...sources.map(({ count }) => count)), all);
};

/** Matches products with each term right behind the one before in the name. Impacts are averaged. */
export const adjacentInName = (sources: readonly PostingSource[]): PostingSource => {
  const { ids, payloads } = intersectSources(sources);
  const [first = noPayloads, ...others] = payloads;
  const indexes = indexesWhere(ids.length, (at) => {
    const position = namePosition(first[at] as number);
    return (
      position > 0 &&
      others.every((next, index) => namePosition(next[at] as number) === position + index + 1)
    );
  });
  const postings = {
    ids: pickIds(ids, indexes),
    payloads: pickPayloads(averageImpacts(payloads), indexes),
  };
  return postingsSource(indexes.length, () => postings);
};

/** Averages the impacts of sources; the other bits are those of the first source. */
const averageImpacts = (payloads: readonly Uint32Array[]): Uint32Array =>
  (payloads[0] ?? noPayloads).map((first, at) => {
    const sum = payloads.reduce((impacts, each) => impacts + impactOf(each[at] as Payload), 0);
    return first - impactOf(first) + Math.floor(sum / payloads.length);
  });
