import { projections } from "../../../../projections/index.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { readDirectoryUsage } from "../../../read-model/generations/disk-usage.ts";
import { assertOperatorStateIntact } from "../../../read-model/operator/integrity.ts";
import { type ModelCounts, readModelCounts } from "../../../read-model/reader/model-counts.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { readCheckpoint, type TableSizes } from "../../../read-model/store/store.ts";
import { assertReadable, readGeneration } from "../../live-store.ts";
import { withProbedOperatorReader } from "../../operator-state.ts";

export interface ProjectionInfo {
  readonly name: string;
  /** Null when the writer of the model did not have it. */
  readonly version: number | null;
  /** Null when this program does not have it. */
  readonly program: number | null;
}

/** State of the live generation, as its files show it. */
export interface ModelInfo {
  readonly generation: string;
  /** ISO 8601 time at which it went live. */
  readonly liveSince: string;
  /** Bytes on disk. */
  readonly bytes: number;
  readonly previous: string | null;
  readonly previousBytes: number;
  /** Free bytes on the disk of the data directory. */
  readonly freeBytes: number;
  readonly checkpoint: Checkpoint | undefined;
  readonly projections: readonly ProjectionInfo[];
  readonly counts: ModelCounts;
  readonly tables: TableSizes;
}

/** Reads the state of the live generation. @returns undefined when there is none yet */
export type ReadModelInfo = (directory: DataDirectory) => Promise<ModelInfo | undefined>;

/**
 * Creates a reader of the live generation, which a projector may write meanwhile.
 * Each generation is probed once, before its first read, and the operator state with it: a probe starts a process,
 * which reads the keys of all products.
 * @returns a reader, which throws VitrineError `model_damaged` when the generation is damaged
 */
export const createModelInfoReader = (): ReadModelInfo => {
  let probed: string | undefined;
  return async (directory) => {
    const live = directory.live();
    if (live === undefined) return undefined;
    if (live !== probed) {
      await Promise.all([assertReadable(live), assertOperatorStateIntact(directory.path)]);
    }
    probed = live;
    return readFacts(directory, live);
  };
};

const readFacts = (directory: DataDirectory, live: string): Promise<ModelInfo> => {
  const { generation, liveSince, ...sizes } = readDirectoryUsage(directory);
  return readGeneration(live, async (store) => {
    const checkpoint = readCheckpoint(store);
    return {
      generation: generation ?? "",
      liveSince: new Date(liveSince ?? 0).toISOString(),
      ...sizes,
      checkpoint,
      projections: compareProjections(checkpoint?.projections ?? ""),
      counts: await withProbedOperatorReader(directory.path, (operator) =>
        readModelCounts(store, operator),
      ),
      tables: store.sizes(),
    };
  });
};

/**
 * Compares the projections that wrote a model with those of this program.
 * @param written as a checkpoint stores them: `product.1 price.1 …`
 * @returns the model's projections in their sequence, then those that only this program has
 */
const compareProjections = (written: string): readonly ProjectionInfo[] => {
  const own = new Map<string, number>(projections.map(({ name, version }) => [name, version]));
  const stored = written.split(" ").filter(Boolean).map(parseProjection);
  const names = new Set(stored.map(({ name }) => name));
  const added = [...own].filter(([name]) => !names.has(name));
  return [
    ...stored.map(({ name, version }) => ({ name, version, program: own.get(name) ?? null })),
    ...added.map(([name, program]) => ({ name, version: null, program })),
  ];
};

const parseProjection = (text: string): { readonly name: string; readonly version: number } => {
  const dot = text.lastIndexOf(".");
  return { name: text.slice(0, dot), version: Number(text.slice(dot + 1)) };
};
