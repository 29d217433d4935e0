import { VitrineError } from "../errors.ts";
import { closeAfter } from "../platform/async.ts";
import { probeGeneration } from "../read-model/integrity/probe.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { openStore, readCheckpoint, type Store } from "../read-model/store/store.ts";
import { noModel, openExistingDirectory } from "./model-directory.ts";
import type { DataConfig } from "./shared-options.ts";

/**
 * Opens the live generation, reads it and closes it. A projector may write it meanwhile.
 * @throws `no_model` when there is none yet
 */
export const withLiveStore = async <T>(
  { dataDir }: Pick<DataConfig, "dataDir">,
  read: (store: Store) => T | Promise<T>,
): Promise<T> => {
  const live = openExistingDirectory(dataDir)?.live();
  if (live === undefined) throw noModel(dataDir);
  return readGeneration(live, read);
};

/** Opens a generation, reads it and closes it. @param path directory of the generation */
export const readGeneration = async <T>(
  path: string,
  read: (store: Store) => T | Promise<T>,
): Promise<T> => closeAfter(openStore(path, { readOnly: true }), read);

/**
 * Reads the checkpoint of the live generation.
 * @returns undefined when there is none yet
 * @throws VitrineError `model_damaged`
 */
export const readLiveCheckpoint = async (dataDir: string): Promise<Checkpoint | undefined> => {
  const live = openExistingDirectory(dataDir)?.live();
  if (live === undefined) return undefined;
  await assertReadable(live);
  return readGeneration(live, readCheckpoint);
};

/** Probes a generation quickly. @throws VitrineError `model_damaged` */
export const assertReadable = async (live: string): Promise<void> => {
  const damage = await probeGeneration(live, "quick");
  if (damage === undefined) return;
  throw new VitrineError(
    "model_damaged",
    `the read model in ${live} is damaged: ${damage}`,
    "start vitrine serve: it quarantines the model and builds a new one from the event log",
  );
};
