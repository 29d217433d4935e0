import { pipeline, Readable } from "node:stream";
import { CsvError, type Options, parse } from "csv-parse";
import { readInteger, readText } from "../members.ts";
import { type BadRow, decodeUtf8, type FileContext, UnusableFileError } from "./items.ts";

/** Words of a header by column. `%d` stands for a number: `Option%d Name`. */
export type ColumnWords<C extends string> = Readonly<Record<C, readonly string[]>>;

/** A row of a file with a header. */
export interface Row<C extends string> {
  readonly line: number;
  /**
   * Returns the text of a cell without surrounding blanks, and undefined for an empty one.
   * @param number of a numbered column, from 1
   */
  get(column: C, number?: number): string | undefined;
  /** Names a cell that cannot be used. */
  bad(column: C, reason: string, number?: number): BadRow;
}

export interface RowFormat<C extends string> {
  readonly words: ColumnWords<C>;
  /** Columns without which no row can be read. */
  readonly needed: readonly C[];
  /** Content of needed columns, so that an error can suggest the column of a header without its word. */
  readonly content?: Readonly<Partial<Record<C, RegExp>>>;
  readonly delimiter?: "," | "\t";
}

/**
 * Reads the rows of a CSV or TSV file one by one.
 * @throws UnusableFileError for a file that is cut, or whose header lacks a column
 */
export async function* readRows<C extends string>(
  chunks: AsyncIterable<Uint8Array>,
  format: RowFormat<C>,
  context: FileContext,
): AsyncGenerator<Row<C> | BadRow> {
  let header: Header | undefined;
  for await (const { line, cells } of readRecords(chunks, format.delimiter ?? ",")) {
    if (!header) header = readHeader(cells, format, context);
    else if (header.missing) throw lacksColumns(header, format, cells);
    else if (cells.length > header.width)
      yield { line, column: null, reason: tooLong(cells.length, header) };
    else if (cells.length < header.width)
      throw new UnusableFileError(tooShort(cells.length, header), line);
    else yield toRow(line, cells, header);
  }
  if (!header) throw new UnusableFileError("the file is empty");
  if (header.missing) throw lacksColumns(header, format, []);
}

const tooLong = (count: number, { width }: Header): string =>
  `has ${count} cells, and the header has ${width}`;

const tooShort = (count: number, { width }: Header): string =>
  `the row has ${count} of ${width} cells: the file is cut, so nothing of it is used`;

interface RawRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The options let `relax_column_count` pass, because the caller handles short rows and long rows differently. */
async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<RawRecord> {
  const options: Options = {
    ...{ bom: true, delimiter, relax_column_count: true },
    record_delimiter: ["\r\n", "\n", "\r"],
    // A file of tabs has quotes as they come.
    ...(delimiter === "\t" ? { quote: false } : {}),
    max_record_size: maxRecordBytes,
  };
  const parser = parse(options);
  // A failure of the source ends the reading of the parser, and its end ends the source.
  pipeline(Readable.from(decodeUtf8(chunks)), parser, () => undefined);
  let line = 1;
  try {
    for await (const cells of parser as AsyncIterable<readonly string[]>) {
      const isBlank = cells.length === 1 && cells[0] === "";
      if (!isBlank) yield { line, cells };
      line += 1 + countLineBreaks(cells);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnusableFileError(
      `${error.message}: the file is cut or no CSV, so nothing of it is used`,
      // The parser drops the records before an error that it holds.
      readInteger(error["lines"]) ?? line,
    );
  }
}

const countLineBreaks = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|[\r\n]/g)?.length ?? 0), 0);

const maxRecordBytes = 8 * 1024 * 1024;

interface Header {
  readonly width: number;
  readonly names: readonly string[];
  /** Position by column; of a numbered one by `{column}/{number}`. */
  readonly positions: ReadonlyMap<string, number>;
  /** Whether a needed column is. */
  readonly missing: boolean;
}

const readHeader = <C extends string>(
  names: readonly string[],
  { words, needed }: RowFormat<C>,
  { columns }: FileContext,
): Header => {
  const positions = matchHeader(names, words, columns);
  const missing = needed.some((column) => !positions.has(column));
  return { width: names.length, names, positions, missing };
};

/** Names the needed columns that a header lacks, and suggests the first one whose first cell fits. */
const lacksColumns = <C extends string>(
  { names, positions }: Header,
  { words, needed, content }: RowFormat<C>,
  cells: readonly string[],
): UnusableFileError => {
  const free = new Set(names.keys());
  for (const at of positions.values()) free.delete(at);
  const missing = needed.filter((column) => !positions.has(column));
  const hints = missing.map((column) => {
    const at = [...free].find((each) =>
      content?.[column]?.test(cells[each]?.trim().slice(0, 200) ?? ""),
    );
    if (at === undefined) return { column, word: "WORD", hint: "" };
    free.delete(at);
    const word = names[at]?.slice(0, 60);
    return { column, word, hint: `, perhaps "${word}"` };
  });
  const lacking = hints.map(({ column, hint }) => `${column} ("${words[column][0]}"${hint})`);
  const options = hints.map(({ column, word }) => `--header "${word}=${column}"`);
  return new UnusableFileError(
    `the header lacks ${lacking.join(", ")}: name the column with ${options.join(" ")}`,
    1,
  );
};

/** Finds the columns of a header. The first of two equal ones counts. */
export const matchHeader = (
  names: readonly string[],
  words: ColumnWords<string>,
  given: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, number> => {
  const columns = new Map(
    Object.entries(words).flatMap(([column, spellings]) =>
      spellings.map((spelling) => [toKey(spelling), column] as const),
    ),
  );
  const positions = new Map<string, number>();
  // What the user gave counts before the words.
  for (const [word, column] of given) {
    columns.set(toKey(word), column);
    const at = names.findIndex((name) => toKey(name) === toKey(word));
    if (at >= 0) positions.set(column, at);
  }
  for (const [at, name] of names.entries()) {
    const key = toKey(name);
    const [, number] = /(\d+)/.exec(key) ?? [];
    const numbered = columns.get(key.replace(/\d+/, "%d"));
    const column = columns.get(key) ?? (numbered && `${numbered}/${number}`);
    if (column !== undefined && !positions.has(column)) positions.set(column, at);
  }
  return positions;
};

/** Words of a header are compared without case, blanks of any kind, quotes and `_`. */
const toKey = (word: string): string =>
  word
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s_'"\u2018\u2019\u201c-\u201e]+/g, "");

const toRow = <C extends string>(
  line: number,
  cells: readonly string[],
  header: Header,
): Row<C> => {
  const { names, positions } = header;
  const positionOf = (column: C, number?: number): number =>
    positions.get(number === undefined ? column : `${column}/${number}`) ?? -1;
  return {
    line,
    get: (column, number) => readText(cells[positionOf(column, number)]),
    bad: (column, reason, number) => ({
      line,
      column: names[positionOf(column, number)] ?? column,
      reason,
    }),
  };
};
