import type { Money } from "../../events/event.ts";
import type { PriceGroup } from "../../offers/price.ts";
import type { PricePeriod } from "../../offers/price-periods.ts";
import { outOfStock, type ShownStock } from "../../offers/stock.ts";
import type { OfferRow } from "./documents.ts";
import type { Image, Specification } from "./product-parts.ts";
import { encodeAsArray, encodeList, type RowEncoding } from "./row-encoding.ts";
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

const money = encodeAsArray<Money>({ amount: null, currency: null });

/** Stores a price alone as its amount and currency, because most shops have nothing else. */
const priceGroup: RowEncoding<PriceGroup> = {
  encode({ price, listPrice, priorPrice, sales }) {
    if (listPrice || priorPrice || sales.length > 0) return [price, listPrice, priorPrice, sales];
    return [price && money.encode(price)];
  },
  decode(stored) {
    const values = stored as readonly unknown[];
    if (values.length === 1) {
      const price = values[0] == null ? null : money.decode(values[0]);
      return { price, listPrice: null, priorPrice: null, sales: [] };
    }
    const [price, listPrice, priorPrice, sales] = values as readonly [
      ...[Money | null, Money | null, Money | null],
      PriceGroup["sales"],
    ];
    return { price, listPrice, priorPrice, sales };
  },
};

/** Stores a price alone as its instant and its amount. Written by hand, because each product of a list decodes its periods. */
const period: RowEncoding<PricePeriod> = {
  encode({ from, price, listPrice, priorPrice, sale, range, featured, onSale, isOrderable }) {
    const plain = [from, price && money.encode(price)];
    if (listPrice === null && featured === null) return plain;
    return [...plain, listPrice, priorPrice, sale, range, featured, onSale, isOrderable];
  },
  decode(stored) {
    const [from, price, ...others] = stored as Parameters<typeof decodePeriod>;
    return decodePeriod(from, price, ...others);
  },
};

const decodePeriod = (
  from: number,
  price: unknown,
  listPrice: Money | null = null,
  priorPrice: Money | null = null,
  sale: PricePeriod["sale"] = null,
  range: PricePeriod["range"] = null,
  featured: number | null = null,
  onSale = false,
  isOrderable = false,
): PricePeriod => ({
  from,
  price: price === null ? null : money.decode(price),
  ...{ listPrice, priorPrice, sale, range, featured, onSale, isOrderable },
});

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

export const offerRowEncoding = encodeAsArray<OfferRow>({
  changedAt: null,
  shownAt: null,
  stock,
  periods: encodeList(period),
  changes: null,
});

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
