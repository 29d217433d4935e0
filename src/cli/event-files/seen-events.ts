import { crc32 } from "node:zlib";
import { hashString } from "../../text/hash.ts";

export interface EventPosition {
  /** Line number across all files, from 1. */
  readonly line: number;
  /** Byte offset of the line in its file. */
  readonly start: number;
}

/** Numbers of an entry: hash of the identity, hash of the content, line (0 in a free entry) and its start. */
const width = 4;

export type SeenEvents = ReturnType<typeof openSeenEvents>;

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
