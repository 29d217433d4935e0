import { type DocIds, toDocIds } from "./doc-ids.ts";
import type { Intersection } from "./intersection.ts";
import { type Payload, presencePayload } from "./payload.ts";
import { emptyPostings, findPayloads, type Postings } from "./postings.ts";

/** Products that match one term or filter of a query, with their payloads. */
export interface PostingSource {
  /** Upper bound of the number of products. */
  readonly count: number;
  all(): Postings;
  /** Looks up the payload of each id; 0 for an id that does not match. */
  at(ids: DocIds): Uint32Array;
  /** Finds which of these ids match. Present where this needs no test of each id. */
  intersect?(ids: DocIds): Intersection;
}

export const emptySource: PostingSource = {
  count: 0,
  all: () => emptyPostings,
  at: (ids) => new Uint32Array(ids.length),
};

/** Creates a source of postings that are read at the first use. */
export const postingsSource = (count: number, all: () => Postings): PostingSource => ({
  count,
  all,
  at: (ids) => findPayloads(all(), ids),
});

/** Creates a source of exactly these ids, ascending. */
export const idSource = (ascending: readonly number[]): PostingSource => {
  const ids = toDocIds(ascending);
  const postings = { ids, payloads: new Uint32Array(ids.length).fill(presencePayload) };
  return postingsSource(ids.length, () => postings);
};

export const mapPayloads = (
  source: PostingSource,
  convert: (payload: Payload) => Payload,
): PostingSource => {
  const convertAll = (payloads: Uint32Array): Uint32Array =>
    payloads.map((payload) => (payload === 0 ? 0 : convert(payload)));
  return {
    count: source.count,
    all() {
      const { ids, payloads } = source.all();
      return { ids, payloads: convertAll(payloads) };
    },
    at: (ids) => convertAll(source.at(ids)),
  };
};
