import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { Money } from "../../../src/events/event.ts";
import type { Sale, VariantData } from "../../../src/events/product-facts.ts";

/**
 * A plain evaluation of Contract 9 in memory, written from its rules alone: events are sorted by time and folded one by one, and each
 * question is answered from scratch.
 */

interface Prices {
  readonly price: Money | null;
  readonly listPrice: Money | null;
  readonly priorPrice: Money | null;
  readonly sales: readonly Sale[];
}

interface Line {
  readonly id: number;
  readonly data: VariantData;
  readonly own: Prices | undefined;
  readonly orderable: boolean;
}

/** What is shown, with amounts only. */
export interface PlainShown {
  readonly price: string | null;
  readonly list: string | null;
  readonly range: readonly [string, string] | null;
  readonly inStock: boolean;
  readonly variants: readonly (readonly [
    id: number,
    price: string | null,
    list: string | null,
    inStock: boolean,
  ])[];
}

const none: Prices = { price: null, listPrice: null, priorPrice: null, sales: [] };
const members = ["price", "listPrice", "priorPrice", "sales"] as const;

type Data = Readonly<Record<string, unknown>> & Partial<VariantData>;

const dataOf = (event: CloudEvent): Data => event.data as Data;

const completeGroup = (data: Data): Prices => ({
  price: data.price ?? null,
  listPrice: data.listPrice ?? null,
  priorPrice: data.priorPrice ?? null,
  sales: data.sales ?? [],
});

const statesPrices = (data: Data): boolean => members.some((name) => data[name] !== undefined);

/** Evaluates product 1 at an instant. */
export const evaluatePlainly = (
  events: readonly CloudEvent[],
  instant: number,
  currency: string,
): PlainShown => {
  const sorted = [...events].sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
  const product = foldProduct(sorted);
  const stock = foldStock(sorted, "stock/1") ?? false;
  const lines = foldVariants(sorted).map(
    ({ entry, own }): Line => ({
      id: entry.id,
      data: entry,
      own,
      orderable: foldStock(sorted, `stock/1/${entry.id}`) ?? stock,
    }),
  );
  const active = lines.filter(({ data }) => data.active !== false);
  const shownLines = active.map((line) => {
    const own =
      line.own && members.some((name) => hasValue(line.own?.[name])) ? line.own : undefined;
    const prices = own ? { ...own, price: own.price ?? product.price } : product;
    return { line, shown: showPrices(prices, instant) };
  });
  const comparable = shownLines.filter(({ shown }) => shown.price?.currency === currency);
  const orderable = comparable.filter(({ line }) => line.orderable);
  const counted = orderable.length > 0 ? orderable : comparable;
  const [lowest] = [...counted].sort((a, b) => amount(a.shown.price) - amount(b.shown.price));
  const highest = [...counted].sort((a, b) => amount(b.shown.price) - amount(a.shown.price))[0];
  const fallback = shownLines.find(({ shown }) => shown.price) ?? shownLines[0];
  const featured = lowest ?? fallback;
  const shown = featured ? featured.shown : showPrices(product, instant);
  return {
    price: shown.price?.amount ?? null,
    list: shown.list?.amount ?? null,
    range:
      lowest && highest
        ? [lowest.shown.price?.amount ?? "", highest.shown.price?.amount ?? ""]
        : null,
    inStock: lines.length === 0 ? stock : active.some((line) => line.orderable),
    variants: shownLines.map(({ line, shown: { price, list } }) => [
      line.id,
      price?.amount ?? null,
      list?.amount ?? null,
      line.orderable,
    ]),
  };
};

const amount = (price: Money | null): number => Number(price?.amount);

const hasValue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;

const showPrices = ({ price, listPrice, sales }: Prices, instant: number) => {
  const isBelow = (one: Money): boolean =>
    price !== null && one.currency === price.currency && Number(one.amount) < Number(price.amount);
  const sale = sales.find(
    ({ price: reduced, from, to }) =>
      isBelow(reduced) &&
      (from == null || Date.parse(from) <= instant) &&
      (to == null || instant < Date.parse(to)),
  );
  if (sale) return { price: sale.price, list: price };
  const isAbove =
    price !== null &&
    listPrice !== null &&
    listPrice.currency === price.currency &&
    Number(listPrice.amount) > Number(price.amount);
  return { price, list: isAbove ? listPrice : null };
};

const foldProduct = (sorted: readonly CloudEvent[]): Prices => {
  let prices = none;
  for (const event of sorted) {
    const data = dataOf(event);
    if (event.subject === "price/1") prices = completeGroup(data);
    if (event.type === "shop.product.upserted" && statesPrices(data)) prices = completeGroup(data);
    if (event.type === "shop.product.patched") prices = patchPrices(prices, data);
  }
  return prices;
};

const patchPrices = (prices: Prices, data: Data): Prices => {
  const changes = members.flatMap((name) =>
    data[name] === undefined ? [] : [[name, data[name] ?? (name === "sales" ? [] : null)]],
  );
  return { ...prices, ...Object.fromEntries(changes) };
};

const foldStock = (sorted: readonly CloudEvent[], subject: string): boolean | undefined => {
  const last = sorted.findLast((event) => event.subject === subject);
  if (!last) return undefined;
  const { orderable, quantity } = dataOf(last) as { orderable?: boolean; quantity: number | null };
  return orderable ?? (quantity ?? 0) > 0;
};

/** What one event says, with its position by time, then by the log. Of each subject only the newest counts. */
interface Stated<V> {
  readonly value: V;
  readonly position: number;
}

/** Folds lists, events of variants and prices of variants. */
const foldVariants = (sorted: readonly CloudEvent[]) => {
  const list = newest(sorted, readList);
  const ids = [...new Set(sorted.flatMap(({ subject }) => variantIn(subject)))];
  const alone = ids
    .sort((a, b) => a - b)
    .flatMap((id) => {
      const own = newest(sorted, (event) => readVariant(event, id));
      return own ? [{ id, ...own }] : [];
    });
  const later = alone.filter(({ position }) => !list?.value || position > list.position);
  const entries = list?.value ?? [];
  const listed = entries.flatMap((entry) => {
    const own = later.find(({ id }) => id === entry.id);
    return own ?? { id: entry.id, value: entry, position: list?.position ?? 0 };
  });
  const others = later.filter(({ id }) => !entries.some((entry) => entry.id === id));
  return [...listed, ...others].flatMap(({ id, value: entry, position }) => {
    if (!entry) return [];
    const priced = newest(sorted, (event) => readPrices(event, id));
    const fromEntry = statesPrices(entry as Data) ? completeGroup(entry as Data) : undefined;
    const own = priced && (!fromEntry || priced.position > position) ? priced.value : fromEntry;
    return [{ entry, own }];
  });
};

/** Reads the last event that says something. @param read returns undefined for an event that says nothing */
const newest = <V>(
  sorted: readonly CloudEvent[],
  read: (event: CloudEvent) => V | undefined,
): Stated<V> | undefined => {
  const stated = sorted.flatMap((event, position) => {
    const value = read(event);
    return value === undefined ? [] : [{ value, position }];
  });
  return stated.at(-1);
};

/** @returns null for an upsert without a list */
const readList = (event: CloudEvent): readonly VariantData[] | null | undefined => {
  const variants = dataOf(event).variants as readonly VariantData[] | null | undefined;
  if (event.type === "shop.product.upserted") return variants ?? null;
  if (event.type !== "shop.product.patched" || variants === undefined) return undefined;
  return variants ?? [];
};

const variantIn = (subject: string): readonly number[] => {
  const [kind, , id] = subject.split("/");
  return kind === "variant" ? [Number(id)] : [];
};

/** @returns null for a deleted variant */
const readVariant = (event: CloudEvent, id: number): VariantData | null | undefined => {
  if (event.subject !== `variant/1/${id}`) return undefined;
  return event.type === "shop.variant.deleted" ? null : (dataOf(event) as VariantData);
};

const readPrices = (event: CloudEvent, id: number): Prices | undefined =>
  event.subject === `price/1/${id}` ? completeGroup(dataOf(event)) : undefined;
