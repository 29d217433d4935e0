/** Damages of files by disks. */
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import type { Chance } from "../bench/seeded.ts";

export const page = 4_096;

export const damages = ["truncated", "zeroed", "garbled", "flipped", "torn"] as const;
export type Damage = (typeof damages)[number];

/** Damages a file and returns a description. */
export const damage = (file: string, kind: Damage, chance: Chance): string => {
  const bytes = readFileSync(file);
  const at = chance.below(bytes.length);
  const start = at - (at % page);
  if (kind === "truncated") truncateSync(file, at);
  else writeFileSync(file, changed(bytes, kind, at, chance));
  return `${kind} at ${at} of ${bytes.length}, page ${start / page}`;
};

/** Header of an LMDB page (`MDB_page`): its flags, and the ends of its index and its free space. */
const leaf = 2;
const header = { flags: 18, lower: 20, upper: 22, end: 24 };

/**
 * Lowers the row count of the pages whose rows contain a text; the data of the row stays.
 * @returns the number of pages
 */
export const hideRows = (file: string, text: string): number => {
  const bytes = readFileSync(file);
  let pages = 0;
  for (let start = 0; start + page <= bytes.length; start += page) {
    const at = (offset: number): number => bytes.readUInt16LE(start + offset);
    // A page must keep one row: LMDB crashes on a page without rows, which is another damage.
    const isLeaf = at(header.flags) === leaf && at(header.lower) >= 4 && at(header.upper) < page;
    if (!isLeaf) continue;
    // The bytes before the rows are left over from an earlier use of the page.
    const rows = bytes.subarray(start + header.end + at(header.upper), start + page);
    if (!rows.includes(text)) continue;
    bytes.writeUInt16LE(at(header.lower) - 2, start + header.lower);
    pages += 1;
  }
  writeFileSync(file, bytes);
  return pages;
};

const changed = (
  bytes: Buffer,
  kind: Exclude<Damage, "truncated">,
  at: number,
  { below }: Chance,
): Buffer => {
  const start = at - (at % page);
  if (kind === "zeroed") return bytes.fill(0, start, start + page);
  if (kind === "flipped") {
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << below(8)), at);
    return bytes;
  }
  const length = kind === "torn" ? 512 * (1 + below(7)) : page;
  for (let byte = start; byte < Math.min(bytes.length, start + length); byte += 1) {
    bytes.writeUInt8(below(256), byte);
  }
  return bytes;
};
