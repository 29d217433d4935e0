import type { FileItem } from "../../../src/connectors/files/items.ts";
import { readWooCommerceCsv } from "../../../src/connectors/files/woocommerce/reader.ts";
import type { wooCommerceWords } from "../../../src/connectors/files/woocommerce/words.ts";

/** A model of the exporter of WooCommerce. */

export type Column = keyof typeof wooCommerceWords;

/** Cells by column; of a numbered column by `{column}/{number}`. */
export type Cells = Readonly<Partial<Record<Column | `${Column}/${number}`, string>>>;

export const taken = "2026-10-02T10:00:00.000Z";

/** A row of a simple product. */
export const productRow = (cells: Cells = {}): Cells => ({
  id: "7",
  type: "simple",
  sku: "MUG",
  name: "Mug",
  published: "1",
  catalog_visibility: "visible",
  stock_status: "1",
  stock: "",
  backorders: "0",
  regular_price: "19.99",
  ...cells,
});

const size: Cells = { "attribute_name/1": "Size", "attribute_visible/1": "1" };

/** A row of a variable product in the sizes S and M. */
export const parentRow = (cells: Cells = {}): Cells =>
  productRow({
    ...{ type: "variable", sku: "TEE", name: "Tee", regular_price: "" },
    ...{ ...size, "attribute_value/1": "S, M", ...cells },
  });

/** A row of the variation in size S. */
export const variationRow = (cells: Cells = {}): Cells =>
  productRow({
    ...{ id: "501", type: "variation", sku: "TEE-S", name: "Tee - S", parent_id: "TEE" },
    ...{ ...size, "attribute_value/1": "S", "attribute_visible/1": "", ...cells },
  });

/** Escapes a cell as the exporter does, against formulas. */
export const escapeCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

export const joinList = (items: readonly string[]): string =>
  items.map((item) => item.replaceAll(",", "\\,")).join(", ");

/** Escapes line breaks of a description. */
export const escapeText = (text: string): string =>
  text.replaceAll("\\n", "\\\\n").replaceAll("\n", "\\n");

const quote = (cell: string): string =>
  /[",\s\\]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Writes a file. @param toWord word of the header by column, and by number where it has one */
export const toCsv = (
  rows: readonly Cells[],
  toWord: (column: Column, number: string) => string = englishWord,
): string => {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))] as (keyof Cells)[];
  const header = keys.map((key) => {
    const [column, number = ""] = key.split("/");
    return toWord(column as Column, number);
  });
  const lines = rows.map((row) => keys.map((key) => escapeCell(row[key] ?? "")));
  return `\ufeff${[header, ...lines].map((line) => `${line.map(quote).join(",")}\n`).join("")}`;
};

const englishWords: Readonly<Record<Column, string>> = {
  ...{ id: "ID", type: "Type", sku: "SKU", global_unique_id: "GTIN, UPC, EAN, or ISBN" },
  ...{ name: "Name", published: "Published", catalog_visibility: "Visibility in catalog" },
  ...{ short_description: "Short description", description: "Description" },
  date_on_sale_from: "Date sale price starts",
  date_on_sale_to: "Date sale price ends",
  ...{ stock_status: "In stock?", stock: "Stock", backorders: "Backorders allowed?" },
  ...{ sale_price: "Sale price", regular_price: "Regular price", category_ids: "Categories" },
  ...{ tag_ids: "Tags", images: "Images", parent_id: "Parent", brand_ids: "Brands" },
  ...{ grouped_products: "Grouped products", upsell_ids: "Upsells", cross_sell_ids: "Cross-sells" },
  ...{ attribute_name: "Attribute %d name", attribute_value: "Attribute %d value(s)" },
  attribute_visible: "Attribute %d visible",
};

const englishWord = (column: Column, number: string): string =>
  englishWords[column].replace("%d", number);

/** Reads a file that arrives in small pieces. */
export const readAll = async (
  bytes: string | Uint8Array,
  columns: ReadonlyMap<string, string> = new Map(),
): Promise<readonly FileItem[]> => {
  const items: FileItem[] = [];
  const chunks = async function* () {
    const all = Buffer.from(bytes);
    for (let at = 0; at < all.length; at += 1_000) yield all.subarray(at, at + 1_000);
  };
  for await (const item of readWooCommerceCsv(chunks, { taken, columns })) items.push(item);
  return items;
};

/** Body of the only item. */
export const bodyOf = (items: readonly FileItem[]): Readonly<Record<string, unknown>> => {
  const [item] = items;
  if (!item || items.length > 1 || "reason" in item) throw new Error(JSON.stringify(items));
  return item.body as Readonly<Record<string, unknown>>;
};
