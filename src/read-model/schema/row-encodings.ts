import type { Money } from "../../events/event.ts";
import type { Sale } from "../../events/product-facts.ts";
import type { PriceGroup } from "../../offers/price.ts";
import type { PricePeriod } from "../../offers/price-periods.ts";
import { outOfStock, type ShownStock } from "../../offers/stock.ts";
import { encodeAsArray, encodeList, type RowEncoding } from "./codec.ts";
import type { OfferChanges, OfferRow } from "./documents.ts";
import type { Image, Specification } from "./product-parts.ts";
import type {
  AgentRow,
  CoreRow,
  EventVersion,
  FieldGroup,
  MemberVersion,
  PriceFieldGroup,
  PriceRow,
  ProductCore,
  StockContent,
  StockRow,
  VariantListRow,
  VariantRow,
} from "./rows.ts";

/** Encodings of the rows that exist once per product. */

/** Leaves out trailing values that are absent, because most events have neither a sequence nor sub-millisecond digits. */
const version: RowEncoding<EventVersion> = {
  encode({ id, time, sequence, subMillis }) {
    if (subMillis !== undefined) return [id, time, sequence ?? null, subMillis];
    return sequence === undefined ? [id, time] : [id, time, sequence];
  },
  decode(stored) {
    const [id, time, sequence, subMillis] = stored as readonly [string, number, string?, string?];
    const version = sequence == null ? { id, time } : { id, time, sequence };
    return subMillis === undefined ? version : { ...version, subMillis };
  },
};

/** The first members of every field group. */
const dated = { version, contentChangedAt: null };

const specification = encodeAsArray<Specification>({ name: null, value: null, typed: null });

const image = encodeAsArray<Image>({ url: null, alt: null, width: null, height: null });

const core = encodeAsArray<ProductCore>({
  name: null,
  url: null,
  reference: null,
  gtin: null,
  brand: null,
  categoryIds: null,
  specifications: encodeList(specification),
  images: encodeList(image),
  active: null,
  html: null,
  facts: null,
});

export const coreRowEncoding = encodeAsArray<CoreRow>({
  group: encodeAsArray<FieldGroup<ProductCore>>({ ...dated, content: core, pastChangesAt: null }),
  pending: null,
  moves: null,
  upsertVersion: version,
});

/** Stores a price as one text, `9.90 EUR`, because JSON parses it several times faster than an object. */
const encodeMoney = (money: Money | null): string | null =>
  money && `${money.amount} ${money.currency}`;

const toMoney = (stored: string): Money => {
  const end = stored.indexOf(" ");
  return { amount: stored.slice(0, end), currency: stored.slice(end + 1) };
};

const decodeMoney = (stored: unknown) => (typeof stored === "string" ? toMoney(stored) : null);

const encodeSale = ({ price, from = null, to = null }: Sale) => [encodeMoney(price), from, to];

const decodeSale = (stored: unknown): Sale => {
  const [price, from, to] = stored as readonly [string, string | null, string | null];
  return { price: toMoney(price), from, to };
};

/** Stores a price alone, because most shops have nothing else. */
const priceGroup: RowEncoding<PriceGroup> = {
  encode({ price, listPrice, priorPrice, sales }) {
    const plain = [encodeMoney(price)];
    if (!listPrice && !priorPrice && sales.length === 0) return plain;
    return [...plain, encodeMoney(listPrice), encodeMoney(priorPrice), sales.map(encodeSale)];
  },
  decode(stored) {
    const values = stored as readonly unknown[];
    return {
      price: decodeMoney(values[0]),
      listPrice: decodeMoney(values[1]),
      priorPrice: decodeMoney(values[2]),
      sales: ((values[3] ?? []) as readonly unknown[]).map(decodeSale),
    };
  },
};

/** Stores a price alone as its instant and its amount. Written by hand, because each product of a list decodes its periods. */
const period: RowEncoding<PricePeriod> = {
  encode({ from, price, listPrice, priorPrice, sale, range, featured, onSale, isOrderable }) {
    const plain = [from, encodeMoney(price)];
    if (listPrice === null && featured === null) return plain;
    return [
      ...[...plain, encodeMoney(listPrice), encodeMoney(priorPrice), sale && encodeSale(sale)],
      ...[range && [encodeMoney(range.min), encodeMoney(range.max)], featured, onSale, isOrderable],
    ];
  },
  decode(stored) {
    const values = stored as readonly unknown[];
    const range = values[5] as readonly [string, string] | null | undefined;
    return {
      from: values[0] as number,
      price: decodeMoney(values[1]),
      listPrice: decodeMoney(values[2]),
      priorPrice: decodeMoney(values[3]),
      sale: values[4] ? decodeSale(values[4]) : null,
      range: range ? { min: toMoney(range[0]), max: toMoney(range[1]) } : null,
      featured: (values[6] ?? null) as number | null,
      onSale: values[7] === true,
      isOrderable: values[8] === true,
    };
  },
};

const inStock: ShownStock = { ...outOfStock, orderable: true, status: "in_stock" };

/** Stores whether the product can be ordered, where that is all. */
const stock: RowEncoding<ShownStock> = {
  encode({ orderable, status, quantity, availabilityDate }) {
    const isPlain = status === (orderable ? "in_stock" : "out_of_stock");
    if (isPlain && quantity === null && availabilityDate === null) return orderable;
    return [orderable, status, quantity, availabilityDate];
  },
  decode(stored) {
    if (typeof stored === "boolean") return stored ? inStock : outOfStock;
    const [orderable, status, quantity, availabilityDate] = stored as readonly [
      ...[boolean, ShownStock["status"], number | null, string | null],
    ];
    return { orderable, status, quantity, availabilityDate };
  },
};

const changes = encodeAsArray<OfferChanges>({
  ...{ priceGroup, changesAt: null, bounds: null, dateChangesAt: null, hasVariants: null },
});

const offer = encodeAsArray<OfferRow>({
  ...{ changedAt: null, shownAt: null, stock, periods: encodeList(period), changes },
});

/** Decodes the members of `offer` by hand, because a page decodes 100 offers. A member that is added there needs its line here. */
export const offerRowEncoding: RowEncoding<OfferRow> = {
  encode: offer.encode,
  decode(stored) {
    const values = stored as readonly [number, number, unknown, readonly unknown[], unknown?];
    const [changedAt, shownAt] = values;
    const [own, periods] = [stock.decode(values[2]), values[3].map(period.decode)];
    return values.length < 5
      ? { changedAt, shownAt, stock: own, periods }
      : { changedAt, shownAt, stock: own, periods, changes: changes.decode(values[4]) };
  },
};

const price = encodeAsArray<PriceFieldGroup>({
  ...dated,
  content: priceGroup,
  previousPriceAt: null,
  memberVersions: encodeList(
    encodeAsArray<MemberVersion>({ version, members: null, isCleared: null, isLater: null }),
  ),
  pastChangesAt: null,
});

export const priceRowEncoding = encodeAsArray<PriceRow>({
  product: price,
  price,
  tie: null,
  precededBy: null,
});

export const stockRowEncoding = encodeAsArray<StockRow>({
  ...dated,
  content: encodeAsArray<StockContent>({
    orderable: null,
    availability: null,
    availabilityDate: null,
  }),
  quantity: null,
  quantityChangedAt: null,
  pastChangesAt: null,
});

/** The contents stay objects, because most of their members are absent. */
export const variantListRowEncoding = encodeAsArray<VariantListRow>({
  ...dated,
  content: null,
  pastChangesAt: null,
});

export const variantRowEncoding = encodeAsArray<VariantRow>({
  ...dated,
  content: null,
  precededBy: null,
  pastChangesAt: null,
});

/**
 * Reads tokens of layout 1 too, where the members had other names: `token` and the recovery of revocations read generations
 * that the projector has not rebuilt yet.
 */
export const agentRowEncoding: RowEncoding<AgentRow> = {
  encode: (row) => row,
  decode(stored) {
    if (!isLayout1Row(stored)) return stored as AgentRow;
    return { version: stored.stamp, contentChangedAt: stored.changedAt, content: stored.content };
  },
};

const isLayout1Row = (
  row: unknown,
): row is Pick<AgentRow, "content"> & {
  readonly stamp: EventVersion;
  readonly changedAt: number;
} => typeof row === "object" && row !== null && "stamp" in row;
