import type { Ids } from "./postings/doc-ids.ts";
import type { Source } from "./postings/posting-source.ts";
import { keepMarked } from "./postings/postings.ts";
import { type Candidates, candidatesBehind, countIn, countOf } from "./relaxed-candidates.ts";

/** One part of a query, and what it weighs: nothing where it does not count. */
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
  /** Of each part, in the order of the parts; zeros of one that does not count. */
  readonly payloads: readonly Uint16Array[];
  /** What the parts a product matches have to weigh. */
  readonly least: number;
  /** Places of the parts that counted. */
  readonly counting: ReadonlySet<number>;
}

/** The share of what the best product matches that the others have to match, in tenths. */
const tenths = 7;

/**
 * Looks of a product into a part that a first page takes at most. The rarest parts are walked, as many as that allows; a
 * product of theirs is looked up in each part.
 */
const mostLooks = 240_000;

/**
 * What comes nearest when nothing matches every part: products that match parts of such a weight. Where that would take
 * too many looks, the commonest parts do not count: without what most products say, whatever weighs enough is among the
 * products of the rarest parts. So no page of a walk has to look at others.
 * @param products all that there are
 */
export const relax = (
  parts: readonly Part[],
  filters: readonly Source[],
  products: number,
): Relaxed => {
  const candidates = candidatesBehind(filters);
  for (let order = orderOf(parts); ; ) {
    order = affordable(parts, order, products);
    const walked = order.slice(0, walkable(parts, order, products));
    const { ids, isAllLeft } = candidates.of(sourcesOf(parts, walked));
    const isLast = isAllLeft || walked.length === order.length;
    if (ids.length > 0 || isLast) {
      return nearest(
        weighed(parts, order, ids),
        parts,
        order,
        isLast ? order.length : walked.length,
      );
    }
    // What the filters leave has none of these: they say nothing of it.
    order = order.slice(walked.length);
  }
};

/** Places of the parts that count, the rarest first. */
const orderOf = (parts: readonly Part[]): readonly number[] =>
  parts
    .flatMap(({ weight }, at) => (weight > 0 ? [at] : []))
    .sort((a, b) => countAt(parts, a) - countAt(parts, b) || a - b);

const countAt = (parts: readonly Part[], at: number): number => (parts[at] as Part).source.count;

const sourcesOf = (parts: readonly Part[], places: readonly number[]): readonly Source[] =>
  places.map((at) => (parts[at] as Part).source);

/** Parts that the products of the rarest one can be looked up in; where not in all, unknown ones go, too. */
const affordable = (
  parts: readonly Part[],
  order: readonly number[],
  products: number,
): readonly number[] => {
  const known = order.filter((at) => countAt(parts, at) > 0);
  const rarest = Math.min(products, known[0] === undefined ? 0 : countAt(parts, known[0]));
  if (rarest * order.length <= mostLooks) return order;
  return known.slice(0, Math.max(1, Math.floor(mostLooks / rarest)));
};

/** How many of the parts, and one that anything matches at least. */
const walkable = (parts: readonly Part[], order: readonly number[], products: number): number => {
  let [walked, met] = [0, 0];
  for (const at of order) {
    const next = met + countAt(parts, at);
    if (met > 0 && Math.min(next, products) * order.length > mostLooks) break;
    met = next;
    walked += 1;
  }
  return walked;
};

/**
 * The commonest parts are dropped until what matches none of the walked ones cannot weigh enough.
 * @param walked how many of the parts
 */
const nearest = (
  { ids, payloads, weights }: Weighed,
  parts: readonly Part[],
  order: readonly number[],
  walked: number,
): Relaxed => {
  const counting = [...order];
  let rest = order.slice(walked).reduce((sum, at) => sum + (parts[at] as Part).weight, 0);
  for (let least = leastIn(weights); ; least = leastIn(weights)) {
    const last = rest >= least ? counting.pop() : undefined;
    if (last === undefined) {
      return { ...marked({ ids, payloads, weights }, least), least, counting: new Set(counting) };
    }
    const { weight } = parts[last] as Part;
    addWhere(payloads[last] as Uint16Array, weights, -weight);
    payloads[last] = new Uint16Array(ids.length);
    rest -= weight;
  }
};

const leastIn = (weights: Float64Array): number => {
  const best = weights.reduce((most, weight) => Math.max(most, weight), 0);
  return Math.max(1, Math.ceil((best * tenths) / 10));
};

/**
 * The same for a later page of such a walk.
 * @param least what its first page settled on
 * @returns undefined where no first page would have: it takes more than twice the looks, whatever came since
 */
export const relaxedAs = (
  parts: readonly Part[],
  filters: readonly Source[],
  products: number,
  least: number,
): Relaxed | undefined => {
  const order = orderOf(parts);
  const walked = sourcesOf(parts, order.slice(0, neededFor(least, parts, order)));
  const candidates = candidatesBehind(filters);
  if (!isAffordable(walked, order.length, products, candidates)) return undefined;
  const found = weighed(parts, order, candidates.of(walked).ids);
  return { ...marked(found, least), least, counting: new Set(order) };
};

/** How many of the parts: what matches none of these weighs less. */
const neededFor = (least: number, parts: readonly Part[], order: readonly number[]): number => {
  let rest = order.reduce((sum, at) => sum + (parts[at] as Part).weight, 0);
  let walked = 0;
  while (walked < order.length && rest >= least) {
    rest -= (parts[order[walked] as number] as Part).weight;
    walked += 1;
  }
  return walked;
};

const isAffordable = (
  walked: readonly Source[],
  counting: number,
  products: number,
  candidates: Candidates,
): boolean => {
  const most = (2 * mostLooks) / counting;
  return counting <= 1 || Math.min(countIn(walked), products) <= most || candidates.left() <= most;
};

/** Products with what they match, and what that weighs. */
interface Weighed {
  readonly ids: Ids;
  readonly payloads: Uint16Array[];
  readonly weights: Float64Array;
}

const weighed = (parts: readonly Part[], order: readonly number[], ids: Ids): Weighed => {
  const weights = new Float64Array(ids.length);
  const payloads = parts.map((): Uint16Array => new Uint16Array(ids.length));
  for (const at of order) {
    const { source, weight } = parts[at] as Part;
    const has = source.at(ids);
    addWhere(has, weights, weight);
    payloads[at] = has;
  }
  return { ids, payloads, weights };
};

const addWhere = (has: Uint16Array, weights: Float64Array, weight: number): void => {
  for (let at = 0; at < has.length; at += 1)
    if (has[at] !== 0) weights[at] = (weights[at] as number) + weight;
};

const marked = (
  { ids, payloads, weights }: Weighed,
  least: number,
): Pick<Relaxed, "ids" | "payloads"> => {
  const marks = Uint8Array.from(weights, (weight) => Number(weight >= least));
  const count = countOf(marks);
  return {
    ids: keepMarked(ids, marks, count),
    payloads: payloads.map((values) => keepMarked(values, marks, count)),
  };
};
