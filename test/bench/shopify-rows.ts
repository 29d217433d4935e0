import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { seeded } from "./seeded.ts";

const sizes = ["S", "M", "L"] as const;

/** Rows of a product: one for each variant. */
export const rowsPerProduct = sizes.length;

/** The header of Shopify's export of products. */
const header = [
  ...["Handle", "Title", "Body (HTML)", "Vendor", "Product Category", "Type", "Tags", "Published"],
  ...["Option1 Name", "Option1 Value", "Option1 Linked To"],
  ...["Option2 Name", "Option2 Value", "Option2 Linked To"],
  ...["Option3 Name", "Option3 Value", "Option3 Linked To"],
  ...["Variant SKU", "Variant Grams", "Variant Inventory Tracker", "Variant Inventory Qty"],
  ...["Variant Inventory Policy", "Variant Fulfillment Service", "Variant Price"],
  ...["Variant Compare At Price", "Variant Requires Shipping", "Variant Taxable"],
  ...["Variant Barcode", "Image Src", "Image Position", "Image Alt Text", "Gift Card"],
  ...["SEO Title", "SEO Description", "Variant Image", "Variant Weight Unit"],
  ...["Variant Tax Code", "Cost per item", "Status"],
] as const;

type Cells = Readonly<Partial<Record<(typeof header)[number], string>>>;

/** Writes an export of Shopify whose products have three variants, a description of 500 characters and a picture. */
export const writeShopifyRows = (file: string, products: number): Promise<void> =>
  pipeline(Readable.from(generateLines(products)), createWriteStream(file));

function* generateLines(products: number): Generator<string> {
  const chance = seeded(19);
  yield toLine(header);
  for (let product = 1; product <= products; product += 1) {
    const price = 1_000 + chance.below(9_000);
    const rows = sizes.map((size, at) => ({
      ...(at === 0 ? firstCells(product, chance.below(200)) : {}),
      ...variantCells(product, size, price, chance.below(50)),
    }));
    yield rows.map((row: Cells) => toLine(header.map((name) => row[name] ?? ""))).join("");
  }
}

const toLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;

const description = `<p class="text">${"A soft jumper of merino wool, knitted in one piece. ".repeat(9)}</p>`;

const firstCells = (product: number, type: number): Cells => ({
  Title: `Merino jumper ${product}`,
  "Body (HTML)": `${description}<p>Style ${product}.</p>`,
  ...{ Vendor: "Acme", Type: `Jumpers ${type}`, Tags: "winter, wool, new", Published: "true" },
  "Option1 Name": "Size",
  "Image Src": `https://cdn.shopify.com/s/files/1/0123/4567/products/jumper-${product}.jpg?v=17`,
  "Image Position": "1",
  "Image Alt Text": "The jumper",
  ...{ "Gift Card": "false", "SEO Title": `Merino jumper ${product}`, Status: "active" },
});

const variantCells = (product: number, size: string, cents: number, quantity: number): Cells => ({
  Handle: `merino-jumper-${product}`,
  "Option1 Value": size,
  "Variant SKU": `MER-${product}-${size}`,
  "Variant Grams": "400",
  "Variant Inventory Tracker": "shopify",
  "Variant Inventory Qty": String(quantity),
  "Variant Inventory Policy": "deny",
  "Variant Fulfillment Service": "manual",
  "Variant Price": (cents / 100).toFixed(2),
  "Variant Requires Shipping": "true",
  "Variant Taxable": "true",
  "Variant Weight Unit": "kg",
});
