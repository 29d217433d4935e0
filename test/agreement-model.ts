/** What the events of one product amount to, told anew and in short: within a group the newest wins, by time. */

export interface Truth {
  readonly name: string;
  readonly url: string;
  /** As in `12.90 EUR`. */
  readonly price: string | null;
  /** Whether ranges and orders compare its price: it has one, in the shop's currency. */
  readonly isCompared: boolean;
  readonly availability: "IN_STOCK" | "OUT_OF_STOCK";
  /** Both ISO 8601. */
  readonly updatedAt: string;
  readonly lastmod: string;
}

export interface Core {
  readonly name: string;
  readonly url: string;
  readonly brand: string | null;
  readonly active: boolean;
}

/** An event in short. `time` is ISO 8601, so times compare as text; without `price` it says nothing of it. */
export type AppliedEvent = { readonly time: string } & (
  | { readonly type: "upserted"; readonly core: Core; readonly price?: string | null }
  | { readonly type: "patched"; readonly core: Partial<Core>; readonly price?: string | null }
  | { readonly type: "deleted" }
  | { readonly type: "price"; readonly price: string | null }
  | { readonly type: "stock"; readonly orderable: boolean }
);

/** What was told of a thing, in the order of the log. */
type Statements<T> = readonly EventTime<T>[];
interface EventTime<T> {
  readonly time: string;
  readonly told: T;
}

/** Without the late ones: those that are older than one before them. */
const heeded = <T extends EventTime<unknown>>(statements: readonly T[]): readonly T[] =>
  statements.filter(({ time }, at) =>
    statements.slice(0, at).every((before) => before.time <= time),
  );

/** When the last of them became what it is: the first telling of it after the last of another. */
const since = (statements: Statements<unknown>): string => {
  const texts = statements.map(({ told }) => JSON.stringify(told));
  return statements[texts.findLastIndex((text) => text !== texts.at(-1)) + 1]?.time ?? "";
};

const byTime = <T>(statements: Statements<T>): Statements<T> =>
  [...statements].sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));

/** Each state of the core; null once deleted. Patches that come before their product wait for it. */
const coresOf = (history: readonly AppliedEvent[]): Statements<Core | null> => {
  const cores: { time: string; told: Core | null }[] = [];
  let waiting: { time: string; told: Partial<Core> }[] = [];
  const patch = (time: string, core: Partial<Core>): void => {
    const current = cores.at(-1)?.told;
    if (current) cores.push({ time, told: { ...current, ...core } });
    else if (waiting.every((earlier) => earlier.time <= time)) waiting.push({ time, told: core });
  };
  const replace = (time: string, core: Core | null): void => {
    cores.push({ time, told: core });
    waiting = waiting.filter((queued) => queued.time > time);
    const last = waiting.at(-1);
    if (core === null || !last) return;
    const told = Object.assign({ ...core }, ...waiting.splice(0).map((queued) => queued.told));
    cores.push({ time: last.time, told });
  };
  for (const event of history) {
    if (event.type === "price" || event.type === "stock") continue;
    if (event.time < (cores.at(-1)?.time ?? "")) continue;
    if (event.type === "patched") patch(event.time, event.core);
    else replace(event.time, event.type === "deleted" ? null : event.core);
  }
  return cores;
};

/** Product and price events tell prices, each in an order of its own; the newer counts. A delete takes the product's. */
const pricesOf = (history: readonly AppliedEvent[]): Statements<string | null> => {
  type PriceTime = EventTime<string | null | undefined> & { readonly type: AppliedEvent["type"] };
  const all = history.flatMap((event): PriceTime[] => {
    const { type, time } = event;
    if (type === "deleted") return [{ type, time, told: undefined }];
    return "price" in event ? [{ type, time, told: event.price ?? null }] : [];
  });
  const ofPrice = heeded(all.filter(({ type }) => type === "price"));
  const ofProduct = heeded(all.filter(({ type }) => type !== "price"));
  const deleted = ofProduct.findLastIndex(({ told }) => told === undefined);
  const counted = new Set([...ofPrice, ...ofProduct.slice(deleted + 1)]);
  return byTime(
    all.flatMap((eventTime) =>
      counted.has(eventTime) ? [{ time: eventTime.time, told: eventTime.told ?? null }] : [],
    ),
  );
};

/** Whether it can be ordered: out of stock until an event says otherwise. */
const stocksOf = (history: readonly AppliedEvent[]): Statements<boolean> =>
  heeded([
    { time: "", told: false },
    ...history.flatMap((event) =>
      event.type === "stock" ? [{ time: event.time, told: event.orderable }] : [],
    ),
  ]);

const priceOf = (history: readonly AppliedEvent[]): string | null =>
  pricesOf(history).at(-1)?.told ?? null;

/**
 * @param currency the shop's
 * @returns undefined for a product that is not visible
 */
export const truthOf = (history: readonly AppliedEvent[], currency: string): Truth | undefined => {
  const cores = coresOf(history);
  const core = cores.at(-1)?.told;
  if (!core?.active) return undefined;
  const price = priceOf(history);
  const updatedAt = [since(cores), since(pricesOf(history))].sort().at(-1) ?? "";
  return {
    name: core.name,
    url: core.url,
    price,
    isCompared: price?.endsWith(` ${currency}`) ?? false,
    availability: stocksOf(history).at(-1)?.told ? "IN_STOCK" : "OUT_OF_STOCK",
    updatedAt,
    lastmod: [updatedAt, since(stocksOf(history))].sort().at(-1) ?? "",
  };
};
