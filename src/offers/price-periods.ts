import type { Money } from "../events/event.ts";
import { deepEqual } from "../platform/deep-equal.ts";
import { compareAmounts } from "./amounts.ts";
import { findPriceChanges, noPrice, type PriceGroup, priceAt, type ShownPrice } from "./price.ts";
import type { ShownStock } from "./stock.ts";

/** What the price of a product depends on: one of its active variants. */
export interface VariantOffer {
  readonly id: number;
  /** The variant's prices, or those of the product (`variantPriceGroup`). */
  readonly priceGroup: PriceGroup;
  readonly stock: Pick<ShownStock, "orderable">;
}

/** What lists show of the prices of a product, from an instant on until the next period. */
export interface PricePeriod extends ShownPrice {
  /** Milliseconds since 1970; 0 for the first period. */
  readonly from: number;
  /** Lowest and highest price; null without a price in the shop's currency, and without variants. */
  readonly range: { readonly min: Money; readonly max: Money } | null;
  /** The variant whose price is shown; null without variants. */
  readonly featured: number | null;
  /** Whether a list price is shown of the product, or of a variant that its range counts. */
  readonly onSale: boolean;
  /** Whether the range counts only variants that can be ordered; false without variants. */
  readonly isOrderable: boolean;
}

/** The prices of a product over all time. They do not depend on a clock. */
export interface PriceTimeline {
  /** At least one, ascending. */
  readonly periods: readonly PricePeriod[];
  /** Instants at which a shown price of the product or of one of its variants changes, ascending. */
  readonly changesAt: readonly number[];
  /** Lowest and highest amount of any variant at any instant; null without a price in the shop's currency. */
  readonly bounds: readonly [lowest: string, highest: string] | null;
}

/**
 * Builds the timeline of a product (Contract §9, Prices at an instant).
 * @param variants the active variants in the order of the shop; empty for a product without any
 * @param currency currency of the shop; undefined until its settings arrive
 */
export const buildTimeline = (
  product: PriceGroup,
  variants: readonly VariantOffer[],
  currency: string | undefined,
): PriceTimeline => {
  const groups = variants.length > 0 ? variants.map((variant) => variant.priceGroup) : [product];
  const timelines = groups.map((each): GroupTimeline => ({ periods: groupPeriods(each), at: -1 }));
  const select =
    variants.length > 0
      ? createSelection(variants, timelines, currency)
      : () => ({ ...noSelection, onSale: timelines.some(isReduced) });
  const instants = [
    ...new Set(timelines.flatMap(({ periods }) => periods.map(({ from }) => from))),
  ];
  const periods: PricePeriod[] = [];
  const changesAt: number[] = [];
  for (const from of instants.sort((a, b) => a - b)) {
    const changed = timelines.filter((timeline) => advance(timeline, from)).length > 0;
    if (from > 0 && changed) changesAt.push(from);
    const { at, range, onSale, isOrderable } = select();
    const shown = timelines[at] ? currentPeriod(timelines[at]).shown : noPrice;
    const featured = variants[at]?.id ?? null;
    const period = { from, ...shown, range, featured, onSale, isOrderable };
    const last = periods.at(-1);
    if (!last || !deepEqual({ ...last, from }, period)) periods.push(period);
  }
  return { periods, changesAt, bounds: findBounds(timelines, currency) };
};

export const periodAt = (periods: readonly PricePeriod[], instant: number): PricePeriod =>
  (periods.findLast(({ from }) => from <= instant) ?? periods[0]) as PricePeriod;

/** What is shown of one price group, from an instant on until the next period. */
export interface GroupPeriod {
  /** Milliseconds since 1970; 0 for the first period. */
  readonly from: number;
  readonly shown: ShownPrice;
}

/** The prices of one variant over time, and the index of the current one. */
interface GroupTimeline {
  readonly periods: readonly GroupPeriod[];
  at: number;
}

/** Computes the periods of a price group over all time. Memoized: most variants share the prices of their product. */
export const groupPeriods = (group: PriceGroup): readonly GroupPeriod[] => {
  const existing = periodsByGroup.get(group);
  if (existing) return existing;
  const periods: GroupPeriod[] = [];
  // Prices before 1970 are never shown.
  for (const from of [0, ...findPriceChanges(group).filter((instant) => instant > 0)]) {
    const shown = priceAt(group, from);
    const last = periods.at(-1);
    if (!last || !deepEqual(last.shown, shown)) periods.push({ from, shown });
  }
  periodsByGroup.set(group, periods);
  return periods;
};

const periodsByGroup = new WeakMap<PriceGroup, readonly GroupPeriod[]>();

const currentPeriod = ({ periods, at }: GroupTimeline): GroupPeriod => periods[at] as GroupPeriod;

const isReduced = (timeline: GroupTimeline): boolean =>
  currentPeriod(timeline).shown.listPrice !== null;

/** @returns true when the timeline has another price from this instant on */
const advance = (timeline: GroupTimeline, from: number): boolean => {
  if (timeline.periods[timeline.at + 1]?.from !== from) return false;
  timeline.at += 1;
  return true;
};

interface PriceSelection extends Pick<PricePeriod, "range" | "onSale" | "isOrderable"> {
  /** Index of the variant whose price is shown; 0 for a product without variants. */
  readonly at: number;
}

const noSelection: PriceSelection = { at: 0, range: null, onSale: false, isOrderable: false };

/** Creates a function that selects the lowest and the highest of the current prices. */
const createSelection = (
  variants: readonly VariantOffer[],
  timelines: readonly GroupTimeline[],
  currency: string | undefined,
): (() => PriceSelection) => {
  const rankOf = rankAmounts(timelines, currency);
  return () => {
    const ranks = timelines.map((timeline) => rankOf(currentPeriod(timeline).shown.price));
    const orderable = ranks.map((rank, at) => (variants[at]?.stock.orderable ? rank : noRank));
    const isOrderable = orderable.some((rank) => rank !== noRank);
    const candidates = isOrderable ? orderable : ranks;
    const [lowest, highest] = findExtremes(candidates);
    if (lowest === -1 || highest === -1) return { ...noSelection, at: findPriced(timelines) };
    const [min, max] = [lowest, highest].map(
      (at) => currentPeriod(timelines[at] as GroupTimeline).shown.price,
    );
    const onSale = timelines.some(
      (timeline, at) => candidates[at] !== noRank && isReduced(timeline),
    );
    return { at: lowest, range: min && max ? { min, max } : null, onSale, isOrderable };
  };
};

/** Rank of a price that is not compared. */
const noRank = -1;

/** Ranks all amounts in a currency, because whole numbers are compared faster than decimal texts. */
const rankAmounts = (
  timelines: readonly GroupTimeline[],
  currency: string | undefined,
): ((price: Money | null) => number) => {
  const amounts = listAmounts(timelines, currency);
  const ranks = new Map<string, number>();
  let last: string | undefined;
  for (const amount of [...amounts].sort(compareAmounts)) {
    const isTie = last !== undefined && compareAmounts(last, amount) === 0;
    ranks.set(amount, isTie ? (ranks.get(last as string) ?? 0) : ranks.size);
    last = amount;
  }
  return (price) => (isComparable(price, currency) ? (ranks.get(price.amount) ?? noRank) : noRank);
};

/** Lists all amounts in a currency, each once. Before the currency of the shop arrives, every price is compared. */
const listAmounts = (
  timelines: readonly GroupTimeline[],
  currency: string | undefined,
): ReadonlySet<string> => {
  const amounts = new Set<string>();
  for (const periods of new Set(timelines.map((timeline) => timeline.periods))) {
    for (const { shown } of periods) {
      if (isComparable(shown.price, currency)) amounts.add(shown.price.amount);
    }
  }
  return amounts;
};

const isComparable = (price: Money | null, currency: string | undefined): price is Money =>
  price !== null && (currency === undefined || price.currency === currency);

const findBounds = (
  timelines: readonly GroupTimeline[],
  currency: string | undefined,
): PriceTimeline["bounds"] => {
  const amounts = [...listAmounts(timelines, currency)].sort(compareAmounts);
  const [lowest, highest] = [amounts[0], amounts.at(-1)];
  return lowest === undefined || highest === undefined ? null : [lowest, highest];
};

/** @returns the indexes of the lowest and the highest rank, the first on a tie; -1 without any */
const findExtremes = (ranks: readonly number[]): readonly [number, number] => {
  let [lowest, highest] = [-1, -1];
  for (let at = 0; at < ranks.length; at += 1) {
    const rank = ranks[at] as number;
    if (rank === noRank) continue;
    if (lowest === -1 || rank < (ranks[lowest] as number)) lowest = at;
    if (highest === -1 || rank > (ranks[highest] as number)) highest = at;
  }
  return [lowest, highest];
};

/** Finds the first timeline with any price; the first one when there is none. */
const findPriced = (timelines: readonly GroupTimeline[]): number =>
  Math.max(
    0,
    timelines.findIndex((timeline) => currentPeriod(timeline).shown.price !== null),
  );
