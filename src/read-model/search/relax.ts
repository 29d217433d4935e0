import type { Ids } from "./ids.ts";
import { keepMarked, noPostings, unite } from "./postings.ts";
import type { Source } from "./sources.ts";

/** One part of a query, and what it weighs. */
export interface Part {
  readonly source: Source;
  readonly weight: number;
}

/**
 * What a word weighs where not all have to match: all about alike, so that who asks for the best boots is not shown only
 * what two products call the best; a rare one somewhat more, and one that had to be guessed less.
 */
export const weightOf = (rarity: number, isGuess: boolean): number =>
  (isGuess ? 12 : 16) + (rarity >> 2);

/** Products that match enough of a query. */
export interface Relaxed {
  readonly ids: Ids;
  /** Of each part, in the order of the parts. */
  readonly payloads: readonly Uint16Array[];
  /** What the parts a product matches have to weigh. */
  readonly least: number;
}

/** The share of what the best product matches that the others have to match, in tenths. */
const tenths = 7;
/** Products that are looked at before a first answer; parts that many products match can wait. */
const mostLooked = 300_000;

/**
 * What comes nearest when nothing matches every word: products that match parts of such a weight. Only the rarest parts
 * are walked: whatever matches none of them cannot weigh enough.
 * @param pinned the weight an earlier page of the same walk settled on
 */
export const relax = (
  parts: readonly Part[],
  filters: readonly Source[],
  pinned: number | undefined,
): Relaxed => {
  const order = parts
    .map((_, at) => at)
    .sort((a, b) => (parts[a] as Part).source.count - (parts[b] as Part).source.count || a - b);
  for (let walked = firstWalked(parts, order, pinned); ; walked += 1) {
    const rest = order.slice(walked).reduce((sum, at) => sum + (parts[at] as Part).weight, 0);
    const ids = candidates(
      order.slice(0, walked).map((at) => (parts[at] as Part).source),
      filters,
    );
    const payloads = parts.map(({ source }) => source.at(ids));
    const weights = weigh(ids.length, parts, payloads);
    const best = weights.reduce((most, weight) => Math.max(most, weight), 0);
    if (pinned === undefined && best <= rest && walked < order.length) continue;
    const least = pinned ?? Math.max(Math.ceil((best * tenths) / 10), rest + 1);
    return { ...marked(ids, payloads, weights, least), least };
  }
};

const firstWalked = (
  parts: readonly Part[],
  order: readonly number[],
  pinned: number | undefined,
): number => {
  let walked = 0;
  let looked = 0;
  let rest = parts.reduce((sum, { weight }) => sum + weight, 0);
  for (const at of order) {
    const { weight, source } = parts[at] as Part;
    const isEnough = pinned === undefined ? looked + source.count > mostLooked : rest < pinned;
    if (isEnough && walked > 0) break;
    walked += 1;
    looked += source.count;
    rest -= weight;
  }
  return walked;
};

const candidates = (sources: readonly Source[], filters: readonly Source[]): Ids => {
  const all = sources.map((source) => source.all());
  let { ids } = all.length === 0 ? noPostings : unite(all, (one) => one);
  for (const filter of filters) {
    const found = filter.at(ids);
    const marks = Uint8Array.from(found, (payload) => Number(payload !== 0));
    ids = keepMarked(ids, marks, countOf(marks));
  }
  return ids;
};

const weigh = (
  count: number,
  parts: readonly Part[],
  payloads: readonly Uint16Array[],
): Float64Array => {
  const weights = new Float64Array(count);
  for (const [part, { weight }] of parts.entries()) {
    const has = payloads[part] as Uint16Array;
    for (let at = 0; at < count; at += 1)
      if (has[at] !== 0) weights[at] = (weights[at] as number) + weight;
  }
  return weights;
};

const marked = (
  ids: Ids,
  payloads: readonly Uint16Array[],
  weights: Float64Array,
  least: number,
): Omit<Relaxed, "least"> => {
  const marks = Uint8Array.from(weights, (weight) => Number(weight >= least));
  const count = countOf(marks);
  return {
    ids: keepMarked(ids, marks, count),
    payloads: payloads.map((values) => keepMarked(values, marks, count)),
  };
};

export const countOf = (marks: Uint8Array): number => {
  let count = 0;
  for (const mark of marks) count += mark;
  return count;
};
