import { readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { lock as acquire } from "proper-lockfile";
import { messageOf, VitrineError } from "../errors.ts";

/** Gives the data directory back to whoever comes next. */
export type Release = () => Promise<void>;

interface Owner {
  readonly pid: number;
  /** Where that pid means something: host and PID namespace. */
  readonly place: string;
}

/** A holder that has not shown itself for so long, in milliseconds, is taken for dead. */
const stale = 10_000;

/**
 * Makes this process the one writer of a data directory. The lock shows a heartbeat, so it also holds between
 * containers; one whose holder died on this machine is taken over at once.
 * @param onLost called when the heartbeat could not be kept up: stop writing.
 * @throws `data_dir` when another projector holds it.
 */
export const lockDirectory = async (
  directory: string,
  onLost: (error: Error) => void,
): Promise<Release> => {
  const note = join(directory, "projector.json");
  const lockfilePath = join(directory, "projector.lock");
  const owner = readOwner(note);
  if (owner && isDead(owner)) rmSync(lockfilePath, { recursive: true, force: true });
  try {
    const release = await acquire(directory, {
      lockfilePath,
      stale,
      update: 2_000,
      onCompromised: onLost,
    });
    writeFileSync(note, JSON.stringify({ pid: process.pid, place: thisPlace() } satisfies Owner));
    return release;
  } catch (cause) {
    throw refusal(directory, owner, cause);
  }
};

const refusal = (directory: string, owner: Owner | undefined, cause: unknown): VitrineError => {
  const locked = cause instanceof Error && "code" in cause && cause.code === "ELOCKED";
  return locked
    ? new VitrineError(
        "data_dir",
        `another projector${owner ? ` (process ${owner.pid})` : ""} already writes to ${directory}`,
        "stop it first, or name another directory with --data-dir; after a crash on another machine the lock ends by itself in 10 seconds",
        cause,
      )
    : new VitrineError("data_dir", `cannot lock ${directory}: ${messageOf(cause)}`, "", cause);
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
