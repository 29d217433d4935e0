import { crc32 } from "node:zlib";
import type { LogRecord } from "../../event-log/event-log.ts";
import { readLineAt, type ValidatedLine } from "../../events/ndjson.ts";
import { quoteForMessage } from "../../events/rejection.ts";
import { isMessageOf, isSameMessage } from "../../events/same-event.ts";
import type { SchemaViolation } from "../../events/schema-violation.ts";
import { hashString } from "../../text/hash.ts";
import type { InputFile } from "./input-files.ts";

type GoodLine = Extract<ValidatedLine, { ok: true }>;

/** Finds lines that use the identity of another event. */
export interface IdentityCheck {
  begin(input: InputFile): void;
  /** @returns the fault of a line; undefined when its identity is free */
  findFault(line: GoodLine): Promise<SchemaViolation | undefined>;
}

/** @param find finds a message in the log; absent when that is impossible before an append */
export const openIdentityCheck = (
  find: (message: GoodLine["message"]) => Promise<LogRecord | undefined> = async () => undefined,
): IdentityCheck => {
  const seen = openSeenEvents();
  const files: { readonly input: InputFile; readonly linesBefore: number }[] = [];
  let [linesBefore, lastLine] = [0, 0];
  /** Describes the line at a position. @returns undefined unless it is another event with the message's identity */
  const describeOther = async (position: EventPosition, message: GoodLine["message"]) => {
    const holder = files.findLast((file) => file.linesBefore < position.line);
    if (!holder) return undefined;
    const other = { ...message, body: await readLineAt(holder.input.path, position.start) };
    if (isSameMessage(other, message) || !isMessageOf(other, message.event)) return undefined;
    const line = `line ${position.line - holder.linesBefore}`;
    return holder === files.at(-1) ? line : `${line} of ${holder.input.name}`;
  };
  return {
    begin(input) {
      linesBefore = lastLine;
      files.push({ input, linesBefore });
    },
    async findFault({ line, start, message }) {
      lastLine = linesBefore + line;
      const stored = await find(message);
      if (stored && !isSameMessage(stored, message))
        return identityReused(message, describeRecord(stored));
      const earlier = seen.take(message.id, message.body, { line: lastLine, start });
      const other = earlier && (await describeOther(earlier, message));
      return other === undefined ? undefined : identityReused(message, other);
    },
  };
};

export const describeRecord = ({ sequence }: Pick<LogRecord, "sequence">): string =>
  `event ${sequence} of the log`;

/** @param user location of the other event */
export const identityReused = (
  { event: { id, source } }: GoodLine["message"],
  user: string,
): SchemaViolation => ({
  field: "id",
  reason: `id ${quoteForMessage(id)} of source ${quoteForMessage(source)} was used by ${user} for another event: give each event an id of its own`,
});

interface EventPosition {
  /** Line number across all files, from 1. */
  readonly line: number;
  /** Byte offset of the line in its file. */
  readonly start: number;
}

/** Numbers of an entry: hash of the identity, hash of the content, line (0 in a free entry) and its start. */
const width = 4;

/**
 * Remembers events in 48 to 96 bytes each, because files have millions of lines: a hash table with open addressing in one typed
 * array, at most two thirds full.
 */
export const openSeenEvents = () => {
  let table: Float64Array = new Float64Array(width << 10);
  let count = 0;
  return {
    /**
     * Adds an event, unless one of the same identity was added before.
     * Identities are compared by 53 bits of hashes, so the caller compares the events themselves.
     * @param identity a distinct text for each source and id
     * @returns the position of the earlier event when its bytes differ; undefined when they are equal
     */
    take(
      identity: string,
      body: Uint8Array,
      { line, start }: EventPosition,
    ): EventPosition | undefined {
      if (count * width * 3 > table.length * 2) table = grow(table);
      const hash = hashString(identity) + (crc32(identity) >>> 11) * 2 ** 32;
      const content = crc32(body) + body.length * 2 ** 32;
      const at = findEntry(table, hash);
      if (table[at + 2] === 0) {
        table.set([hash, content, line, start], at);
        count += 1;
        return undefined;
      }
      const isSame = table[at + 1] === content;
      return isSame ? undefined : { line: table[at + 2] ?? 0, start: table[at + 3] ?? 0 };
    },
  };
};

const findEntry = (table: Float64Array, hash: number): number => {
  // The number of entries is a power of two, so the mask keeps a multiple of the width.
  const mask = table.length - width;
  let at = (hash * width) & mask;
  while (table[at + 2] !== 0 && table[at] !== hash) at = (at + width) & mask;
  return at;
};

const grow = (table: Float64Array): Float64Array => {
  const larger = new Float64Array(table.length * 2);
  for (let at = 0; at < table.length; at += width) {
    const entry = table.subarray(at, at + width);
    if (entry[2] !== 0) larger.set(entry, findEntry(larger, entry[0] ?? 0));
  }
  return larger;
};
