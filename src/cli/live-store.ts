import { VitrineError } from "../errors.ts";
import { openStore, type Store } from "../read-model/store/store.ts";
import { openExistingDirectory } from "./commands/status/model-info.ts";
import type { DataConfig } from "./shared-options.ts";

/**
 * Opens the live generation, reads it and closes it. A projector may write it meanwhile.
 * @throws `no_model` when there is none yet
 */
export const withLiveStore = async <T>(
  { dataDir }: DataConfig,
  read: (store: Store) => T | Promise<T>,
): Promise<T> => {
  const live = openExistingDirectory(dataDir)?.live();
  if (live === undefined) {
    throw new VitrineError(
      "no_model",
      `${dataDir} holds no read model yet`,
      "start vitrine serve: it makes one from the event log",
    );
  }
  return readGeneration(live, read);
};

/** Opens a generation, reads it and closes it. @param path directory of the generation */
export const readGeneration = async <T>(
  path: string,
  read: (store: Store) => T | Promise<T>,
): Promise<T> => {
  const store = openStore(path, { readOnly: true });
  try {
    return await read(store);
  } finally {
    await store.close();
  }
};
