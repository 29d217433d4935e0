import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { fsyncPath, mkdirDurable } from "../../platform/durable-fs.ts";
import { claimDirectory, type FrozenAt, markFrozen, readFrozenAt } from "./directory-marker.ts";
import { openLinks } from "./links.ts";
import { openScratch } from "./scratch.ts";

/**
 * A data directory:
 *   vitrine.json       marks it as Vitrine's; holds the layout and, for a frozen directory, the event of the freeze
 *   generations/NNNN   one LMDB directory per generation
 *   live, previous     links to the live generation and to the one before it
 *   scratch/…          candidates that a command builds; no link points to them
 *   quarantine/NNNN    damaged generations, for inspection by the operator
 *   operator           revocations and discards, which outlive every generation (operator/)
 *   connections/NAME   inbox and state of a connection, which no log restores (the gateway's)
 */
export interface DataDirectory {
  readonly path: string;
  /** Reads the event at which the directory was frozen; undefined for a directory that follows a log. */
  frozenAt(): FrozenAt | undefined;
  freeze(until: FrozenAt): void;
  /** Returns the directory of the live generation; undefined before the first replay ended. */
  live(): string | undefined;
  previous(): string | undefined;
  /** Returns the generation a projector continues: the live one, else that of an unfinished first replay. */
  resumable(): string | undefined;
  /** Returns the directories of all generations, oldest first. */
  generations(): readonly string[];
  /** Creates the directory of a new generation; no link points to it yet. */
  create(): string;
  /** Creates a scratch directory for a candidate. @param purpose prefix of its name */
  createScratch(purpose: string): string;
  /**
   * Moves a candidate from its scratch directory to the generations, durable on return; no link points to it yet.
   * @throws `no_model` when there is no such scratch directory
   */
  adoptScratch(scratch: string): string;
  /** Deletes all scratch directories. Only for the holder of the scratch lock. */
  sweepScratch(): void;
  /** Makes a generation live by one rename; the live one before becomes `previous`. */
  swap(generation: string): void;
  /**
   * Makes a generation live in place of a damaged one, which moves to `quarantine`; `previous` stays. Only for the single
   * writer.
   * @returns the path of the damaged generation in quarantine
   */
  replaceDamaged(damaged: string, generation: string): string;
  /**
   * Moves a damaged generation to `quarantine`; the previous one becomes live, if there is one. Only for the single writer.
   * The three latest generations in quarantine are retained.
   * @returns the path of the generation in quarantine
   */
  quarantine(generation: string): string;
  /** Returns the names of the generations in quarantine, oldest first. */
  quarantined(): readonly string[];
  /** Deletes generations other than live, previous and `keep`. Only for the single writer. */
  sweep(keep?: string): void;
}

const maxQuarantined = 3;

/**
 * Opens a data directory and creates it when it does not exist.
 * @throws `not_writable` when it cannot be used; `data_dir` when it has other content
 */
export const openDataDirectory = (path: string): DataDirectory => {
  const root = resolve(path);
  try {
    createLayout(root);
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

const createLayout = (root: string): void => {
  mkdirDurable(root);
  claimDirectory(root);
  mkdirDurable(join(root, "generations"));
};

const directoryAt = (root: string): DataDirectory => {
  const generations = join(root, "generations");
  const quarantine = join(root, "quarantine");
  const scratches = openScratch(join(root, "scratch"));
  const { live, previous, point, remove } = openLinks(root);
  const all = () => namesIn(generations).map((name) => join(generations, name));
  const nextPath = (): string => {
    // Names are never reused, because readers recognise a generation by its path.
    const used = [...namesIn(generations), ...namesIn(quarantine)].map(Number);
    const next = Math.max(0, ...used) + 1;
    return join(generations, String(next).padStart(4, "0"));
  };
  const swap = (generation: string): void => {
    // The generation's file is durable already; its directory entry must be durable before a link points to it.
    fsyncPath(generation);
    fsyncPath(generations);
    const liveBefore = live();
    if (liveBefore && liveBefore !== generation) point("previous", liveBefore);
    point("live", generation);
  };
  const moveToQuarantine = (generation: string): string => {
    const fallback = previous();
    if (live() === generation) {
      if (fallback !== undefined && fallback !== generation) point("live", fallback);
      else remove("live");
    }
    if (fallback === generation || fallback === live()) remove("previous");
    mkdirDurable(quarantine);
    const target = join(quarantine, basename(generation));
    if (existsSync(generation)) renameSync(generation, target);
    for (const changed of [generations, quarantine, root]) fsyncPath(changed);
    for (const name of namesIn(quarantine).slice(0, -maxQuarantined)) {
      rmSync(join(quarantine, name), { recursive: true, force: true });
    }
    return target;
  };
  /** Repairs a swap that was interrupted between its two links: points `previous` to the other generation. */
  const repairLinks = (): void => {
    if (live() === undefined || live() !== previous()) return;
    const [other] = all().filter((generation) => generation !== live());
    if (other) point("previous", other);
    else remove("previous");
  };
  return {
    path: root,
    frozenAt: () => readFrozenAt(root),
    freeze: (until) => markFrozen(root, until),
    live,
    previous,
    resumable: () => live() ?? all().at(-1),
    generations: all,
    create() {
      const path = nextPath();
      mkdirSync(path);
      return path;
    },
    createScratch: scratches.create,
    adoptScratch(scratch) {
      const path = nextPath();
      scratches.move(scratch, path);
      return path;
    },
    sweepScratch: scratches.sweep,
    swap,
    replaceDamaged(damaged, generation) {
      // A projector may have moved `damaged` to quarantine already; the generation live since then becomes `previous`.
      if (live() === damaged) point("live", generation);
      else swap(generation);
      return moveToQuarantine(damaged);
    },
    quarantine: moveToQuarantine,
    quarantined() {
      try {
        return namesIn(quarantine);
      } catch {
        // An operator may have removed the read permission to preserve the files; the status then lists none.
        return [];
      }
    },
    sweep(retained) {
      repairLinks();
      const used = new Set([live(), previous(), retained]);
      for (const generation of all()) {
        if (!used.has(generation)) discard(generation);
      }
    },
  };
};

/** Deletes a generation if possible; the next sweep tries again. */
const discard = (generation: string): void => {
  try {
    rmSync(generation, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // An undeleted generation only takes disk space.
  }
};

/** Lists the generations in a directory, oldest first; empty when the directory does not exist. */
const namesIn = (path: string): readonly string[] =>
  (existsSync(path) ? readdirSync(path) : [])
    .filter((name) => /^\d{4,}$/.test(name))
    .sort((a, b) => Number(a) - Number(b));
