import { readText } from "../members.ts";
import { isVariableType } from "../woocommerce/product.ts";
import { toSlug } from "../woocommerce/variation.ts";
import type { BadRow, FileBody, FileContext, FileItem } from "./items.ts";
import { type Row, type RowFormat, readRows } from "./rows.ts";
import { wooCommerceWords } from "./woocommerce-words.ts";

export { wooCommerceWords };

type Column = keyof typeof wooCommerceWords;
type WooCommerceRow = Row<Column>;

const format: RowFormat<Column> = {
  words: wooCommerceWords,
  // Without the words for status and stock, goods would be shown that the shop hides or does not have.
  needed: [
    ...(["id", "type", "name", "published", "catalog_visibility"] as const),
    ...(["stock_status", "stock", "regular_price"] as const),
  ],
  content: {
    ...{ id: /^\d+$/, type: /^(simple|variable|variation|grouped|external)\b/ },
    ...{ name: /\p{L}\S* \S/u, published: /^('?-1|[012])$/, regular_price: /^\d+[.,]\d\d$/ },
  },
};

/**
 * Reads the export of products of WooCommerce as bodies of its webhooks (Contract 10, Files of WooCommerce). Rows that need others
 * come last, from another reading, so that none is held.
 * @param open reads the file from its begin
 */
export async function* readWooCommerceCsv(
  open: () => AsyncIterable<Uint8Array>,
  context: FileContext,
): AsyncGenerator<FileItem> {
  const links: Links = { ids: new Map(), options: new Map() };
  const waiting = new Set<number>();
  for await (const row of readGoodRows(open(), context)) {
    if ("reason" in row) {
      yield row;
      continue;
    }
    addLinks(row, links);
    if (isWaiting(row)) waiting.add(row.line);
    else yield toItem(row, context, links);
  }
  if (links.ids.size > 0) await addIds(readGoodRows(open(), context), links);
  if (waiting.size === 0) return;
  for await (const row of readGoodRows(open(), context))
    if ("get" in row && waiting.has(row.line)) yield toItem(row, context, links);
}

async function* readGoodRows(
  chunks: AsyncIterable<Uint8Array>,
  context: FileContext,
): AsyncGenerator<WooCommerceRow | BadRow> {
  for await (const row of readRows(chunks, format, context))
    yield "reason" in row ? row : (findBadCell(row) ?? row);
}

const price = /^(\d{1,15}([.,]\d{1,6}0*)?)?$/;
const mustBePrice = "must be a decimal without a sign for thousands, such as 19.90 or 19,90";

const checks: readonly (readonly [column: Column, pattern: RegExp, reason: string])[] = [
  ["id", /^[1-9]\d*$/, "must be the number of the product"],
  ["name", /./, "must be the name of the product"],
  ["published", /^(-1|[012])$/, "must be 1, 0, -1 or 2"],
  ["stock_status", /^([01]|backorder)$/, "must be 1, 0 or backorder"],
  ["stock", /^(-?\d+(\.\d+)?|parent)?$/, "must be a number, parent or empty"],
  ["backorders", /^([01]|notify)?$/, "must be 1, 0 or notify"],
  ["regular_price", price, mustBePrice],
  ["sale_price", price, mustBePrice],
];

const findBadCell = (row: WooCommerceRow): BadRow | undefined => {
  const check = checks.find(([column, pattern]) => !pattern.test(readCell(row, column)));
  return check && row.bad(check[0], check[2]);
};

/** Reads a cell. The exporter writes an apostrophe before what a table would take for a formula. */
const readCell = (row: WooCommerceRow, column: Column, number?: number): string =>
  (row.get(column, number) ?? "").replace(/^'(?=[=+\-@\t\r])/, "");

/** Reads a list with `,` between its items, and `\,` within them. */
const readListCell = (row: WooCommerceRow, column: Column, number?: number): readonly string[] =>
  readCell(row, column, number)
    .split(/(?<!\\),/)
    .flatMap((item) => readText(item.replaceAll("\\,", ",")) ?? []);

/** Reads a text whose line breaks are `\n`, and whose `\n` is `\\n`. */
const readTextCell = (row: WooCommerceRow, column: Column): string =>
  readCell(row, column).replace(/\\\\n|\\n/g, (mark) => (mark === "\\n" ? "\n" : "\\n"));

/** What rows say of other rows. */
interface Links {
  /** Id by SKU, of the SKUs by which rows name products; undefined for one that no row has. */
  readonly ids: Map<string, number | undefined>;
  /** Attributes of variations, divided by line breaks, by what the variations name their parent. */
  readonly options: Map<string, string>;
}

const referenceColumns = ["grouped_products", "upsell_ids", "cross_sell_ids"] as const;

const addLinks = (row: WooCommerceRow, { ids, options }: Links): void => {
  for (const sku of listSkus(row)) ids.set(sku, undefined);
  const parent = readCell(row, "parent_id");
  if (parent === "") return;
  const names = readAttributes(row).map(({ name }) => toSlug(name));
  const before = options.get(parent)?.split("\n") ?? [];
  const all = [...new Set([...before, ...names])];
  if (all.length > before.length || before.length === 0) options.set(parent, all.join("\n"));
};

/** Lists the SKUs by which a row names other products. */
const listSkus = (row: WooCommerceRow): readonly string[] =>
  [
    readCell(row, "parent_id"),
    ...referenceColumns.flatMap((column) => readListCell(row, column)),
  ].filter((name) => name !== "" && !idForm.test(name));

const idForm = /^id:(\d+)$/;

const addIds = async (
  rows: AsyncIterable<WooCommerceRow | BadRow>,
  { ids }: Links,
): Promise<void> => {
  for await (const row of rows) {
    const sku = "get" in row ? readCell(row, "sku") : "";
    if ("get" in row && ids.has(sku)) ids.set(sku, Number(readCell(row, "id")));
  }
};

/** Whether the body of a row needs other rows. */
const isWaiting = (row: WooCommerceRow): boolean =>
  isVariableType(readTypes(row).type) || listSkus(row).length > 0;

/** Reads the products that a row names: `id:7`, or a SKU. One that the file lacks stays `{ sku }`. */
const toReferences = (row: WooCommerceRow, { ids }: Links) => {
  const find = (name: string) => idForm.exec(name)?.[1] ?? ids.get(name) ?? { sku: name };
  const parent = readCell(row, "parent_id");
  return {
    parent_id: parent === "" ? undefined : find(parent),
    ...Object.fromEntries(
      referenceColumns.map((column) => [column, readListCell(row, column).map(find)]),
    ),
  };
};

const readTypes = (row: WooCommerceRow) => {
  const types = readListCell(row, "type");
  const [virtual, downloadable] = [types.includes("virtual"), types.includes("downloadable")];
  const type = types.find((each) => each !== "virtual" && each !== "downloadable") ?? "simple";
  return { type, virtual, downloadable };
};

/** Reads the attributes up to the first without a name. */
const readAttributes = (row: WooCommerceRow) => {
  const attributes: { readonly name: string; readonly values: readonly string[] }[] = [];
  for (let name = " ", number = 1; name !== ""; number += 1) {
    name = readCell(row, "attribute_name", number);
    if (name !== "")
      attributes.push({ name, values: readListCell(row, "attribute_value", number) });
  }
  return attributes;
};

const toItem = (row: WooCommerceRow, { taken }: FileContext, links: Links): FileBody => {
  const types = readTypes(row);
  // A variation has no address of its own.
  const permalink = types.type.endsWith("variation") ? undefined : `/?p=${readCell(row, "id")}`;
  const body = {
    ...Object.fromEntries(plainColumns.map((column) => [column, readCell(row, column)])),
    ...{ ...types, permalink, date_modified_gmt: taken },
    ...{ ...toReferences(row, links), ...toPrices(row), ...toStock(row) },
    ...{ ...toLists(row), attributes: toAttributes(row, links) },
    description: readTextCell(row, "description"),
    short_description: readTextCell(row, "short_description"),
    status: statuses[readCell(row, "published")],
  };
  return { line: row.line, topic: "product.updated", body };
};

/** Columns whose cells the body has as they are. */
const plainColumns = [
  ...(["id", "sku", "global_unique_id", "name", "catalog_visibility"] as const),
  ...(["date_on_sale_from", "date_on_sale_to"] as const),
];

const statuses: Readonly<Record<string, string>> = {
  ...{ "-1": "draft", "0": "private", "1": "publish", "2": "pending" },
};

const toLists = (row: WooCommerceRow) => ({
  brands: readListCell(row, "brand_ids").map((name) => ({ name })),
  tags: readListCell(row, "tag_ids").map((name) => ({ name })),
  images: readListCell(row, "images").map((src) => ({ src })),
  category_paths: readListCell(row, "category_ids").map((path) => ({
    id: path,
    name: path.split(" > ").at(-1),
  })),
});

/** An attribute is an option where a variation has it, because no column says so. */
const toAttributes = (row: WooCommerceRow, { options }: Links) => {
  const names = [`id:${readCell(row, "id")}`, readCell(row, "sku")].map((key) =>
    options.get(key)?.split("\n"),
  );
  return readAttributes(row).map(({ name, values }, at) => ({
    ...{ name, options: values, option: values.join(", ") },
    visible: readCell(row, "attribute_visible", at + 1) === "1",
    variation: names.some((each) => each?.includes(toSlug(name))),
  }));
};

const toPrices = (row: WooCommerceRow) => {
  const [regular, sale] = [readCell(row, "regular_price"), readCell(row, "sale_price")];
  const price = regular.replace(",", ".");
  return { price, regular_price: price, sale_price: sale.replace(",", ".") };
};

const stockStatuses: Readonly<Record<string, string>> = {
  ...{ "0": "outofstock", "1": "instock", backorder: "onbackorder" },
};

const toStock = (row: WooCommerceRow) => {
  const [stock, backorders] = [readCell(row, "stock"), readCell(row, "backorders")];
  return {
    manage_stock: stock === "parent" ? stock : stock !== "",
    stock_quantity: stock,
    stock_status: stockStatuses[readCell(row, "stock_status")],
    backorders: backorders === "1" ? "yes" : backorders,
  };
};
