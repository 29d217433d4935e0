/** A short reference implementation of the projection of one product: the newest event of a field group wins, by time. */

export interface ExpectedProduct {
  readonly name: string;
  readonly url: string;
  /** Amount and currency: `12.90 EUR`. */
  readonly price: string | null;
  /** Whether price filters and sorting include it: it has a price in the shop's currency. */
  readonly isCompared: boolean;
  readonly availability: "IN_STOCK" | "OUT_OF_STOCK";
  /** ISO 8601, as `lastmod`. */
  readonly updatedAt: string;
  readonly lastmod: string;
}

export interface Core {
  readonly name: string;
  readonly url: string;
  readonly brand: string | null;
  readonly active: boolean;
}

/** An event without its envelope. Times are ISO 8601 and compare as text. An absent `price` leaves the price unchanged. */
export type AppliedEvent = { readonly time: string } & (
  | { readonly type: "upserted"; readonly core: Core; readonly price?: string | null }
  | { readonly type: "patched"; readonly core: Partial<Core>; readonly price?: string | null }
  | { readonly type: "deleted" }
  | { readonly type: "price"; readonly price: string | null }
  | { readonly type: "stock"; readonly orderable: boolean }
);

/** The values that events set, in log order. */
type Values<T> = readonly TimedValue<T>[];
interface TimedValue<T> {
  readonly time: string;
  readonly value: T;
}

/** Removes stale values, which are older than a value before them. */
const withoutStale = <T extends TimedValue<unknown>>(values: readonly T[]): readonly T[] =>
  values.filter(({ time }, index) => values.slice(0, index).every((before) => before.time <= time));

/** Finds the time of the last change: of the first event with the last value after the last other value. */
const lastChange = (values: Values<unknown>): string => {
  const texts = values.map(({ value }) => JSON.stringify(value));
  return values[texts.findLastIndex((text) => text !== texts.at(-1)) + 1]?.time ?? "";
};

const sortByTime = <T>(values: Values<T>): Values<T> =>
  [...values].sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));

/** Computes each state of the core, null after a delete. Patches before their product wait for it. */
const coreStates = (history: readonly AppliedEvent[]): Values<Core | null> => {
  const cores: { time: string; value: Core | null }[] = [];
  let waiting: { time: string; value: Partial<Core> }[] = [];
  const patch = (time: string, core: Partial<Core>): void => {
    const current = cores.at(-1)?.value;
    if (current) cores.push({ time, value: { ...current, ...core } });
    else if (waiting.every((earlier) => earlier.time <= time)) waiting.push({ time, value: core });
  };
  const replace = (time: string, core: Core | null): void => {
    cores.push({ time, value: core });
    waiting = waiting.filter((queued) => queued.time > time);
    const last = waiting.at(-1);
    if (core === null || !last) return;
    const value = Object.assign({ ...core }, ...waiting.splice(0).map((queued) => queued.value));
    cores.push({ time: last.time, value });
  };
  for (const event of history) {
    if (event.type === "price" || event.type === "stock") continue;
    if (event.time < (cores.at(-1)?.time ?? "")) continue;
    if (event.type === "patched") patch(event.time, event.core);
    else replace(event.time, event.type === "deleted" ? null : event.core);
  }
  return cores;
};

/**
 * Computes the prices. Product events and price events are two sources with versions of their own, and the newer price
 * wins. A delete removes the price of the product events.
 */
const priceStates = (history: readonly AppliedEvent[]): Values<string | null> => {
  type PriceValue = TimedValue<string | null | undefined> & { readonly type: AppliedEvent["type"] };
  const all = history.flatMap((event): PriceValue[] => {
    const { type, time } = event;
    if (type === "deleted") return [{ type, time, value: undefined }];
    return "price" in event ? [{ type, time, value: event.price ?? null }] : [];
  });
  const fromPrices = withoutStale(all.filter(({ type }) => type === "price"));
  const fromProducts = withoutStale(all.filter(({ type }) => type !== "price"));
  const deleted = fromProducts.findLastIndex(({ value }) => value === undefined);
  const counted = new Set([...fromPrices, ...fromProducts.slice(deleted + 1)]);
  return sortByTime(
    all.flatMap((one) => (counted.has(one) ? [{ time: one.time, value: one.value ?? null }] : [])),
  );
};

/** Computes whether the product can be ordered. It is out of stock before its first stock event. */
const stockStates = (history: readonly AppliedEvent[]): Values<boolean> =>
  withoutStale([
    { time: "", value: false },
    ...history.flatMap((event) =>
      event.type === "stock" ? [{ time: event.time, value: event.orderable }] : [],
    ),
  ]);

const priceOf = (history: readonly AppliedEvent[]): string | null =>
  priceStates(history).at(-1)?.value ?? null;

/**
 * Computes the expected product.
 * @param currency the shop's currency
 * @returns undefined for a product that is not visible
 */
export const expectedProduct = (
  history: readonly AppliedEvent[],
  currency: string,
): ExpectedProduct | undefined => {
  const cores = coreStates(history);
  const core = cores.at(-1)?.value;
  if (!core?.active) return undefined;
  const price = priceOf(history);
  const updatedAt = [lastChange(cores), lastChange(priceStates(history))].sort().at(-1) ?? "";
  return {
    name: core.name,
    url: core.url,
    price,
    isCompared: price?.endsWith(` ${currency}`) ?? false,
    availability: stockStates(history).at(-1)?.value ? "IN_STOCK" : "OUT_OF_STOCK",
    updatedAt,
    lastmod: [updatedAt, lastChange(stockStates(history))].sort().at(-1) ?? "",
  };
};
