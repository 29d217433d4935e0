import { readText } from "../../members.ts";
import type { BadRow, FileContext } from "../items.ts";
import { type Row, type RowFormat, readRows } from "../rows.ts";
import { wooCommerceWords } from "./words.ts";

type Column = keyof typeof wooCommerceWords;
export type WooCommerceRow = Row<Column>;

const format: RowFormat<Column> = {
  words: wooCommerceWords,
  // Without the words for status and stock, goods would be shown that the shop hides or does not have.
  needed: [
    ...(["id", "type", "name", "published", "catalog_visibility"] as const),
    ...(["stock_status", "stock", "regular_price"] as const),
  ],
  // Stock has none: its 0 and 1 are those of other columns, and a wrong guess would sell what the shop does not have.
  content: {
    catalog_visibility: /^(visible|catalog|search|hidden)$/,
    ...{ id: /^\d+$/, type: /^(simple|variable|variation|grouped|external)\b/ },
    ...{ name: /\p{L}\S* \S/u, published: /^('?-1|[012])$/, regular_price: /^\d+[.,]\d\d$/ },
  },
};

/** Reads the rows of a file, and finds their first bad cell. */
export async function* readGoodRows(
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
export const readCell = (row: WooCommerceRow, column: Column, number?: number): string =>
  (row.get(column, number) ?? "").replace(/^'(?=[=+\-@\t\r])/, "");

/** Reads a list with `,` between its items, and `\,` within them. */
export const readListCell = (
  row: WooCommerceRow,
  column: Column,
  number?: number,
): readonly string[] =>
  readCell(row, column, number)
    .split(/(?<!\\),/)
    .flatMap((item) => readText(item.replaceAll("\\,", ",")) ?? []);

/** Reads a text whose line breaks are `\n`, and whose `\n` is `\\n`. */
export const readTextCell = (row: WooCommerceRow, column: Column): string =>
  readCell(row, column).replace(/\\\\n|\\n/g, (mark) => (mark === "\\n" ? "\n" : "\\n"));

export const readTypes = (row: WooCommerceRow) => {
  const types = readListCell(row, "type");
  const [virtual, downloadable] = [types.includes("virtual"), types.includes("downloadable")];
  const type = types.find((each) => each !== "virtual" && each !== "downloadable") ?? "simple";
  return { type, virtual, downloadable };
};

/** Reads the attributes up to the first without a name. */
export const readAttributes = (row: WooCommerceRow) => {
  const attributes: { readonly name: string; readonly values: readonly string[] }[] = [];
  for (let name = " ", number = 1; name !== ""; number += 1) {
    name = readCell(row, "attribute_name", number);
    if (name !== "")
      attributes.push({ name, values: readListCell(row, "attribute_value", number) });
  }
  return attributes;
};
