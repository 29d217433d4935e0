import { rmSync } from "node:fs";
import { basename } from "node:path";
import type { LogIdentity } from "../event-log/event-log.ts";
import type { DataDirectory } from "../read-model/generations/data-directory.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { openStore, readCheckpoint, type Store } from "../read-model/store/store.ts";
import { initialCheckpoint } from "./advance-checkpoint.ts";

/** A generation that the projector or a command has open for writing. */
export interface Generation {
  readonly name: string;
  readonly store: Store;
}

/** Opens the live generation, else an interrupted first replay, else a new generation. */
export const resumeGeneration = (directory: DataDirectory): Generation => {
  const path = directory.resumable() ?? directory.create();
  directory.sweep(path);
  return openGeneration(path);
};

/** @throws `not_writable` when it cannot be created, for example on a full disk; its directory is removed then */
export const createGeneration = (directory: DataDirectory): Generation => {
  const path = directory.create();
  try {
    return openGeneration(path);
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
};

export const openGeneration = (path: string): Generation => ({
  name: basename(path),
  store: openStore(path, { readOnly: false }),
});

/** Reads the checkpoint of a generation, or builds the initial one when nothing was applied yet. */
export const readCheckpointOrInitial = (
  generation: Generation,
  identity: LogIdentity,
): Checkpoint => readCheckpoint(generation.store) ?? initialCheckpoint(identity);
