import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { makeDirectory, syncPath } from "../../platform/durable-fs.ts";
import { mark, markUntil, type Until, untilOf } from "./directory-marker.ts";
import { linksIn } from "./links.ts";
import { scratchesIn } from "./scratch.ts";

/**
 * A data directory:
 *   vitrine.json       says whose it is, in which layout, and where it stands still if it does
 *   generations/NNNN   one LMDB directory each
 *   live, previous     links to the generation that answers, and to the one before it
 *   scratch/…          generations that a command builds: nothing points at them
 *   quarantine/NNNN    generations that were damaged, to be looked at
 *   operator           revocations and discards, which outlive every generation (operator/)
 */
export interface DataDirectory {
  readonly path: string;
  /** The event it stands still at; undefined for a directory that follows a log. */
  until(): Until | undefined;
  /** Makes it stand still for good. */
  standStill(until: Until): void;
  /** Directory of the generation that answers; undefined before the first one is whole. */
  live(): string | undefined;
  previous(): string | undefined;
  /** What a projector goes on with: the live generation, else a first replay that is not whole yet. */
  current(): string | undefined;
  /** Directories of all generations, oldest first. */
  generations(): readonly string[];
  /** Makes the directory of a new generation and returns it; nothing points at it yet. */
  create(): string;
  /** Makes a directory for a generation that only a command knows. @param purpose begins its name */
  createScratch(purpose: string): string;
  /**
   * Makes a generation of what a command built, with everything durable; nothing points at it yet.
   * @throws `no_model` when there is no such scratch directory
   */
  admit(scratch: string): string;
  /** Deletes everything commands left behind. Only for the holder of the scratch lock. */
  sweepScratch(): void;
  /** Makes a generation the one that answers, by one rename; the former one becomes `previous`. */
  swap(generation: string): void;
  /**
   * Makes a generation the one that answers, in place of a damaged one, which is set aside as by `quarantine`: what is
   * previous stays so. Only for the one writer.
   * @returns where the damaged one is now
   */
  supplant(damaged: string, generation: string): string;
  /**
   * Sets a damaged generation aside, whole, in `quarantine`: the one before it answers, else none. Only for the one
   * writer. Of those set aside the newest three are kept.
   * @returns where it is now
   */
  quarantine(generation: string): string;
  /** Names of the generations that were set aside, oldest first. */
  quarantined(): readonly string[];
  /** Deletes generations that are neither live nor previous. Only for the one writer. */
  sweep(keep?: string): void;
}

/** Damaged generations that are kept. */
const kept = 3;

/**
 * Opens a data directory, making it when it is new.
 * @throws `not_writable`; `data_dir` when it holds something else.
 */
export const openDataDirectory = (path: string): DataDirectory => {
  const root = resolve(path);
  try {
    claim(root);
  } catch (cause) {
    if (cause instanceof VitrineError) throw cause;
    throw new VitrineError(
      "not_writable",
      `cannot use the data directory ${root}: ${messageOf(cause)}`,
      "name one that this user may write, on a disk with room, with --data-dir or DATA_DIR",
      cause,
    );
  }
  return directoryAt(root);
};

const claim = (root: string): void => {
  makeDirectory(root);
  mark(root);
  makeDirectory(join(root, "generations"));
};

const directoryAt = (root: string): DataDirectory => {
  const generations = join(root, "generations");
  const quarantine = join(root, "quarantine");
  const scratches = scratchesIn(join(root, "scratch"));
  const { live, previous, point, remove } = linksIn(root);
  const all = () => namesIn(generations).map((name) => join(generations, name));
  const unused = (): string => {
    // A name is given once: readers take another path for another generation.
    const given = [...namesIn(generations), ...namesIn(quarantine)].map(Number);
    const next = Math.max(0, ...given) + 1;
    return join(generations, String(next).padStart(4, "0"));
  };
  const swap = (generation: string): void => {
    // Its own file is durable; its name, which a power cut would take from below the link, is not yet.
    syncPath(generation);
    syncPath(generations);
    const former = live();
    if (former && former !== generation) point("previous", former);
    point("live", generation);
  };
  const setAside = (generation: string): string => {
    const former = previous();
    if (live() === generation) {
      if (former !== undefined && former !== generation) point("live", former);
      else remove("live");
    }
    if (former === generation || former === live()) remove("previous");
    makeDirectory(quarantine);
    const aside = join(quarantine, basename(generation));
    if (existsSync(generation)) renameSync(generation, aside);
    for (const changed of [generations, quarantine, root]) syncPath(changed);
    for (const name of namesIn(quarantine).slice(0, -kept)) {
      rmSync(join(quarantine, name), { recursive: true, force: true });
    }
    return aside;
  };
  /** A swap that was cut off between its two links: what was to be live, or was previous, is previous. */
  const mend = (): void => {
    if (live() === undefined || live() !== previous()) return;
    const [other] = all().filter((generation) => generation !== live());
    if (other) point("previous", other);
    else remove("previous");
  };
  return {
    path: root,
    until: () => untilOf(root),
    standStill: (until) => markUntil(root, until),
    live,
    previous,
    current: () => live() ?? all().at(-1),
    generations: all,
    create() {
      const path = unused();
      mkdirSync(path);
      return path;
    },
    createScratch: scratches.create,
    admit(scratch) {
      const path = unused();
      scratches.move(scratch, path);
      return path;
    },
    sweepScratch: scratches.sweep,
    swap,
    supplant(damaged, generation) {
      // A projector may have set it aside meanwhile: what answers since then is no worse than any.
      if (live() === damaged) point("live", generation);
      else swap(generation);
      return setAside(damaged);
    },
    quarantine: setAside,
    quarantined() {
      try {
        return namesIn(quarantine);
      } catch {
        // Whoever took its rights away, to keep what is there, has not ended the service that only tells of it.
        return [];
      }
    },
    sweep(keep) {
      mend();
      const kept = new Set([live(), previous(), keep]);
      for (const generation of all()) {
        if (!kept.has(generation)) discard(generation);
      }
    },
  };
};

/** What cannot be deleted now is in nobody's way, and is tried again with the next. */
const discard = (generation: string): void => {
  try {
    rmSync(generation, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It takes room, and ends nothing.
  }
};

/** Names of generations in a directory, oldest first; none when it is not there. */
const namesIn = (path: string): readonly string[] =>
  (existsSync(path) ? readdirSync(path) : [])
    .filter((name) => /^\d{4,}$/.test(name))
    .sort((a, b) => Number(a) - Number(b));
