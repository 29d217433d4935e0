/** What disks do to files. */
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import type { Chance } from "../bench/seeded.ts";

export const page = 4_096;

export const damages = ["truncated", "zeroed", "garbled", "flipped", "torn"] as const;
export type Damage = (typeof damages)[number];

/** Damages a file, and tells where. */
export const damage = (file: string, kind: Damage, chance: Chance): string => {
  const bytes = readFileSync(file);
  const at = chance.below(bytes.length);
  const start = at - (at % page);
  if (kind === "truncated") truncateSync(file, at);
  else writeFileSync(file, changed(bytes, kind, at, chance));
  return `${kind} at ${at} of ${bytes.length}, page ${start / page}`;
};

/** What LMDB says of a page that holds rows, and where it says so (`MDB_page`). */
const leaf = 2;
const header = { flags: 18, lower: 20 };

/**
 * Makes pages whose rows hold a text say that they hold one row less: its key and value are where they were.
 * @returns how many pages there were
 */
export const hideRows = (file: string, text: string): number => {
  const bytes = readFileSync(file);
  let pages = 0;
  for (let start = 0; start + page <= bytes.length; start += page) {
    const isLeaf = bytes.readUInt16LE(start + header.flags) === leaf;
    const lower = bytes.readUInt16LE(start + header.lower);
    if (!isLeaf || bytes.indexOf(text, start) >= start + page || !bytes.includes(text, start))
      continue;
    bytes.writeUInt16LE(lower - 2, start + header.lower);
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
