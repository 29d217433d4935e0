import { rmSync } from "node:fs";
import { VitrineError } from "../../errors.ts";
import { type Announcing, announceBuilding } from "../../read-model/generations/build-progress.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { lockScratch } from "../integrity/lock.ts";

/** Where a command builds a generation that nothing points at. */
export interface Workplace {
  /** An empty directory of its own. It is gone when the command ends, unless it was admitted. */
  readonly path: string;
  /** Tells status and console how far it is. */
  readonly announce: Announcing;
  /** Aborts when the command is to end, or the place was lost to another one. */
  readonly signal: AbortSignal;
}

/**
 * Lets a command build beside the live generation, which is untouched whatever happens. One command at a time; what
 * one that was killed left behind is swept by the next. Close every store in the place before `build` settles.
 * @param doing the command, e.g. `rebuild`
 * @throws `locked` when another command builds there
 */
export const inScratch = async <T>(
  directory: DataDirectory,
  doing: string,
  signal: AbortSignal,
  build: (place: Workplace) => Promise<T>,
): Promise<T> => {
  const lost = new AbortController();
  const release = await lockScratch(directory.path, doing, (error) => lost.abort(lossOf(error)));
  const announce = announceBuilding(directory.path, doing, Date.now);
  let path: string | undefined;
  try {
    directory.sweepScratch();
    path = directory.createScratch(doing);
    const ended = AbortSignal.any([signal, lost.signal]);
    const built = await build({ path, announce, signal: ended });
    lost.signal.throwIfAborted();
    return built;
  } finally {
    if (path) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    announce.end();
    await release().catch(() => undefined);
  }
};

const lossOf = (error: Error): VitrineError =>
  new VitrineError(
    "locked",
    `the lock of the scratch directory was lost: ${error.message}`,
    "see whether another command took it over, or the disk was away; nothing was changed",
    error,
  );
