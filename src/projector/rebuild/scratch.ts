import { rmSync } from "node:fs";
import { VitrineError } from "../../errors.ts";
import {
  type BuildProgressWriter,
  writeBuildProgress,
} from "../../read-model/generations/build-progress.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { lockScratch } from "../integrity/lock.ts";

/** Scratch directory in which a command builds a candidate generation. */
export interface ScratchContext {
  /** Path of an empty directory. It is deleted when the command ends, unless the projector has adopted it. */
  readonly path: string;
  readonly announce: BuildProgressWriter;
  /** Aborts when the command must end, or another command took over the lock. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command that builds a candidate in `scratch/`, and never changes the live generation. One command runs at a time. It
 * deletes the remains of a killed command. `build` must close every store in the directory before it resolves or rejects.
 * @param doing the command, e.g. `rebuild`
 * @throws `locked` when another command owns the scratch lock
 */
export const withScratch = async <T>(
  directory: DataDirectory,
  doing: string,
  signal: AbortSignal,
  build: (scratch: ScratchContext) => Promise<T>,
): Promise<T> => {
  const lost = new AbortController();
  const release = await lockScratch(directory.path, doing, (error) => lost.abort(lockLost(error)));
  const announce = writeBuildProgress(directory.path, doing, Date.now);
  let path: string | undefined;
  try {
    directory.sweepScratch();
    path = directory.createScratch(doing);
    const ended = AbortSignal.any([signal, lost.signal]);
    const result = await build({ path, announce, signal: ended });
    lost.signal.throwIfAborted();
    return result;
  } finally {
    if (path) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    announce.end();
    await release().catch(() => undefined);
  }
};

const lockLost = (error: Error): VitrineError =>
  new VitrineError(
    "locked",
    `the lock of the scratch directory was lost: ${error.message}`,
    "check whether another command took the directory over, or its disk was disconnected; nothing was changed",
    error,
  );
