import type { Ids } from "./ids.ts";
import { keepMarked, noPostings, unite } from "./postings.ts";
import { conjunction, type Source } from "./sources.ts";

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
 * are walked: whatever matches none of them cannot weigh enough. Where filters leave fewer products than that, these are
 * all looked at, once.
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
  let left: Ids | undefined;
  const leftByFilters = (): Ids => {
    left ??= conjunction(filters).ids;
    return left;
  };
  let found: Weighed | undefined;
  for (let walked = firstWalked(parts, order, pinned); ; walked += 1) {
    const rest = order.slice(walked).reduce((sum, at) => sum + (parts[at] as Part).weight, 0);
    if (!found || found.ids !== left) {
      const sources = order.slice(0, walked).map((at) => (parts[at] as Part).source);
      found = weighed(parts, candidates(sources, filters, leftByFilters));
    }
    if (pinned === undefined && found.best <= rest && walked < order.length) continue;
    const least = pinned ?? Math.max(Math.ceil((found.best * tenths) / 10), rest + 1);
    return { ...marked(found, least), least };
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

/** Products that are looked up in each filter sooner than these are read. */
const few = 10_000;

/** What is in any of the sources, and left by the filters; or all that these leave, where that is less. */
const candidates = (
  sources: readonly Source[],
  filters: readonly Source[],
  leftByFilters: () => Ids,
): Ids => {
  const most = sources.reduce((sum, { count }) => sum + count, 0);
  if (most > Math.max(few, leastOf(filters)) && leftByFilters().length <= most) {
    return leftByFilters();
  }
  const all = sources.map((source) => source.all());
  let { ids } = all.length === 0 ? noPostings : unite(all, (one) => one);
  for (const filter of filters) {
    const marks = Uint8Array.from(filter.at(ids), (payload) => Number(payload !== 0));
    ids = keepMarked(ids, marks, countOf(marks));
  }
  return ids;
};

/** Of what is read to know what the filters leave; those that have to look at each product do not tell how many. */
const leastOf = (filters: readonly Source[]): number => {
  if (filters.length === 0) return Number.POSITIVE_INFINITY;
  const least = Math.min(...filters.map(({ count }) => count));
  return Number.isFinite(least) ? least : 0;
};

/** Products with what they match, and what that weighs. */
interface Weighed {
  readonly ids: Ids;
  readonly payloads: readonly Uint16Array[];
  readonly weights: Float64Array;
  readonly best: number;
}

const weighed = (parts: readonly Part[], ids: Ids): Weighed => {
  const payloads = parts.map(({ source }) => source.at(ids));
  const weights = new Float64Array(ids.length);
  for (const [part, { weight }] of parts.entries()) {
    const has = payloads[part] as Uint16Array;
    for (let at = 0; at < ids.length; at += 1)
      if (has[at] !== 0) weights[at] = (weights[at] as number) + weight;
  }
  const best = weights.reduce((most, weight) => Math.max(most, weight), 0);
  return { ids, payloads, weights, best };
};

const marked = ({ ids, payloads, weights }: Weighed, least: number): Omit<Relaxed, "least"> => {
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
