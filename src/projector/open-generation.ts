import { rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { basename } from "node:path";
import { messageOf, VitrineError } from "../errors.ts";
import type { EventLog, LogIdentity } from "../event-log/event-log.ts";
import type { DataDirectory } from "../read-model/generations/data-directory.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { openStore, readCheckpoint, type Store } from "../read-model/store/store.ts";
import { initialCheckpoint } from "./advance-checkpoint.ts";

/** A generation that the projector or a command has open for writing. */
export interface Generation {
  readonly name: string;
  readonly store: Store;
  /** History of its log, for its first checkpoint. */
  readonly history?: string | undefined;
}

/** Opens the live generation, else an interrupted first replay, else a new generation. */
export const resumeGeneration = (directory: DataDirectory): Generation => {
  const path = directory.resumable() ?? directory.create();
  directory.sweep(path);
  return openGeneration(path);
};

/** @throws `not_writable` when it cannot be created, for example on a full disk; its directory is removed then */
export const createGeneration = (directory: DataDirectory, history?: string): Generation => {
  const path = directory.create();
  try {
    return openGeneration(path, history);
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
};

/** @param history of its log, when it has no checkpoint yet */
export const openGeneration = (path: string, history?: string): Generation => ({
  name: basename(path),
  store: openStore(path, { readOnly: false }),
  history,
});

/**
 * Opens a generation and its log again after a replay of the complete log, and returns the memory of the replay to the system:
 * LMDB keeps the pages of its largest transaction and a map of all pages it has read, and V8 keeps the heap of the replay.
 * Measured with 20,000 products and their journal: the service takes 479 MB before and at most 219 MB afterwards.
 * @throws `reopen` when it cannot be opened again
 */
export const reopenGeneration = async (
  { store }: Generation,
  eventLog: EventLog,
): Promise<Generation> => {
  await store.close();
  await collectGarbage();
  try {
    await eventLog.reopen();
    return openGeneration(store.directory);
  } catch (error) {
    const hint = error instanceof VitrineError ? error.hint : undefined;
    throw new VitrineError("reopen", messageOf(error), hint, error);
  }
};

/** Compacts the heap of V8, which only its debugger offers without a flag. */
const collectGarbage = async (): Promise<void> => {
  const debugging = new Session();
  try {
    debugging.connect();
    await debugging.post("HeapProfiler.collectGarbage");
  } catch {
    // Without a debugger, V8 compacts the heap some time later.
  } finally {
    debugging.disconnect();
  }
};

/** Reads the checkpoint of a generation, or builds the initial one when nothing was applied yet. */
export const readCheckpointOrInitial = (
  generation: Generation,
  identity: LogIdentity,
): Checkpoint => readCheckpoint(generation.store) ?? initialCheckpoint(identity);
