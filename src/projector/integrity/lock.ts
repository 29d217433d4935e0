import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lock as acquire, check } from "proper-lockfile";
import { isWantOfRoom, messageOf, VitrineError } from "../../errors.ts";
import {
  hasEnded,
  isAlive,
  type ProcessNote,
  thisProcess,
} from "../../platform/process-identity.ts";
import { mustNotBeRootsGuest } from "../../read-model/generations/directory-marker.ts";
import { keepSpare, useSpare } from "./disk-reserve.ts";

/** Gives what was locked back to whoever comes next. */
export type Release = () => Promise<void>;

interface Owner extends ProcessNote {
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
 * containers; one whose holder died on this machine is taken over at once. On a full disk it takes the room that was
 * kept for it: who starts there can answer, if not write.
 * @param onLost called when the heartbeat could not be kept up: stop writing.
 * @throws `locked` when another projector holds it.
 */
export const lockDirectory = async (
  directory: string,
  onLost: (error: Error) => void,
): Promise<Release> => {
  mustNotBeRootsGuest(directory);
  const lock = () =>
    take(locksOf(directory).projector, {}, onLost, (owner) => [
      `another projector${owner ? ` (process ${owner.pid})` : ""} already writes to ${directory}`,
      "stop it first, or name another directory with --data-dir; after a crash on another machine the lock ends by itself in 10 seconds",
    ]);
  const release = await lock().catch((error: unknown) => {
    const isFull = error instanceof Error && isWantOfRoom(error.cause);
    if (isFull && useSpare(directory)) return lock();
    throw error;
  });
  // Nearly all of what was used is free again, and the next start may need it as much.
  keepSpare(directory);
  return release;
};

/**
 * Makes this process the one that builds in `scratch/` of a data directory, beside its projector.
 * @param doing what it builds, e.g. `rebuild`
 * @throws `locked` when another command builds there.
 */
export const lockScratch = async (
  directory: string,
  doing: string,
  onLost: (error: Error) => void,
): Promise<Release> => {
  mustNotBeRootsGuest(directory);
  return take(locksOf(directory).scratch, { doing }, onLost, (owner) => [
    owner
      ? `vitrine ${owner.doing} (process ${owner.pid}) already builds a generation in ${directory}`
      : `another command already builds a generation in ${directory}`,
    "wait until it is done, or end it; vitrine status shows how far it is",
  ]);
};

/** True while somebody writes to a data directory. */
export const isLocked = (directory: string): Promise<boolean> => {
  const { note, lockfilePath, locked } = locksOf(directory).projector;
  const owner = readOwner(note);
  if (owner && isDead(owner)) return Promise.resolve(false);
  if (owner && isHeldBy(owner, lockfilePath)) return Promise.resolve(true);
  return check(locked, { lockfilePath, stale });
};

const take = async (
  { note, lockfilePath, locked }: Lock,
  about: Pick<Owner, "doing">,
  onLost: (error: Error) => void,
  refusal: (owner: Owner | undefined) => readonly [message: string, hint: string],
): Promise<Release> => {
  let owner = readOwner(note);
  try {
    return await inTurn(lockfilePath, async () => {
      owner = readOwner(note);
      if (owner && isDead(owner)) rmSync(lockfilePath, { recursive: true, force: true });
      else if (owner && isHeldBy(owner, lockfilePath)) throw held();
      const update = 2_000;
      const release = await acquire(locked, { lockfilePath, stale, update, onCompromised: onLost });
      try {
        writeFileSync(note, JSON.stringify({ ...thisProcess(), ...about } satisfies Owner));
      } catch (error) {
        await release();
        throw error;
      }
      return release;
    });
  } catch (cause) {
    const isLocked = cause instanceof Error && "code" in cause && cause.code === "ELOCKED";
    if (isLocked) throw new VitrineError("locked", ...refusal(owner), cause);
    throw new VitrineError(
      "not_writable",
      `cannot lock ${locked}: ${messageOf(cause)}`,
      isWantOfRoom(cause) ? "make room on its disk" : "",
      cause,
    );
  }
};

/**
 * One taker at a time looks who held a lock, removes a dead one's, takes it and says so: between two of these steps
 * another would find the note of the dead beside the lock of the living.
 */
const inTurn = async <T>(lockfilePath: string, turn: () => Promise<T>): Promise<T> => {
  const gate = `${lockfilePath}.turn`;
  const leave = await whenFree(() =>
    acquire(gate, { realpath: false, lockfilePath: gate, stale, onCompromised: () => undefined }),
  );
  try {
    return await turn();
  } finally {
    await leave().catch(() => undefined);
  }
};

/** Looks at a gate that another one has taken, so often, and after so many milliseconds. */
const gateLooks = { most: 600, pause: 20 };

/** Waits for another taker alone: proper-lockfile's own retries would wait for room and for rights as well. */
const whenFree = async (enter: () => Promise<Release>): Promise<Release> => {
  for (let looks = 1; ; looks += 1) {
    try {
      return await enter();
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "ELOCKED";
      if (!isTaken || looks > gateLooks.most) throw error;
      await delay(gateLooks.pause);
    }
  }
};

/** Whether he shows himself too late is a matter of clocks, which may be set: whoever runs here holds what he took. */
const isHeldBy = (owner: Owner, lockfilePath: string): boolean =>
  isAlive(owner) && existsSync(lockfilePath);

/** As proper-lockfile says it. */
const held = (): Error => Object.assign(new Error("its holder runs"), { code: "ELOCKED" });

const readOwner = (note: string): Owner | undefined => {
  try {
    return JSON.parse(readFileSync(note, "utf8"));
  } catch {
    return undefined;
  }
};

/** A note of this very process is one of an earlier process that had the same pid, as in a container. */
const isDead = (owner: Owner): boolean =>
  hasEnded(owner) || (owner.pid === process.pid && owner.place === thisProcess().place);
