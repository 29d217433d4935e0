import { readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { lock as acquire, check } from "proper-lockfile";
import { messageOf, VitrineError } from "../errors.ts";

/** Gives what was locked back to whoever comes next. */
export type Release = () => Promise<void>;

interface Owner {
  readonly pid: number;
  /** Where that pid means something: host and PID namespace. */
  readonly place: string;
  /** What it holds the lock for. */
  readonly doing?: string;
}

/** A holder that has not shown itself for so long, in milliseconds, is taken for dead. */
const stale = 10_000;

/** Files of a lock in a data directory, and what it locks: each process may hold one lock on each. */
const locksOf = (directory: string) => ({
  projector: {
    note: join(directory, "projector.json"),
    lockfilePath: join(directory, "projector.lock"),
    locked: directory,
  },
  scratch: {
    note: join(directory, "scratch.json"),
    lockfilePath: join(directory, "scratch.lock"),
    locked: join(directory, "generations"),
  },
});

type Lock = ReturnType<typeof locksOf>["projector"];

/**
 * Makes this process the one writer of a data directory. The lock shows a heartbeat, so it also holds between
 * containers; one whose holder died on this machine is taken over at once.
 * @param onLost called when the heartbeat could not be kept up: stop writing.
 * @throws `data_dir` when another projector holds it.
 */
export const lockDirectory = (
  directory: string,
  onLost: (error: Error) => void,
): Promise<Release> =>
  take(locksOf(directory).projector, {}, onLost, (owner) => [
    `another projector${owner ? ` (process ${owner.pid})` : ""} already writes to ${directory}`,
    "stop it first, or name another directory with --data-dir; after a crash on another machine the lock ends by itself in 10 seconds",
  ]);

/**
 * Makes this process the one that builds in `scratch/` of a data directory, beside its projector.
 * @param doing what it builds, e.g. `rebuild`
 * @throws `data_dir` when another command builds there.
 */
export const lockScratch = (
  directory: string,
  doing: string,
  onLost: (error: Error) => void,
): Promise<Release> =>
  take(locksOf(directory).scratch, { doing }, onLost, (owner) => [
    owner
      ? `vitrine ${owner.doing} (process ${owner.pid}) already builds a generation in ${directory}`
      : `another command already builds a generation in ${directory}`,
    "wait until it is done, or end it; vitrine status shows how far it is",
  ]);

/** True while somebody writes to a data directory. */
export const isLocked = (directory: string): Promise<boolean> => {
  const { note, lockfilePath, locked } = locksOf(directory).projector;
  const owner = readOwner(note);
  if (owner && isDead(owner)) return Promise.resolve(false);
  return check(locked, { lockfilePath, stale });
};

const take = async (
  { note, lockfilePath, locked }: Lock,
  about: Pick<Owner, "doing">,
  onLost: (error: Error) => void,
  refusal: (owner: Owner | undefined) => readonly [message: string, hint: string],
): Promise<Release> => {
  const owner = readOwner(note);
  if (owner && isDead(owner)) rmSync(lockfilePath, { recursive: true, force: true });
  try {
    const update = 2_000;
    const release = await acquire(locked, { lockfilePath, stale, update, onCompromised: onLost });
    const self: Owner = { pid: process.pid, place: thisPlace(), ...about };
    writeFileSync(note, JSON.stringify(self));
    return release;
  } catch (cause) {
    const isLocked = cause instanceof Error && "code" in cause && cause.code === "ELOCKED";
    if (isLocked) throw new VitrineError("data_dir", ...refusal(owner), cause);
    throw new VitrineError("data_dir", `cannot lock ${locked}: ${messageOf(cause)}`, "", cause);
  }
};

const readOwner = (note: string): Owner | undefined => {
  try {
    return JSON.parse(readFileSync(note, "utf8"));
  } catch {
    return undefined;
  }
};

const isDead = (owner: Owner): boolean => {
  if (owner.place !== thisPlace()) return false;
  if (owner.pid === process.pid) return true;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
};

const thisPlace = (): string => {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
};
