import type { Image, Money, Named } from "../../events/event.ts";
import { type Packing, packed, packedList } from "./row-encoding.ts";
import type {
  CoreRow,
  Group,
  PriceGroup,
  PriceRow,
  ProductCore,
  Stamp,
  StockRow,
  TextRow,
} from "./rows.ts";

/** Encodings of the rows that exist once per product. */

/** Leaves out trailing values that are absent, because most events have neither a sequence nor sub-millisecond digits. */
const stamp: Packing<Stamp> = {
  pack({ id, time, sequence, subMillis }) {
    if (subMillis !== undefined) return [id, time, sequence ?? null, subMillis];
    return sequence === undefined ? [id, time] : [id, time, sequence];
  },
  unpack(stored) {
    if (!Array.isArray(stored)) return stored as Stamp;
    const values: readonly unknown[] = stored;
    const [id, time, sequence, subMillis] = values as readonly [string, number, string?, string?];
    const stamp = sequence == null ? { id, time } : { id, time, sequence };
    return subMillis === undefined ? stamp : { ...stamp, subMillis };
  },
};

const named = packed<Named>({ name: null, value: null });

const image = packed<Image>({ url: null, alt: null });

const core = packed<ProductCore>({
  name: null,
  url: null,
  reference: null,
  gtin: null,
  brand: null,
  categoryIds: null,
  specifications: packedList(named),
  images: packedList(image),
  active: null,
  html: null,
});

export const coreRows = packed<CoreRow>({
  group: packed<Group<ProductCore>>({ stamp, changedAt: null, content: core }),
  pending: null,
  moves: null,
});

const price = packed<PriceGroup>({
  stamp,
  changedAt: null,
  content: packed<{ readonly money: Money | null }>({
    money: packed<Money>({ amount: null, currency: null }),
  }),
  toldOther: null,
});

export const priceRows = packed<PriceRow>({ product: price, price, tie: null });

export const stockRows = packed<StockRow>({
  stamp,
  changedAt: null,
  content: packed<{ readonly orderable: boolean }>({ orderable: null }),
});

/** Stores a description once when its Markdown is the same text. */
export const textRows: Packing<TextRow> = {
  pack: ({ description, markdown }) =>
    markdown === description ? [description] : [description, markdown],
  unpack(stored) {
    if (!Array.isArray(stored)) return stored as TextRow;
    const [description = null, markdown = description] = stored as readonly (string | null)[];
    return { description, markdown };
  },
};
