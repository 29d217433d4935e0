import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lock as acquire, check } from "proper-lockfile";
import { isDiskFull, messageOf, VitrineError } from "../../errors.ts";
import { readJson, writeFileAtomic } from "../../platform/json-file.ts";
import {
  currentProcess,
  hasExited,
  isProcessIdentity,
  isSameProcessAlive,
  type ProcessIdentity,
} from "../../platform/process-identity.ts";
import { assertNotRootInForeignDirectory } from "../../read-model/generations/directory-marker.ts";
import { releaseReserve, reserveDiskSpace } from "./disk-reserve.ts";

export type Release = () => Promise<void>;

interface LockOwner extends ProcessIdentity {
  /** Command that the lock is for. */
  readonly doing?: string;
}

/** Time without a heartbeat after which the owner counts as dead. */
const staleMs = 10_000;

/** Lists the files of each lock, and the directory it locks, because a process may own one lock per directory. */
const lockPaths = (directory: string) => ({
  projector: {
    ownerFile: join(directory, "projector.json"),
    lockfilePath: join(directory, "projector.lock"),
    lockedDirectory: directory,
  },
  scratch: {
    ownerFile: join(directory, "scratch.json"),
    lockfilePath: join(directory, "scratch.lock"),
    lockedDirectory: join(directory, "generations"),
  },
  gateway: {
    ownerFile: join(directory, "gateway.json"),
    lockfilePath: join(directory, "gateway.lock"),
    lockedDirectory: join(directory, "connections"),
  },
});

type LockPaths = ReturnType<typeof lockPaths>["projector" | "scratch" | "gateway"];

/**
 * Locks a data directory for its single writer. The lock has a heartbeat, so that it works between containers. The lock of an
 * owner that died on this machine is taken over immediately. On a full disk the disk reserve is released for the lock, so that
 * the process can start and answer, although it cannot write.
 * @param onCompromised receives the error when the heartbeat fails; the caller must stop writing then
 * @throws `locked` when another projector owns the lock
 */
export const lockDirectory = async (
  directory: string,
  onCompromised: (error: Error) => void,
): Promise<Release> => {
  assertNotRootInForeignDirectory(directory);
  const lock = () =>
    acquireLock(lockPaths(directory).projector, {}, onCompromised, (owner) => [
      `another projector${owner ? ` (process ${owner.pid})` : ""} already writes to ${directory}`,
      "stop that projector first, or name another directory with --data-dir; after a crash on another machine the lock expires in 10 seconds",
    ]);
  const release = await lock().catch((error: unknown) => {
    const isFull = error instanceof Error && isDiskFull(error.cause);
    if (isFull && releaseReserve(directory)) return lock();
    throw error;
  });
  // Reserves the space again for the next start, because the lock needs only a small part of it.
  reserveDiskSpace(directory);
  return release;
};

/**
 * Locks the directory `scratch/` for one command that builds a generation while the projector runs.
 * @param doing the command, e.g. `rebuild`
 * @throws `locked` when another command owns the lock
 */
export const lockScratch = async (
  directory: string,
  doing: string,
  onCompromised: (error: Error) => void,
): Promise<Release> => {
  assertNotRootInForeignDirectory(directory);
  return acquireLock(lockPaths(directory).scratch, { doing }, onCompromised, (owner) => [
    owner
      ? `vitrine ${owner.doing} (process ${owner.pid}) already builds a generation in ${directory}`
      : `another command already builds a generation in ${directory}`,
    "wait until that command is done, or stop it; vitrine status shows its progress",
  ]);
};

/**
 * Locks a connection for one import. A gateway may run meanwhile.
 * @param directory of the connection
 * @throws `locked` when another import owns the lock
 */
export const lockImport = async (
  directory: string,
  onCompromised: (error: Error) => void,
): Promise<Release> => {
  mkdirSync(directory, { recursive: true });
  const paths = {
    ownerFile: `${directory}.import.json`,
    lockfilePath: `${directory}.import.lock`,
    lockedDirectory: directory,
  };
  return acquireLock(paths, {}, onCompromised, (owner) => [
    `another import${owner ? ` (process ${owner.pid})` : ""} of this connection runs`,
    "wait until it is done, or stop it",
  ]);
};

/**
 * Locks the directory `connections/` for one gateway. Commands that change its inboxes need no lock.
 * @throws `locked` when another gateway owns the lock
 */
export const lockConnections = async (
  directory: string,
  onCompromised: (error: Error) => void,
): Promise<Release> => {
  assertNotRootInForeignDirectory(directory);
  mkdirSync(lockPaths(directory).gateway.lockedDirectory, { recursive: true });
  return acquireLock(lockPaths(directory).gateway, {}, onCompromised, (owner) => [
    `another gateway${owner ? ` (process ${owner.pid})` : ""} already takes deliveries into ${directory}`,
    "stop that gateway first, or name another directory with --data-dir; after a crash on another machine the lock expires in 10 seconds",
  ]);
};

export const isLocked = (directory: string): Promise<boolean> => {
  const { ownerFile, lockfilePath, lockedDirectory } = lockPaths(directory).projector;
  const owner = readOwner(ownerFile);
  if (owner && isDead(owner)) return Promise.resolve(false);
  if (owner && isHeldByLivingProcess(owner, lockfilePath)) return Promise.resolve(true);
  return check(lockedDirectory, { lockfilePath, stale: staleMs });
};

const acquireLock = async (
  { ownerFile, lockfilePath, lockedDirectory }: LockPaths,
  purpose: Pick<LockOwner, "doing">,
  onCompromised: (error: Error) => void,
  describeConflict: (owner: LockOwner | undefined) => readonly [message: string, hint: string],
): Promise<Release> => {
  let owner = readOwner(ownerFile);
  try {
    return await serialised(lockfilePath, async () => {
      owner = readOwner(ownerFile);
      if (owner && isDead(owner)) rmSync(lockfilePath, { recursive: true, force: true });
      else if (owner && isHeldByLivingProcess(owner, lockfilePath)) throw alreadyLocked();
      const options = { lockfilePath, stale: staleMs, update: 2_000, onCompromised };
      const release = await acquire(lockedDirectory, options);
      try {
        const written: LockOwner = { ...currentProcess(), ...purpose };
        writeFileAtomic(ownerFile, JSON.stringify(written));
      } catch (error) {
        await release();
        throw error;
      }
      return release;
    });
  } catch (cause) {
    const isLocked = cause instanceof Error && "code" in cause && cause.code === "ELOCKED";
    if (isLocked) throw new VitrineError("locked", ...describeConflict(owner), cause);
    throw new VitrineError(
      "not_writable",
      `cannot lock ${lockedDirectory}: ${messageOf(cause)}`,
      isDiskFull(cause) ? "make room on its disk" : "",
      cause,
    );
  }
};

/**
 * Runs steps in one process at a time, such as those of a lock acquisition: read the owner, remove a dead owner's lock, lock, write the
 * owner. Without this, another process could read the file of a dead owner together with the lock of a living one.
 */
export const serialised = async <T>(lockfilePath: string, steps: () => Promise<T>): Promise<T> => {
  const mutex = `${lockfilePath}.turn`;
  const release = await acquireWithRetry(() =>
    acquire(mutex, {
      realpath: false,
      lockfilePath: mutex,
      stale: staleMs,
      onCompromised: () => undefined,
    }),
  );
  try {
    return await steps();
  } finally {
    await release().catch(() => undefined);
  }
};

/** Retries to acquire the mutex of `serialised`, which another process owns only briefly. */
const mutexRetries = { max: 600, delayMs: 20 };

/** Waits for another process only, because proper-lockfile's own retries also wait after disk and permission errors. */
const acquireWithRetry = async (tryAcquire: () => Promise<Release>): Promise<Release> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryAcquire();
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "ELOCKED";
      if (!isTaken || attempt > mutexRetries.max) throw error;
      await delay(mutexRetries.delayMs);
    }
  }
};

/** Ignores a late heartbeat, because a clock may be changed: a process that runs on this machine still owns its lock. */
const isHeldByLivingProcess = (owner: LockOwner, lockfilePath: string): boolean =>
  isSameProcessAlive(owner) && existsSync(lockfilePath);

/** Builds the error that proper-lockfile throws for a lock with an owner. */
const alreadyLocked = (): Error => Object.assign(new Error("its holder runs"), { code: "ELOCKED" });

const readOwner = (file: string): LockOwner | undefined => readJson(file, isLockOwner);

const isLockOwner = (value: unknown): value is LockOwner =>
  isProcessIdentity(value) && (!("doing" in value) || typeof value.doing === "string");

/** Checks whether the owner is dead. An owner with this process's pid is an earlier process, as in a container. */
const isDead = (owner: LockOwner): boolean =>
  hasExited(owner) || (owner.pid === process.pid && owner.scope === currentProcess().scope);
