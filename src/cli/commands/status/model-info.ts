import { VitrineError } from "../../../errors.ts";
import { entriesOf } from "../../../platform/durable-fs.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../../read-model/generations/data-directory.ts";
import { standingOf } from "../../../read-model/generations/disk-usage.ts";
import { type TableSizes, tableSizes } from "../../../read-model/generations/table-sizes.ts";
import { probe } from "../../../read-model/integrity/probe.ts";
import { operatorStateMustBeSound } from "../../../read-model/operator/integrity.ts";
import { countModel, type ModelCounts } from "../../../read-model/reader/model-counts.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { openStore } from "../../../read-model/store/store.ts";
import { withProbedOperatorReader } from "../../operator-state.ts";
import { type ProjectionFacts, projectionFacts } from "./projection-info.ts";

/** State of the live generation, as its files show it. */
export interface ModelFacts {
  readonly generation: string;
  /** ISO 8601 time at which it went live. */
  readonly liveSince: string;
  /** Bytes on disk. */
  readonly bytes: number;
  /** The previous generation, kept for a rollback. */
  readonly previous: string | null;
  /** Bytes on disk. */
  readonly previousBytes: number;
  /** Free bytes on the disk of the data directory. */
  readonly freeBytes: number;
  readonly checkpoint: Checkpoint | undefined;
  /** The projections that wrote it, compared with those of this program. */
  readonly projections: readonly ProjectionFacts[];
  readonly counts: ModelCounts;
  readonly tables: TableSizes;
}

/**
 * Opens a data directory if it exists; creates nothing.
 * @returns undefined for an absent or empty directory
 * @throws VitrineError `data_dir` when it is something else
 */
export const lookAtDirectory = (path: string): DataDirectory | undefined => {
  try {
    if (entriesOf(path).length === 0) return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  }
  return openDataDirectory(path);
};

/** Reads the state of the live generation. @returns undefined when there is none yet */
export type ModelWatch = (directory: DataDirectory) => Promise<ModelFacts | undefined>;

/**
 * Creates a reader of the live generation, which a projector may write meanwhile.
 * Each generation is probed once, before its first read, and the operator state with it: a probe starts a process,
 * which reads the keys of all products.
 * @returns a reader, which throws VitrineError `model_damaged` when the generation is damaged
 */
export const watchModel = (): ModelWatch => {
  let probed: string | undefined;
  return async (directory) => {
    const live = directory.live();
    if (live === undefined) return undefined;
    if (live !== probed) {
      await assertReadable(live);
      await operatorStateMustBeSound(directory.path);
    }
    probed = live;
    return readFacts(directory, live);
  };
};

const readFacts = async (directory: DataDirectory, live: string): Promise<ModelFacts> => {
  const { generation, liveSince, ...sizes } = standingOf(directory);
  const store = openStore(live, { readOnly: true });
  try {
    const checkpoint = store.get(tables.meta, "checkpoint");
    return {
      generation: generation ?? "",
      liveSince: new Date(liveSince ?? 0).toISOString(),
      ...sizes,
      checkpoint,
      projections: projectionFacts(checkpoint?.projections ?? ""),
      counts: await withProbedOperatorReader(directory.path, (operator) =>
        countModel(store, operator),
      ),
      tables: tableSizes(store),
    };
  } finally {
    await store.close();
  }
};

/**
 * Reads the checkpoint of the live generation.
 * @returns undefined when there is none yet
 * @throws VitrineError `model_damaged`
 */
export const readCheckpoint = async (dataDir: string): Promise<Checkpoint | undefined> => {
  const live = lookAtDirectory(dataDir)?.live();
  if (live === undefined) return undefined;
  await assertReadable(live);
  const store = openStore(live, { readOnly: true });
  try {
    return store.get(tables.meta, "checkpoint");
  } finally {
    await store.close();
  }
};

const assertReadable = async (live: string): Promise<void> => {
  const damage = await probe(live, "quick");
  if (damage === undefined) return;
  throw new VitrineError(
    "model_damaged",
    `the read model in ${live} is damaged: ${damage}`,
    "start vitrine serve: it sets it aside and makes a new one from the event log",
  );
};
