import { readText } from "../members.ts";
import { isVariableType } from "../woocommerce/product.ts";
import { toSlug } from "../woocommerce/variation.ts";
import type { BadRow, FileBody, FileContext, ReadItems } from "./items.ts";
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

/** Reads the export of products of WooCommerce as bodies of its webhooks (Contract 10, Files of WooCommerce). */
export const readWooCommerceCsv: ReadItems = async function* (chunks, context) {
  const links: Links = { idBySku: new Map(), options: new Map() };
  const waiting: WooCommerceRow[] = [];
  for await (const row of readRows(chunks, format, context)) {
    const bad = "reason" in row ? row : findBadCell(row);
    if (bad) yield bad;
    if (bad || "reason" in row) continue;
    addLinks(row, links);
    if (isWaiting(row, links)) waiting.push(row);
    else yield toItem(row, context, links);
  }
  for (const row of waiting) yield toItem(row, context, links);
};

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
  readonly idBySku: Map<string, number>;
  /** Attributes of variations, by what the variations name their parent. */
  readonly options: Map<string, Set<string>>;
}

const addLinks = (row: WooCommerceRow, { idBySku, options }: Links): void => {
  const [sku, parent] = [readCell(row, "sku"), readCell(row, "parent_id")];
  if (sku !== "") idBySku.set(sku, Number(readCell(row, "id")));
  const names = options.get(parent) ?? new Set();
  for (const { name } of readAttributes(row)) names.add(toSlug(name));
  if (parent !== "") options.set(parent, names);
};

/** Whether the body of a row needs rows behind it. */
const isWaiting = (row: WooCommerceRow, links: Links): boolean =>
  isVariableType(readTypes(row).type) ||
  Object.values(toReferences(row, links))
    .flat()
    .some((each) => typeof each === "object");

/** Reads the products that a row names: `id:7`, or a SKU. One that the file lacks stays `{ sku }`. */
const toReferences = (row: WooCommerceRow, { idBySku }: Links) => {
  const find = (name: string) => /^id:(\d+)$/.exec(name)?.[1] ?? idBySku.get(name) ?? { sku: name };
  const parent = readCell(row, "parent_id");
  return {
    parent_id: parent === "" ? undefined : find(parent),
    grouped_products: readListCell(row, "grouped_products").map(find),
    upsell_ids: readListCell(row, "upsell_ids").map(find),
    cross_sell_ids: readListCell(row, "cross_sell_ids").map(find),
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
  const names = [`id:${readCell(row, "id")}`, readCell(row, "sku")].map((key) => options.get(key));
  return readAttributes(row).map(({ name, values }, at) => ({
    ...{ name, options: values, option: values.join(", ") },
    visible: readCell(row, "attribute_visible", at + 1) === "1",
    variation: names.some((each) => each?.has(toSlug(name))),
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
