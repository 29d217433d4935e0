import type { BadRow, FileBody, FileContext, ReadItems } from "../items.ts";
import { readRows } from "../rows.ts";
import { googleNeeded, readFirst, readOffer } from "./offer.ts";
import { readXmlItems, type XmlItem } from "./xml.ts";

/** What divides the values of an attribute in a cell. */
const separators: Readonly<Record<string, RegExp>> = {
  additional_image_link: /,\s*(?=https?:)/i,
  product_highlight: /"\s*,\s*"|,(?=[^\s"])/,
  product_detail: /,(?=[^:,]*:[^:,]+:)/,
  variant_option: /,(?=[^:,]+:)/,
  certification: /,(?=[^:,]+:[^:,]+:)/,
};

const attributes = [
  ...[...googleNeeded, ...Object.keys(separators), "description", "image_link", "canonical_link"],
  ...[
    "availability",
    "availability_date",
    "expiration_date",
    "quantity",
    "sell_on_google_quantity",
  ],
  ...["sale_price", "sale_price_effective_date", "unit_pricing_measure"],
  ...["unit_pricing_base_measure", "item_group_id", "item_group_title", "product_type"],
  ...["color", "size", "material", "pattern", "gender", "age_group", "brand", "gtin", "mpn"],
  ...["energy_efficiency_class", "min_energy_efficiency_class", "max_energy_efficiency_class"],
  "condition",
];

/** Words of a header by attribute. */
export const googleWords = Object.fromEntries(
  attributes.map((name) => [name, [name, `g:${name}`]]),
);

type Attributes = Readonly<Record<string, readonly unknown[]>>;

interface RawItem {
  readonly line: number;
  readonly attributes: Attributes;
}

/** Bounds of a body in items and characters. The rest of a group is another body. */
const [maxItems, maxLength] = [2_048, 2 * 1024 * 1024];

/** Reads product data for Google: one body has the adjacent items of a group (Contract 10, Product data for Google). */
export const readGoogle: ReadItems = async function* (chunks, context) {
  let [items, length]: [RawItem[], number] = [[], 0];
  for await (const item of readRawItems(chunks, context)) {
    if ("reason" in item) {
      yield item;
      continue;
    }
    const added = JSON.stringify(item.attributes).length;
    const isFull = items.length === maxItems || length + added > maxLength;
    if (items[0] && (isFull || !isSameGroup(items[0], item))) {
      yield toBody(items[0], items);
      [items, length] = [[], 0];
    }
    items.push(item);
    length += added;
  }
  if (items[0]) yield toBody(items[0], items);
};

const toBody = ({ line }: RawItem, items: readonly RawItem[]): FileBody => {
  const body = { items: items.map((item) => item.attributes) };
  return { line, topic: "google/item", body };
};

const isSameGroup = (one: RawItem, other: RawItem): boolean => {
  const id = readFirst(one.attributes, "item_group_id");
  return id !== undefined && id === readFirst(other.attributes, "item_group_id");
};

async function* readRawItems(
  chunks: AsyncIterable<Uint8Array>,
  context: FileContext,
): AsyncGenerator<RawItem | BadRow> {
  const { first, all } = await peek(chunks);
  if (first === "<".charCodeAt(0)) {
    for await (const item of readXmlItems(all))
      yield check(item.line, readElements(item), context, (column, reason) => ({
        ...{ line: item.line, column, reason },
      }));
    return;
  }
  const format = { words: googleWords, needed: googleNeeded, delimiter: "\t" } as const;
  for await (const row of readRows(all, format, context))
    yield "reason" in row
      ? row
      : check(
          row.line,
          pick((name) => splitCell(name, row.get(name))),
          context,
          row.bad,
        );
}

/** Checks each item, because a translator refuses a body for one of its items. */
const check = (
  line: number,
  item: Attributes,
  context: FileContext,
  toBad: (column: string, reason: string) => BadRow,
): RawItem | BadRow => {
  const offer = readOffer(item, context);
  return "reason" in offer ? toBad(offer.attribute, offer.reason) : { line, attributes: item };
};

const pick = (read: (name: string) => readonly unknown[] | undefined): Attributes =>
  Object.fromEntries(
    attributes.flatMap((name) => {
      const values = read(name);
      return values ? [[name, values] as const] : [];
    }),
  );

/** Plain elements that stand for one of Google. */
const plainNames: Readonly<Record<string, readonly string[]>> = {
  title: ["title"],
  link: ["link"],
  description: ["description", "summary"],
};

const readElements = ({ values }: XmlItem): Attributes =>
  pick((name) => {
    const names = [`g:${name}`, ...(plainNames[name] ?? [])];
    return values.get(names.find((each) => values.has(each)) ?? "");
  });

const splitCell = (name: string, text: string | undefined): readonly string[] | undefined => {
  const separator = separators[name];
  if (!separator || text === undefined) return text === undefined ? undefined : [text];
  return text.split(separator).map((value) => value.replace(/^"|"$/g, ""));
};

/** Reads up to a byte that is no blank and no mark of UTF-8. */
const peek = async (chunks: AsyncIterable<Uint8Array>) => {
  const rest = chunks[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let first: number | undefined;
  while (first === undefined) {
    const { done, value } = await rest.next();
    if (done) break;
    read.push(value);
    first = value.find((byte) => ![0xef, 0xbb, 0xbf, 9, 10, 13, 32].includes(byte));
  }
  const all = async function* () {
    yield* read;
    yield* { [Symbol.asyncIterator]: () => rest };
  };
  return { first, all: all() };
};
