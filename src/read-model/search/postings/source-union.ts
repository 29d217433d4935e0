import { lazy } from "../../../platform/memo.ts";
import type { DocIds } from "./doc-ids.ts";
import { toIntersection } from "./intersection.ts";
import { type Combine, higherImpact } from "./payload.ts";
import { emptySource, type PostingSource } from "./posting-source.ts";
import { findPayloads, unionPostings } from "./postings.ts";

/** Unites sources. A product in several gets its best payload, or what `combine` returns. */
export const unionSources = (
  sources: readonly PostingSource[],
  combine: Combine = higherImpact,
): PostingSource => {
  const [first = emptySource, ...more] = sources;
  if (more.length === 0) return first;
  const count = sources.reduce((sum, source) => sum + source.count, 0);
  let isRead = false;
  const all = lazy(() => {
    isRead = true;
    const lists = sources.map((source) => source.all());
    return unionPostings(lists, combine);
  });
  return {
    count,
    all,
    at(ids) {
      if (isRead || count < ids.length * sources.length) return findPayloads(all(), ids);
      const payloads = new Uint32Array(ids.length);
      for (const source of sources) combineInto(payloads, source, ids, combine);
      return payloads;
    },
  };
};

/** Combines the payloads of a source with those of the sources before it; 0 stands for none. */
const combineInto = (
  combined: Uint32Array,
  source: PostingSource,
  ids: DocIds,
  combine: Combine,
): void => {
  const { indexes, payloads } = source.intersect?.(ids) ?? toIntersection(source.at(ids));
  for (let at = 0; at < indexes.length; at += 1) {
    const index = indexes[at] as number;
    const [previous, payload] = [combined[index] as number, payloads[at] as number];
    combined[index] = previous === 0 ? payload : combine(previous, payload);
  }
};
