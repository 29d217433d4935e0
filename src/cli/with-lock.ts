import { VitrineError } from "../errors.ts";
import { lockDirectory } from "../projector/integrity/lock.ts";
import type { DataDirectory } from "../read-model/generations/data-directory.ts";
import type { Ending } from "./terminal/signals.ts";

/**
 * Runs the one writer of a data directory under its lock, which is released afterwards.
 * @param ending is failed when the lock is lost: the work must end then
 * @throws VitrineError `locked` when another process holds it
 */
export const underLock = async <T>(
  { path }: DataDirectory,
  ending: Pick<Ending, "fail">,
  work: () => Promise<T>,
): Promise<T> => {
  const release = await lockDirectory(path, (error) => ending.fail(lost(error)));
  try {
    return await work();
  } finally {
    await release().catch(() => undefined);
  }
};

const lost = (error: Error): VitrineError =>
  new VitrineError(
    "locked",
    `the lock of the data directory was lost: ${error.message}`,
    "see whether another service took the directory over, or its disk was away",
    error,
  );
