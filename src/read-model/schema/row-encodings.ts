import type { Image, Money, NameValue } from "../../events/event.ts";
import { encodeAsArray, encodeList, type RowEncoding } from "./row-encoding.ts";
import type {
  CoreRow,
  EventVersion,
  FieldGroup,
  PriceGroup,
  PriceRow,
  ProductCore,
  StockRow,
  TextRow,
} from "./rows.ts";

/** Encodings of the rows that exist once per product. */

/** Leaves out trailing values that are absent, because most events have neither a sequence nor sub-millisecond digits. */
const stamp: RowEncoding<EventVersion> = {
  encode({ id, time, sequence, subMillis }) {
    if (subMillis !== undefined) return [id, time, sequence ?? null, subMillis];
    return sequence === undefined ? [id, time] : [id, time, sequence];
  },
  decode(stored) {
    if (!Array.isArray(stored)) return stored as EventVersion;
    const values: readonly unknown[] = stored;
    const [id, time, sequence, subMillis] = values as readonly [string, number, string?, string?];
    const stamp = sequence == null ? { id, time } : { id, time, sequence };
    return subMillis === undefined ? stamp : { ...stamp, subMillis };
  },
};

const named = encodeAsArray<NameValue>({ name: null, value: null });

const image = encodeAsArray<Image>({ url: null, alt: null });

const core = encodeAsArray<ProductCore>({
  name: null,
  url: null,
  reference: null,
  gtin: null,
  brand: null,
  categoryIds: null,
  specifications: encodeList(named),
  images: encodeList(image),
  active: null,
  html: null,
});

export const coreRowEncoding = encodeAsArray<CoreRow>({
  group: encodeAsArray<FieldGroup<ProductCore>>({ stamp, changedAt: null, content: core }),
  pending: null,
  moves: null,
});

const price = encodeAsArray<PriceGroup>({
  stamp,
  changedAt: null,
  content: encodeAsArray<{ readonly money: Money | null }>({
    money: encodeAsArray<Money>({ amount: null, currency: null }),
  }),
  toldOther: null,
});

export const priceRowEncoding = encodeAsArray<PriceRow>({ product: price, price, tie: null });

export const stockRowEncoding = encodeAsArray<StockRow>({
  stamp,
  changedAt: null,
  content: encodeAsArray<{ readonly orderable: boolean }>({ orderable: null }),
});

/** Stores a description once when its Markdown is the same text. */
export const textRowEncoding: RowEncoding<TextRow> = {
  encode: ({ description, markdown }) =>
    markdown === description ? [description] : [description, markdown],
  decode(stored) {
    if (!Array.isArray(stored)) return stored as TextRow;
    const [description = null, markdown = description] = stored as readonly (string | null)[];
    return { description, markdown };
  },
};
