import { VitrineError } from "../errors.ts";
import { listEntries } from "../platform/durable-fs.ts";
import { type DataDirectory, openDataDirectory } from "../read-model/generations/data-directory.ts";
import type { DataConfig } from "./shared-options.ts";

/**
 * Opens a data directory if it exists; creates nothing.
 * @returns undefined for an absent or empty directory
 * @throws VitrineError `data_dir` when it is something else
 */
export const openExistingDirectory = (path: string): DataDirectory | undefined => {
  try {
    if (listEntries(path).length === 0) return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  }
  return openDataDirectory(path);
};

export interface ModelDirectory {
  readonly directory: DataDirectory;
  readonly live: string;
}

/**
 * Opens the data directory for a command that works on its model; creates nothing.
 * @throws VitrineError `no_model`; `data_dir` when the directory is frozen
 */
export const openModelDirectory = ({ dataDir }: DataConfig): ModelDirectory => {
  const directory = openExistingDirectory(dataDir);
  const live = directory?.live();
  if (!directory || live === undefined) throw noModel(directory?.path ?? dataDir);
  assertNotFrozen(directory);
  return { directory, live };
};

export const noModel = (path: string): VitrineError =>
  new VitrineError(
    "no_model",
    `${path} holds no read model yet`,
    "start vitrine serve, which builds it from the event log, or name another directory with --data-dir",
  );

/** @throws VitrineError `data_dir` for a frozen directory, which `rebuild --until-…` creates */
export const assertNotFrozen = (directory: DataDirectory): void => {
  const until = directory.frozenAt();
  if (!until) return;
  throw new VitrineError(
    "data_dir",
    `${directory.path} is frozen at event ${until.sequence} (${until.time}), and follows no event log`,
    "name the data directory of the service with --data-dir",
  );
};
