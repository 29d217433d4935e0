import { type FileFormat, readItems } from "../../connectors/files/formats.ts";
import {
  type BadRow,
  type FileContext,
  type FileItem,
  UnusableFileError,
} from "../../connectors/files/items.ts";
import { readMembers } from "../../connectors/members.ts";
import { VitrineError } from "../../errors.ts";
import { count } from "../translate-batch.ts";
import type { ImportContext, ItemBatch } from "./translate-items.ts";

/** What the readings of a file are for. */
export type Doing = "checking" | "importing";

export interface ImportFile {
  /** Name as the user gave it. */
  readonly name: string;
  readonly format: FileFormat;
  /** Reads the file from its begin. */
  readonly read: (doing: Doing) => AsyncIterable<Uint8Array>;
}

/** A row that cannot be used. */
export interface BadFileRow extends BadRow {
  readonly file: string;
}

/** What one reading of all files gave. */
export interface PassResult {
  readonly events: number;
  readonly translated: number;
  readonly ignored: ReadonlyMap<string, number>;
  readonly leftOut: ReadonlyMap<string, number>;
  /** The first thousand. */
  readonly bad: readonly BadFileRow[];
  readonly badCount: number;
}

export interface ReadOptions extends ImportContext, FileContext {
  readonly signal: AbortSignal;
}

type PassOptions = ReadOptions & { readonly doing: Doing };

/** Bound of a transaction, for which a gateway waits: bodies, and what is in their lists. */
export const maxItems = 5_000;
const maxBad = 1_000;

/** Reads the items of all files, some at a time. */
export const readFiles = async (
  files: readonly ImportFile[],
  options: PassOptions,
  runBatch: (items: readonly FileItem[], file: ImportFile) => Promise<ItemBatch>,
): Promise<PassResult> => {
  const sum = createSum();
  for (const file of files) {
    let items: FileItem[] = [];
    let weight = 0;
    const run = async (): Promise<void> => {
      options.signal.throwIfAborted();
      sum.add(file.name, await runBatch(items, file));
      [items, weight] = [[], 0];
    };
    try {
      const { topicOf = () => undefined } = options.translator;
      const open = () => file.read(options.doing);
      for await (const item of readItems(file.format, open, options, topicOf)) {
        items.push(item);
        weight += weigh(item);
        if (weight >= maxItems) await run();
      }
      await run();
    } catch (error) {
      throw error instanceof UnusableFileError ? toUnusable(file, error) : error;
    }
  }
  return sum.result();
};

/** Counts a body and the entries of its lists, such as variants. */
const weigh = (item: FileItem): number => {
  const body = "reason" in item ? undefined : readMembers(item.body);
  const lists = Object.values(body ?? {}).map((value) => (Array.isArray(value) ? value.length : 0));
  return lists.reduce((sum, length) => sum + length, 1);
};

const toUnusable = ({ name }: ImportFile, { line, message }: UnusableFileError): VitrineError =>
  new VitrineError(
    "invalid_events",
    `${line === undefined ? name : `${name}:${line}`}: ${message}`,
    "export the file again; --header names an unknown column",
  );

const createSum = () => {
  const [ignored, leftOut] = [new Map<string, number>(), new Map<string, number>()];
  const bad: BadFileRow[] = [];
  let [events, translated, badCount] = [0, 0, 0];
  return {
    add(file: string, batch: ItemBatch): void {
      events += batch.events.length;
      translated += batch.translated;
      badCount += batch.bad.length;
      bad.push(...batch.bad.slice(0, maxBad - bad.length).map((row) => ({ file, ...row })));
      for (const [reason, times] of batch.ignored) count(ignored, reason, times);
      for (const [member, times] of batch.leftOut) count(leftOut, member, times);
    },
    result: (): PassResult => ({ events, translated, ignored, leftOut, bad, badCount }),
  };
};
