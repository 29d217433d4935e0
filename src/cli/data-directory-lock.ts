import { VitrineError } from "../errors.ts";
import { lockConnections, lockDirectory } from "../projector/integrity/lock.ts";

/**
 * Runs work under the lock of a data directory, then releases the lock.
 * @param work must stop when its signal aborts, because the lock is lost
 * @param onLost called when the lock is lost
 * @throws VitrineError `locked` when another process holds the lock
 */
export const withDataDirectoryLock = async <T>(
  { path, onLost }: { readonly path: string; readonly onLost?: (error: VitrineError) => void },
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> => {
  const lost = new AbortController();
  const release = await lockDirectory(path, (cause) => {
    const error = lockLost(cause);
    lost.abort(error);
    onLost?.(error);
  });
  try {
    return await work(lost.signal);
  } finally {
    await release().catch(() => undefined);
  }
};

/**
 * Runs work while no gateway has the inboxes of a data directory open.
 * @throws VitrineError `locked` when a gateway runs
 */
export const withConnectionsLock = async <T>(
  { path }: { readonly path: string },
  work: () => Promise<T>,
): Promise<T> => {
  // The work ends long before the lock may be taken over.
  const release = await lockConnections(path, () => undefined);
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
