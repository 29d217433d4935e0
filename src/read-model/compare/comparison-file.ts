import { basename, join } from "node:path";
import { isDiskFull } from "../../errors.ts";
import { hasMembers, readJson, writeFileAtomic } from "../../platform/json-file.ts";
import type { Comparison, StoredComparison } from "./compare.ts";

const fileName = "comparison.json";

/**
 * Writes the comparison of a new generation into its directory.
 * @param generation directory of the new generation
 * @param from directory of the baseline
 * @param made milliseconds since 1970
 */
export const writeComparison = (
  generation: string,
  comparison: Comparison,
  from: string,
  made: number,
): void => {
  const content: StoredComparison = {
    made: new Date(made).toISOString(),
    from: basename(from),
    ...comparison,
  };
  try {
    writeFileAtomic(join(generation, fileName), `${JSON.stringify(content)}\n`);
  } catch (error) {
    // A full disk does not fail the rebuild, because only operators read the comparison.
    if (!isDiskFull(error)) throw error;
  }
};

/**
 * Reads the comparison that a rebuild stored.
 * @param generation directory of the generation
 * @returns undefined for a generation that no rebuild made
 */
export const readComparison = (generation: string): StoredComparison | undefined =>
  readJson(join(generation, fileName), isStoredComparison);

const isStoredComparison = (value: unknown): value is StoredComparison =>
  hasMembers(value, {
    made: "string",
    from: "string",
    before: "object",
    after: "object",
    isSame: "boolean",
    tables: "object",
  }) && Array.isArray(value.tables);
