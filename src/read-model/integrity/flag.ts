import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { syncPath } from "../../platform/durable-fs.ts";

/** A file in a generation's directory: somebody met what should not be, and wants it to be looked at as a whole. */
const mark = (generation: string): string => join(generation, "suspect");

/** What is known to be damaged: nobody needs to read it through. */
export const certain = "damaged: ";

/** What ended a process that read it or wrote to it. */
export const deadly = "killed by ";

/**
 * Marks a generation to be read through; of several reasons the gravest stays. Any process may; without the right to
 * write there nothing happens. The mark is durable, as a power cut is one of the causes of damage.
 */
export const suspect = (generation: string, reason: string): void => {
  const known = suspicionOf(generation);
  if (known !== undefined && gravityOf(known) >= gravityOf(reason)) return;
  try {
    writeFileSync(mark(generation), `${reason}\n`, { flush: true });
    syncPath(generation);
  } catch {
    // It was set aside meanwhile, or is not ours to write in.
  }
};

const gravityOf = (reason: string): number =>
  reason.startsWith(certain) ? 2 : reason.includes(deadly) ? 1 : 0;

/** Why a generation is suspected; undefined when it is not. */
export const suspicionOf = (generation: string): string | undefined => {
  try {
    return readFileSync(mark(generation), "utf8").trim();
  } catch {
    return undefined;
  }
};

export const clearSuspicion = (generation: string): void =>
  rmSync(mark(generation), { force: true });
