import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isWantOfRoom } from "../../errors.ts";
import type { Comparison, KeptComparison } from "./compare.ts";

const file = "comparison.json";

/**
 * @param generation directory of the new generation
 * @param from directory of the one it was compared with
 * @param made milliseconds since 1970
 */
export const keepComparison = (
  generation: string,
  comparison: Comparison,
  from: string,
  made: number,
): void => {
  const kept: KeptComparison = {
    made: new Date(made).toISOString(),
    from: basename(from),
    ...comparison,
  };
  try {
    writeFileSync(join(generation, file), `${JSON.stringify(kept)}\n`);
  } catch (error) {
    // It is for people to read: no generation is given up for it.
    if (!isWantOfRoom(error)) throw error;
    rmSync(join(generation, file), { force: true });
  }
};

/** Undefined for a generation that no rebuild made. @param generation its directory */
export const readComparison = (generation: string): KeptComparison | undefined => {
  try {
    return JSON.parse(readFileSync(join(generation, file), "utf8"));
  } catch {
    return undefined;
  }
};
