/** A body of a file, or a row that cannot be used. Lines count from 1. */
export type FileItem = FileBody | BadRow;

/** What a translator takes as a delivery. */
export interface FileBody {
  readonly line: number;
  readonly topic: string;
  /** Where the body is in the JSON of the line: `products[3]`. */
  readonly path?: string;
  /** JSON as `parseBody` returns it. */
  readonly body: unknown;
}

export interface BadRow {
  readonly line: number;
  /** Name of the column or member as the file has it; null when the row itself is wrong. */
  readonly column: string | null;
  readonly reason: string;
}

/** What a reader of a format knows in addition to the bytes. */
export interface FileContext {
  /** Time of the export, UTC as `toUtcTime` returns it. */
  readonly taken: string;
  /** Column by the word of the header that the user gave it, as `--header` has it. */
  readonly columns: ReadonlyMap<string, string>;
  /** Of the connection. */
  readonly currency?: string | undefined;
  readonly timeZone?: string | undefined;
}

/**
 * Reads the items of a file.
 * @throws UnusableFileError for a file that is cut, or whose header lacks a column
 */
export type ReadItems = (
  chunks: AsyncIterable<Uint8Array>,
  context: FileContext,
) => AsyncIterable<FileItem>;

/** A file of which nothing can be used: it is cut, or its header lacks a column. */
export class UnusableFileError extends Error {
  /** Undefined for the file as a whole. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Decodes the bytes of a file.
 * @throws UnusableFileError for bytes that are not UTF-8
 */
export async function* decodeUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new UnusableFileError("the file is not UTF-8: save it as UTF-8");
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}
