import { statSync } from "node:fs";
import { basename, join } from "node:path";
import type { GenerationInfo } from "../../ops/console/types.ts";
import { readComparison } from "../../read-model/compare/comparison-file.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { tableSizes } from "../../read-model/generations/table-sizes.ts";
import { readCheckpoint } from "../../read-model/store/read-checkpoint.ts";
import { readGeneration } from "../live-store.ts";

/** Lists the generations of a data directory, newest first; omits one that is removed meanwhile. */
export const listGenerations = async (
  directory: DataDirectory,
): Promise<readonly GenerationInfo[]> => {
  const all = [...directory.generations()].reverse();
  const facts = await Promise.all(all.map((path) => readInfo(path, getRole(path, directory))));
  return facts.flatMap((each) => each ?? []);
};

const getRole = (path: string, directory: DataDirectory): GenerationInfo["role"] => {
  if (path === directory.live()) return "live";
  return path === directory.previous() ? "previous" : "other";
};

const readInfo = async (
  path: string,
  role: GenerationInfo["role"],
): Promise<GenerationInfo | undefined> => {
  const file = statSync(join(path, "data.mdb"), { throwIfNoEntry: false });
  if (!file) return undefined;
  const { checkpoint, sizes } = await readGeneration(path, (store) => ({
    checkpoint: readCheckpoint(store)?.sequence ?? null,
    sizes: Object.entries(tableSizes(store)),
  }));
  return {
    name: basename(path),
    role,
    created: statSync(path).birthtime.toISOString(),
    bytes: file.size,
    checkpoint,
    rows: Object.fromEntries(sizes.map(([name, { rows }]) => [name, rows])),
    comparison: readComparison(path) ?? null,
  };
};
