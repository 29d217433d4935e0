import type { Image, Money, NameValue } from "../../events/event.ts";
import { encodeAsArray, encodeList, type RowEncoding } from "./row-encoding.ts";
import type {
  AgentRow,
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
const version: RowEncoding<EventVersion> = {
  encode({ id, time, sequence, subMillis }) {
    if (subMillis !== undefined) return [id, time, sequence ?? null, subMillis];
    return sequence === undefined ? [id, time] : [id, time, sequence];
  },
  decode(stored) {
    if (!Array.isArray(stored)) return stored as EventVersion;
    const values: readonly unknown[] = stored;
    const [id, time, sequence, subMillis] = values as readonly [string, number, string?, string?];
    const version = sequence == null ? { id, time } : { id, time, sequence };
    return subMillis === undefined ? version : { ...version, subMillis };
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
  group: encodeAsArray<FieldGroup<ProductCore>>({
    version,
    contentChangedAt: null,
    content: core,
  }),
  pending: null,
  moves: null,
});

const price = encodeAsArray<PriceGroup>({
  version,
  contentChangedAt: null,
  content: encodeAsArray<{ readonly money: Money | null }>({
    money: encodeAsArray<Money>({ amount: null, currency: null }),
  }),
  previousPriceAt: null,
});

export const priceRowEncoding = encodeAsArray<PriceRow>({ product: price, price, tie: null });

export const stockRowEncoding = encodeAsArray<StockRow>({
  version,
  contentChangedAt: null,
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
