/** Valid files of each format of an import, from which hostile ones are derived. */
import type { FileFormat } from "../../src/connectors/files/formats.ts";
import type { ConnectionSettings } from "../../src/gateway/configuration.ts";
import type { Chance } from "../bench/seeded.ts";
import * as commercetools from "../connectors/commercetools/bodies.ts";
import { atom, feed, itemOf } from "../connectors/files/google-feeds.ts";
import {
  parentRow,
  productRow,
  toCsv,
  variationRow,
} from "../connectors/files/woocommerce-export.ts";
import { levelBody, productBody } from "../connectors/shopify/bodies.ts";
import * as woocommerce from "../connectors/woocommerce/bodies.ts";
import { ndjson } from "../helpers/vitrine.ts";

export interface ShopFile {
  readonly format: FileFormat;
  readonly settings: ConnectionSettings;
  readonly content: string;
}

const shop = { url: "https://shop.example", currency: "EUR", timeZone: "Europe/Berlin" };
const feedOfFiles = {
  platform: "files",
  ...{ ...shop, categoryUrl: "https://shop.example/c/{name}" },
} as const;

const shopifyCsv = `Handle,Title,Body (HTML),Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Price,Image Src,Image Position,Status
tee,Tee,"<p>Soft,
and ""light""</p>",Shirts,"a, b",TRUE,Size,S,T-S,shopify,3,9.90,https://i.example/2.jpg,2,active
tee,,,,,,,M,T-M,,,10.90,https://i.example/1.jpg,1,
mug,Mug,,Cups,,FALSE,Title,Default Title,,,,19,,,draft
`;

const googleItem = itemOf({
  ...{ item_group_id: "G", color: "Red & green", size: "M", product_type: "A > B > C" },
  ...{ sale_price: "9 EUR", sale_price_effective_date: "2026-10-01T00:00Z/2026-10-02T23:59Z" },
  ...{ availability: "in_stock", unit_pricing_measure: "1 l", expiration_date: "2027-01-01" },
});

const googleTsv = `id\ttitle\tlink\tprice\tproduct_detail\tadditional_image_link
P1\tPot\thttps://shop.example/pot\t7.00 EUR\tGeneral:Size:10 cm\thttps://i.example/1.jpg,https://i.example/2.jpg
P2\tPan\thttps://shop.example/pan\t1.234,50 EUR\t\t
`;

const googleAtom = atom("g", `<entry>${googleItem.replaceAll(/<\/?item>/g, "")}</entry>`);

const wooCsv = toCsv([
  productRow({ category_ids: "A > B, C", images: "https://i.example/1.jpg" }),
  parentRow({ id: "8" }),
  variationRow({ description: "a\\nb" }),
]);

/** Files that each format and each platform takes. */
export const goodFiles: readonly ShopFile[] = [
  { format: "shopify-csv", settings: feedOfFiles, content: shopifyCsv },
  { format: "woocommerce-csv", settings: feedOfFiles, content: wooCsv },
  { format: "google", settings: feedOfFiles, content: feed(googleItem, itemOf({ id: "M2" })) },
  { format: "google", settings: feedOfFiles, content: googleAtom },
  { format: "google", settings: feedOfFiles, content: googleTsv },
  {
    format: "json",
    settings: { platform: "shopify", ...shop },
    content: ndjson([productBody(), levelBody(), { products: [productBody({ id: 8 })] }]),
  },
  {
    format: "json",
    settings: { platform: "woocommerce", ...shop },
    content: JSON.stringify([woocommerce.productBody(), woocommerce.parentBody()], null, 2),
  },
  {
    format: "json",
    settings: { platform: "commercetools", ...shop, productUrl: "https://shop.example/p/{id}" },
    content: ndjson([commercetools.published(1), commercetools.entryCreated(3, 5)]),
  },
];

/** Texts that mean something to a parser of a format. */
const pieces: readonly string[] = [
  ...['"', '""', ",", "\t", "\n", "\r\n", "\r", "\0", "\ufeff", "\ud800", "'", "\\", "\\n"],
  ...["<", ">", "</item>", "<item>", "<![CDATA[", "]]>", "<!--", "<?xml?>", "&", "&amp;", "&x;"],
  ...["&#0;", "&#x110000;", '<!DOCTYPE a [<!ENTITY x "y">]>', "<g:id>", "</g:id>", "xmlns:g='x'"],
  ...["{", "}", "[", "]", ":", "null", "1e999", "-0", '{"id":1}', "__proto__", "constructor"],
  ...["1.234,50", "EUR", " > ", "id:7", "{name}", "{id}", "2026-02-30", "9999-12-31T23:59:59Z"],
  ...["é".repeat(300), "x".repeat(70_000), "[".repeat(5_000), "<a>".repeat(100)],
];

type Change = (bytes: Buffer, chance: Chance) => Buffer;

const splice: Change = (bytes, { below, pick }) => {
  const at = below(bytes.length + 1);
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from(pick(pieces)),
    bytes.subarray(at + below(9)),
  ]);
};

const changeByte: Change = (bytes, { below }) => {
  const changed = Buffer.from(bytes);
  if (changed.length > 0) changed[below(changed.length)] = below(256);
  return changed;
};

const cut: Change = (bytes, { below }) => bytes.subarray(0, below(bytes.length + 1));

/** Repeats a part, such as a row or an element, up to 1,000 times. */
const repeat: Change = (bytes, { below }) => {
  const [first, length, times] = [below(bytes.length + 1), 1 + below(200), 10 ** below(4)];
  const part = bytes.subarray(first, first + length);
  return Buffer.concat([
    bytes.subarray(0, first),
    ...Array.from({ length: times }, () => part),
    bytes.subarray(first),
  ]);
};

/** Swaps two lines, so that a header is no first line, or a row of a product is behind another. */
const swapLines: Change = (bytes, { below }) => {
  const lines = bytes.toString("latin1").split("\n");
  const [one, other] = [below(lines.length), below(lines.length)];
  [lines[one], lines[other]] = [lines[other] ?? "", lines[one] ?? ""];
  return Buffer.from(lines.join("\n"), "latin1");
};

const random: Change = (_, { below }) =>
  Buffer.from(Array.from({ length: below(2_000) }, () => below(256)));

const utf16: Change = (bytes) => Buffer.from(`\ufeff${bytes}`, "utf16le");

const changes: readonly Change[] = [
  ...[splice, splice, splice, splice, splice, changeByte, changeByte, cut, repeat, repeat],
  ...[swapLines, swapLines, random, utf16],
];

/** Makes one to six changes of a file. */
export const hostileFile = ({ content }: ShopFile, chance: Chance): Buffer => {
  let bytes = Buffer.from(content);
  for (let left = 1 + chance.below(6); left > 0; left -= 1)
    bytes = Buffer.from(chance.pick(changes)(bytes, chance));
  return bytes.subarray(0, 1_000_000);
};
