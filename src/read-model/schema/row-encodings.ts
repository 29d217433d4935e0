import type { Money } from "../../events/event.ts";
import type { PriceTerms } from "../../offers/price.ts";
import type { Image, Specification } from "./goods.ts";
import { encodeAsArray, encodeList, type RowEncoding } from "./row-encoding.ts";
import type {
  AgentRow,
  CoreRow,
  EventVersion,
  FieldGroup,
  OlderMembers,
  PriceGroup,
  PriceRow,
  ProductCore,
  StockContent,
  StockRow,
  TextRow,
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
  group: encodeAsArray<FieldGroup<ProductCore>>({ ...dated, content: core, pastEdges: null }),
  pending: null,
  moves: null,
  upsertVersion: version,
});

const money = encodeAsArray<Money>({ amount: null, currency: null });

/** Stores a price alone as its amount and currency, because most shops have nothing else. */
const terms: RowEncoding<PriceTerms> = {
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
      PriceTerms["sales"],
    ];
    return { price, listPrice, priorPrice, sales };
  },
};

const price = encodeAsArray<PriceGroup>({
  ...dated,
  content: terms,
  previousPriceAt: null,
  older: encodeList(
    encodeAsArray<OlderMembers>({ version, members: null, isCleared: null, isLater: null }),
  ),
  pastEdges: null,
});

export const priceRowEncoding = encodeAsArray<PriceRow>({
  product: price,
  price,
  tie: null,
  after: null,
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
  pastEdges: null,
});

/** The contents stay objects, because most of their members are absent. */
export const variantListRowEncoding = encodeAsArray<VariantListRow>({
  ...dated,
  content: null,
  pastEdges: null,
});

export const variantRowEncoding = encodeAsArray<VariantRow>({
  ...dated,
  content: null,
  after: null,
  pastEdges: null,
});

/** Stores a description once when its Markdown is the same text. */
export const textRowEncoding: RowEncoding<TextRow> = {
  encode: ({ description, markdown }) =>
    markdown === description ? [description] : [description, markdown],
  decode(stored) {
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
