import { googleWords, readGoogle } from "./google/reader.ts";
import type { FileContext, FileItem } from "./items.ts";
import { readJson, type TopicOf } from "./json.ts";
import { matchHeader } from "./rows.ts";
import { readShopifyCsv, shopifyWords } from "./shopify-csv.ts";
import { readWooCommerceCsv } from "./woocommerce/reader.ts";
import { wooCommerceWords } from "./woocommerce/words.ts";

/** Formats that `import` reads. */
export const fileFormats = ["shopify-csv", "woocommerce-csv", "google", "json"] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Columns of all formats, as `--header` names them. */
export const columnNames: ReadonlySet<string> = new Set(
  [shopifyWords, wooCommerceWords, googleWords].flatMap((words) => Object.keys(words)),
);

/** Reads the items of a file. @param open reads it from its begin @param topicOf topics of the bodies of `json` */
export const readItems = (
  format: FileFormat,
  open: () => AsyncIterable<Uint8Array>,
  context: FileContext,
  topicOf: TopicOf,
): AsyncIterable<FileItem> => {
  switch (format) {
    case "shopify-csv":
      return readShopifyCsv(open(), context);
    case "woocommerce-csv":
      return readWooCommerceCsv(open, context);
    case "google":
      return readGoogle(open(), context);
    case "json":
      return readJson(open(), topicOf);
  }
};

/**
 * Finds the format of a file.
 * @param head first bytes of the file, at least its header
 * @returns undefined for a file of no format
 */
export const detectFormat = (
  head: string,
  columns: FileContext["columns"],
): FileFormat | undefined => {
  const text = head.replace(/^\ufeff/, "").trimStart();
  if (text.startsWith("<")) return "google";
  if (/^[[{]/.test(text)) return "json";
  const [line = ""] = text.split(/\r?\n/);
  const delimiter = line.includes("\t") ? "\t" : ",";
  // A comma within quotes divides a word here, which no word of the header below has.
  const names = line.split(delimiter).map((name) => name.replace(/^"|"$/g, ""));
  const has = (words: Readonly<Record<string, readonly string[]>>, needed: readonly string[]) => {
    const positions = matchHeader(names, words, columns);
    return needed.every((column) => positions.has(column));
  };
  if (delimiter === "\t") return has(googleWords, ["id", "title"]) ? "google" : undefined;
  if (has(shopifyWords, ["handle", "title"])) return "shopify-csv";
  return has(wooCommerceWords, ["id", "type"]) ? "woocommerce-csv" : undefined;
};
