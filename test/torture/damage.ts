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
