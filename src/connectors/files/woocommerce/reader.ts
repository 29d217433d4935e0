import { toSlug } from "../../woocommerce/variation.ts";
import type { FileBody, FileContext, FileItem } from "../items.ts";
import {
  readAttributes,
  readCell,
  readGoodRows,
  readListCell,
  readTextCell,
  readTypes,
  type WooCommerceRow,
} from "./cells.ts";
import { addIds, addLinks, isWaiting, type Links, toReferences } from "./links.ts";

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
  let hasWaiting = false;
  for await (const row of readGoodRows(open(), context)) {
    if ("reason" in row) {
      yield row;
      continue;
    }
    addLinks(row, links);
    if (isWaiting(row)) hasWaiting = true;
    else yield toItem(row, context, links);
  }
  if (links.ids.size > 0) await addIds(readGoodRows(open(), context), links);
  if (!hasWaiting) return;
  for await (const row of readGoodRows(open(), context))
    if ("get" in row && isWaiting(row)) yield toItem(row, context, links);
}

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
