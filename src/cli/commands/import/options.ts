import { closeSync, openSync, readSync } from "node:fs";
import {
  columnNames,
  detectFormat,
  type FileFormat,
  fileFormats,
} from "../../../connectors/files/formats.ts";
import type { FileContext } from "../../../connectors/files/items.ts";
import { VitrineError } from "../../../errors.ts";
import type { EventTime } from "../../../events/time.ts";
import {
  type ConnectionEntry,
  type ConnectionSettings,
  readConnections,
} from "../../../gateway/configuration.ts";
import type { ParseValue } from "../../command-spec.ts";
import type { InputFile } from "../../event-files/input-files.ts";

export interface ImportCommandOptions {
  readonly connection: string;
  readonly format: FileFormat | undefined;
  readonly header: readonly (readonly [word: string, column: string])[];
  readonly dryRun: boolean;
  readonly complete: boolean;
  readonly allowLoss: boolean;
  readonly skipInvalid: boolean;
  readonly taken: EventTime | undefined;
  readonly all: boolean;
  readonly json: boolean;
}

export const parseFormat: ParseValue<FileFormat> = (text, name) => {
  const format = fileFormats.find((each) => each === text);
  if (format) return format;
  throw new VitrineError("usage", `${name} ${text}: give one of ${fileFormats.join(", ")}`);
};

/** Parses `WORD=column`. The word may have `=` itself. */
export const parseHeader: ParseValue<readonly [word: string, column: string]> = (text, name) => {
  const at = text.lastIndexOf("=");
  const [word, column] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at <= 0 || word === "")
    throw new VitrineError("usage", `${name} ${text}: give WORD=column, such as Preis=price`);
  if (columnNames.has(column.replace(/\/\d+$/, ""))) return [word, column];
  throw new VitrineError(
    "usage",
    `${name} ${text}: no format has the column ${column}`,
    `columns are ${[...columnNames].join(", ")}`,
  );
};

/** @throws VitrineError `usage` for a name that the file of connections lacks */
export const findConnection = (file: string, name: string): ConnectionEntry => {
  const entries = readConnections(file);
  const entry = entries.find((each) => each.name === name);
  if (entry) return entry;
  const names = entries.map((each) => each.name).join(", ");
  throw new VitrineError("usage", `--connection ${name}: the file has ${names || "none"}`);
};

/** Formats that make sense for a platform: ids of other formats would make other products of the same goods. */
const formatsOf: Readonly<Record<ConnectionSettings["platform"], readonly FileFormat[]>> = {
  shopify: ["json", "shopify-csv"],
  woocommerce: ["json", "woocommerce-csv"],
  commercetools: ["json"],
  files: ["shopify-csv", "woocommerce-csv", "google"],
};

/**
 * Finds the format of a file.
 * @throws VitrineError `usage` for a file of no format, or of one that the connection does not take
 */
export const selectFormat = (
  input: InputFile,
  { settings: { platform } }: ConnectionEntry,
  columns: FileContext["columns"],
  { format: given, complete }: Pick<ImportCommandOptions, "format" | "complete">,
): FileFormat => {
  const format = given ?? detectFormat(readHead(input.path), columns);
  const taken = formatsOf[platform];
  if (format === undefined)
    throw new VitrineError(
      "usage",
      `${input.name} is of no known format`,
      `name it with --format: ${taken.join(", ")}`,
    );
  if (!taken.includes(format))
    throw new VitrineError(
      "usage",
      `${input.name} is ${format}, and a connection of ${platform} takes ${taken.join(", ")}`,
      "name another connection, or the format with --format",
    );
  if (complete && platform === "shopify" && format === "shopify-csv")
    throw new VitrineError(
      "usage",
      "--complete: the export of Shopify has no ids, so it cannot show which products are gone",
      "import the answers of products.json, or give a connection of files",
    );
  return format;
};

const readHead = (path: string): string => {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(64 * 1024);
    return head.subarray(0, readSync(file, head)).toString();
  } finally {
    closeSync(file);
  }
};
