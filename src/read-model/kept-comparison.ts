import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
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
  writeFileSync(join(generation, file), `${JSON.stringify(kept)}\n`);
};

/** Undefined for a generation that no rebuild made. @param generation its directory */
export const readComparison = (generation: string): KeptComparison | undefined => {
  try {
    return JSON.parse(readFileSync(join(generation, file), "utf8"));
  } catch {
    return undefined;
  }
};
