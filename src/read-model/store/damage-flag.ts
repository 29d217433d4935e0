import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fsyncPath } from "../../platform/durable-fs.ts";

/** Path of the flag file, with which a process that met unexpected data requests a full read of the generation. */
const flagPath = (generation: string): string => join(generation, "suspect");

/** Prefix of a reason for which the generation counts as damaged without a full read. */
export const corruptPrefix = "damaged: ";

/** Part of a reason that a signal ended a process which read or wrote the generation. */
export const crashPhrase = "killed by ";

/**
 * Flags a generation for a full read; of several reasons the most severe is retained. Any process may call it; without
 * write permission it does nothing. The flag is durable, because a power cut is one cause of damage.
 */
export const flagForCheck = (generation: string, reason: string): void => {
  const current = readFlag(generation);
  if (current !== undefined && severity(current) >= severity(reason)) return;
  try {
    writeFileSync(flagPath(generation), `${reason}\n`, { flush: true });
    fsyncPath(generation);
  } catch {
    // The generation was moved to quarantine, or this process may not write in it.
  }
};

const severity = (reason: string): number =>
  reason.startsWith(corruptPrefix) ? 2 : reason.includes(crashPhrase) ? 1 : 0;

/**
 * Reads the reason for which a generation is flagged.
 * @returns undefined when it is not flagged
 */
export const readFlag = (generation: string): string | undefined => {
  try {
    return readFileSync(flagPath(generation), "utf8").trim();
  } catch {
    return undefined;
  }
};

export const clearFlag = (generation: string): void =>
  rmSync(flagPath(generation), { force: true });
