import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file in a generation's directory: somebody met what should not be, and wants it to be looked at as a whole. */
const mark = (generation: string): string => join(generation, "suspect");

/** Marks a generation to be read through. Any process may; without the right to write there nothing happens. */
export const suspect = (generation: string, reason: string): void => {
  try {
    if (!existsSync(mark(generation))) writeFileSync(mark(generation), `${reason}\n`);
  } catch {
    // It was set aside meanwhile, or is not ours to write in.
  }
};

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
