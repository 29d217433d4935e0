import { VitrineError } from "../errors.ts";
import { lockDirectory } from "../projector/integrity/lock.ts";

/**
 * Runs work under the lock of a data directory, then releases the lock.
 * @param path of the data directory
 * @param onLost called when the lock is lost; the work must then stop
 * @throws VitrineError `locked` when another process holds the lock
 */
export const withDataDirectoryLock = async <T>(
  path: string,
  onLost: (error: VitrineError) => void,
  work: () => Promise<T>,
): Promise<T> => {
  const release = await lockDirectory(path, (error) => onLost(lockLost(error)));
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
    "check whether another service uses the directory, or its disk was disconnected",
    error,
  );
