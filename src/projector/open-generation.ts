import { rmSync } from "node:fs";
import { basename } from "node:path";
import type { LogIdentity } from "../event-log/event-log.ts";
import type { DataDirectory } from "../read-model/generations/data-directory.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { tables } from "../read-model/schema/tables.ts";
import { openStore, type Store } from "../read-model/store/store.ts";
import { freshCheckpoint } from "./advance-checkpoint.ts";

/** A generation as its one writer holds it. */
export interface Generation {
  readonly name: string;
  readonly store: Store;
}

/** The generation to go on with: the live one, else a first replay that was interrupted, else a new one. */
export const resumeGeneration = (directory: DataDirectory): Generation => {
  const path = directory.current() ?? directory.create();
  directory.sweep(path);
  return openGeneration(path);
};

/** @throws `not_writable` when it cannot be made, as for want of room; nothing is left of it then */
export const newGeneration = (directory: DataDirectory): Generation => {
  const path = directory.create();
  try {
    return openGeneration(path);
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
};

/** Opens a generation to write to it. */
export const openGeneration = (path: string): Generation => ({
  name: basename(path),
  store: openStore(path, { readOnly: false }),
});

/** Where a generation stands; at the very beginning when nothing was folded into it. */
export const checkpointOf = (generation: Generation, identity: LogIdentity): Checkpoint =>
  generation.store.get(tables.meta, "checkpoint") ?? freshCheckpoint(identity);
