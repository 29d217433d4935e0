import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { popcount } from "../bits.ts";
import { getSurface } from "./dictionary-entry.ts";
import { letterMask } from "./edit-distance.ts";
import type { SpellingCandidates } from "./spelling-candidates.ts";

type PackedSpellings = ReturnType<typeof packByLength>;

/** Bytes of a spelling in addition to its text. */
const bytesPerSpelling = 8;

/**
 * Packs all spellings.
 * @returns undefined when they take more than `maxBytes`
 */
export const packSpellings = (
  stored: ReadTables,
  maxBytes: number,
): PackedSpellings | undefined => {
  const byLength: string[][] = [];
  let [count, bytes] = [0, 0];
  for (const [, block] of stored.entries(tables.spellings)) {
    for (const spelling of block) {
      const { length } = getSurface(spelling);
      byLength[length] ??= [];
      byLength[length].push(spelling);
      bytes += Buffer.byteLength(spelling);
    }
    count += block.length;
    if (bytes + count * bytesPerSpelling > maxBytes) return undefined;
  }
  return packByLength(byLength, count, bytes);
};

/** Packs all spellings into one buffer, the short ones first. An object for each would take three times the memory. */
const packByLength = (byLength: readonly (readonly string[])[], count: number, bytes: number) => {
  const texts = Buffer.allocUnsafeSlow(bytes);
  /** Start of each spelling, and the end of the last one. */
  const starts = new Uint32Array(count + 1);
  const letterMasks = new Uint32Array(count);
  /** For each length, the index of the first spelling that is as long or longer. */
  const firstOfLength = new Uint32Array(byLength.length + 1);
  let [at, end] = [0, 0];
  for (let length = 0; length < byLength.length; length += 1) {
    firstOfLength[length] = at;
    for (const spelling of byLength[length] ?? []) {
      starts[at] = end;
      letterMasks[at++] = letterMask(getSurface(spelling));
      end += texts.write(spelling, end);
    }
  }
  firstOfLength[byLength.length] = at;
  starts[at] = end;
  return { texts, starts, letterMasks, firstOfLength };
};

export const findPackedCandidates =
  ({ texts, starts, letterMasks, firstOfLength }: PackedSpellings): SpellingCandidates =>
  (word, maxEdits, visit) => {
    const mask = letterMask(word);
    const firstIndexOfLength = (length: number): number =>
      firstOfLength[Math.min(Math.max(length, 0), firstOfLength.length - 1)] as number;
    const end = firstIndexOfLength(word.length + maxEdits + 1);
    for (let at = firstIndexOfLength(word.length - maxEdits); at < end; at += 1) {
      // The mask rules out most words.
      if (popcount((letterMasks[at] as number) ^ mask) > 2 * maxEdits) continue;
      visit(texts.toString("utf8", starts[at], starts[at + 1]));
    }
  };
