import type { BadRow, FileBody, FileContext, FileItem, ReadItems } from "./items.ts";
import { type ColumnWords, type Row, readRows } from "./rows.ts";

/** Headers of the classic export, of the newer template, and of tools. */
export const shopifyWords = {
  handle: ["Handle", "URL handle"],
  title: ["Title"],
  text: ["Body (HTML)", "Body", "Description"],
  vendor: ["Vendor"],
  type: ["Type", "Product type"],
  tags: ["Tags"],
  published: ["Published", "Published on online store"],
  status: ["Status"],
  optionName: ["Option%d Name"],
  optionValue: ["Option%d Value"],
  sku: ["Variant SKU", "SKU"],
  barcode: ["Variant Barcode", "Barcode"],
  price: ["Variant Price", "Price"],
  listPrice: ["Variant Compare At Price", "Compare-at price", "Compare at price"],
  tracker: ["Variant Inventory Tracker", "Inventory tracker"],
  quantity: ["Variant Inventory Qty", "Variant inventory quantity", "Inventory quantity"],
  policy: ["Variant Inventory Policy", "Inventory policy", "Continue selling when out of stock"],
  image: ["Image Src", "Product image URL"],
  imagePosition: ["Image Position"],
  imageText: ["Image Alt Text"],
  variantImage: ["Variant Image", "Variant image URL"],
} as const satisfies ColumnWords<string>;

type Column = keyof typeof shopifyWords;
type ShopifyRow = Row<Column>;

/** Columns without which the file is none of Shopify. */
export const shopifyNeeded = ["handle", "title"] as const satisfies readonly Column[];

/** Reads the export of products of Shopify as bodies of `products/update` (Contract 10, Files of Shopify). */
export const readShopifyCsv: ReadItems = async function* (chunks, context) {
  let rows: ShopifyRow[] = [];
  let isBroken = false;
  const format = { words: shopifyWords, needed: shopifyNeeded };
  for await (const row of readRows(chunks, format, context)) {
    if (rows[0] && isNext(row, rows[0])) {
      yield isBroken ? toBroken(rows[0]) : toItem(rows, context);
      [rows, isBroken] = [[], false];
    }
    const checked = "reason" in row ? row : checkRow(row, rows);
    if ("reason" in checked) {
      yield checked;
      isBroken = true;
    } else rows.push(checked);
  }
  if (rows[0]) yield isBroken ? toBroken(rows[0]) : toItem(rows, context);
};

const isNext = (row: ShopifyRow | BadRow, first: ShopifyRow): boolean =>
  "get" in row && row.get("handle") !== first.get("handle");

/** A product that lacks a row would lose a variant. */
const toBroken = (first: ShopifyRow): BadRow =>
  first.bad("handle", "names a product with a row that cannot be used");

/** Bounds what is held of one product. Shopify has at most 2,048 variants and 250 pictures. */
const maxRows = 10_000;

const checkRow = (row: ShopifyRow, rows: readonly ShopifyRow[]): ShopifyRow | BadRow => {
  if (row.get("handle") === undefined)
    return row.bad("handle", "must be the handle of the product");
  return rows.length < maxRows ? row : row.bad("handle", `has more than ${maxRows} rows`);
};

const toItem = (rows: readonly ShopifyRow[], context: FileContext): FileItem => {
  const [first] = rows;
  if (!first) throw new Error("a product has at least one row");
  return rows.flatMap((row) => findBadCell(row) ?? [])[0] ?? toBody(first, rows, context);
};

/** Finds a number that cannot be read. Shopify writes decimals with a point. */
const findBadCell = (row: ShopifyRow): BadRow | undefined => {
  for (const column of ["price", "listPrice"] as const) {
    if (!/^\d+(\.\d+)?$/.test(row.get(column) ?? "0"))
      return row.bad(
        column,
        `must be a decimal with a point such as 19.90, not ${row.get(column)}`,
      );
  }
  return /^-?\d+$/.test(row.get("quantity") ?? "0")
    ? undefined
    : row.bad("quantity", `must be a whole number, not ${row.get("quantity")}`);
};

const toBody = (
  first: ShopifyRow,
  rows: readonly ShopifyRow[],
  { taken }: FileContext,
): FileBody => {
  const handle = first.get("handle") ?? "";
  const names = optionNumbers.flatMap((number) => first.get("optionName", number) ?? []);
  const variants = rows.filter((row) => isVariant(row, row === first));
  const isPublished = first.get("published")?.toLowerCase() !== "false";
  const body = {
    ...{ id: `handle/${handle}`, handle, title: first.get("title") },
    ...{ body_html: first.get("text"), vendor: first.get("vendor"), tags: first.get("tags") },
    product_type: first.get("type"),
    status: first.get("status")?.toLowerCase() ?? "active",
    published_at: isPublished ? taken : null,
    updated_at: taken,
    options: names.map((name, at) => ({ name, values: valuesOf(variants, at + 1) })),
    images: toImages(rows),
    variants: variants.map((row) => toVariant(row, handle)),
  };
  return { line: first.line, topic: "products/update", body };
};

const optionNumbers = [1, 2, 3];

/** A row with a handle and a picture alone is a further picture. */
const isVariant = (row: ShopifyRow, isFirst: boolean): boolean =>
  isFirst || row.get("optionValue", 1) !== undefined || row.get("price") !== undefined;

const valuesOf = (rows: readonly ShopifyRow[], number: number): readonly string[] => [
  ...new Set(rows.flatMap((row) => row.get("optionValue", number) ?? [])),
];

const toVariant = (row: ShopifyRow, handle: string) => {
  const [option1, option2, option3] = optionNumbers.map((number) => row.get("optionValue", number));
  const choices = [option1, option2, option3].filter((value) => value !== undefined);
  const policy = row.get("policy")?.toLowerCase() ?? "";
  return {
    id: ["handle", handle, ...choices.map(encodeURIComponent)].join("/"),
    ...{ option1, option2, option3, sku: row.get("sku"), barcode: row.get("barcode") },
    price: row.get("price"),
    compare_at_price: row.get("listPrice"),
    inventory_management: row.get("tracker") ?? null,
    inventory_quantity: row.get("quantity"),
    inventory_policy: ["continue", "true"].includes(policy) ? "continue" : "deny",
    image_id: row.get("variantImage"),
  };
};

/** The address of a picture stands for its id. Pictures of variants that no other row has come last. */
const toImages = (rows: readonly ShopifyRow[]) => {
  const images = new Map<string, { readonly alt: string | undefined; readonly position: string }>();
  const last = "1000000";
  for (const row of rows) {
    const src = row.get("image");
    if (src !== undefined && !images.has(src))
      images.set(src, { alt: row.get("imageText"), position: row.get("imagePosition") ?? last });
  }
  for (const row of rows) {
    const src = row.get("variantImage");
    if (src !== undefined && !images.has(src)) images.set(src, { alt: undefined, position: last });
  }
  return [...images].map(([src, image]) => ({ id: src, src, ...image }));
};
