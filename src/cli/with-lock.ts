import { VitrineError } from "../errors.ts";
import { lockDirectory } from "../projector/integrity/lock.ts";
import type { DataDirectory } from "../read-model/generations/data-directory.ts";
import type { Shutdown } from "./terminal/signals.ts";

/**
 * Runs work under the lock of a data directory, then releases the lock.
 * @param shutdown fails when the lock is lost; the work must then stop
 * @throws VitrineError `locked` when another process holds the lock
 */
export const withLock = async <T>(
  { path }: DataDirectory,
  shutdown: Pick<Shutdown, "fail">,
  work: () => Promise<T>,
): Promise<T> => {
  const release = await lockDirectory(path, (error) => shutdown.fail(lockLost(error)));
  try {
    return await work();
  } finally {
    await release().catch(() => undefined);
  }
};

const lockLost = (error: Error): VitrineError =>
  new VitrineError(
    "locked",
    `the lock of the data directory was lost: ${error.message}`,
    "see whether another service took the directory over, or its disk was away",
    error,
  );
