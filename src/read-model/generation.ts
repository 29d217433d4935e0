import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { makeDirectory } from "../directory.ts";
import { messageOf, VitrineError } from "../errors.ts";

/**
 * A data directory:
 *   vitrine.json       says whose it is, and in which layout
 *   generations/NNNN   one LMDB directory each
 *   live, previous     links to the generation that answers, and to the one before it
 *   quarantine/NNNN    generations that were damaged, to be looked at
 */
export interface DataDirectory {
  readonly path: string;
  /** Directory of the generation that answers; undefined before the first one is whole. */
  live(): string | undefined;
  previous(): string | undefined;
  /** Directories of all generations, oldest first. */
  generations(): readonly string[];
  /** Makes the directory of a new generation and returns it; nothing points at it yet. */
  create(): string;
  /** Makes a generation the one that answers, by one rename; the former one becomes `previous`. */
  swap(generation: string): void;
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

const marker = "vitrine.json";
const layout = 1;

/** Damaged generations that are kept. */
const kept = 3;

/**
 * Opens a data directory, making it when it is new.
 * @throws `data_dir` when it cannot be written, or holds something else.
 */
export const openDataDirectory = (path: string): DataDirectory => {
  const root = resolve(path);
  try {
    claim(root);
  } catch (cause) {
    if (cause instanceof VitrineError) throw cause;
    throw new VitrineError(
      "data_dir",
      `cannot use the data directory ${root}: ${messageOf(cause)}`,
      "name one that this user may write with --data-dir or DATA_DIR",
      cause,
    );
  }
  return directoryAt(root);
};

const claim = (root: string): void => {
  makeDirectory(root);
  const content = readdirSync(root);
  if (!content.includes(marker)) {
    if (content.length > 0) {
      throw new VitrineError(
        "data_dir",
        `${root} is not empty and not a data directory of Vitrine`,
        "name a new or empty directory with --data-dir or DATA_DIR",
      );
    }
    writeFileSync(join(root, marker), `${JSON.stringify({ product: "vitrine", layout })}\n`);
  }
  checkLayout(root);
  makeDirectory(join(root, "generations"));
};

const checkLayout = (root: string): void => {
  const found = readLayout(root);
  if (found === layout) return;
  throw new VitrineError(
    "data_dir",
    `${root} is laid out by another version of Vitrine (layout ${found ?? "unknown"}, this one reads ${layout})`,
    "start the version that wrote it, or name another directory with --data-dir",
  );
};

const readLayout = (root: string): unknown => {
  try {
    return JSON.parse(readFileSync(join(root, marker), "utf8")).layout;
  } catch {
    return undefined;
  }
};

const directoryAt = (root: string): DataDirectory => {
  const generations = join(root, "generations");
  const quarantine = join(root, "quarantine");
  const names = () => namesIn(generations);
  const linked = (link: string): string | undefined => {
    try {
      return join(generations, basename(readlinkSync(join(root, link))));
    } catch {
      return undefined;
    }
  };
  const point = (link: string, generation: string): void => {
    const fresh = join(root, `.${link}.new`);
    rmSync(fresh, { force: true });
    symlinkSync(join("generations", basename(generation)), fresh);
    renameSync(fresh, join(root, link));
    syncDirectory(root);
  };
  const directory: DataDirectory = {
    path: root,
    live: () => linked("live"),
    previous: () => linked("previous"),
    generations: () => names().map((name) => join(generations, name)),
    create() {
      // A name is given once: readers take another path for another generation.
      const given = [...names(), ...namesIn(quarantine)].map(Number);
      const next = Math.max(0, ...given) + 1;
      const path = join(generations, String(next).padStart(4, "0"));
      mkdirSync(path);
      return path;
    },
    swap(generation) {
      const former = directory.live();
      if (former && former !== generation) point("previous", former);
      point("live", generation);
    },
    quarantine(generation) {
      const former = directory.previous();
      if (directory.live() === generation) {
        if (former !== undefined && former !== generation) point("live", former);
        else rmSync(join(root, "live"), { force: true });
      }
      if (former === generation || former === directory.live()) {
        rmSync(join(root, "previous"), { force: true });
      }
      makeDirectory(quarantine);
      const aside = join(quarantine, basename(generation));
      if (existsSync(generation)) renameSync(generation, aside);
      syncDirectory(root);
      for (const name of namesIn(quarantine).slice(0, -kept)) {
        rmSync(join(quarantine, name), { recursive: true, force: true });
      }
      return aside;
    },
    quarantined: () => namesIn(quarantine),
    sweep(keep) {
      const kept = new Set([directory.live(), directory.previous(), keep]);
      for (const generation of directory.generations()) {
        if (!kept.has(generation)) rmSync(generation, { recursive: true, force: true });
      }
    },
  };
  return directory;
};

/** Names of generations in a directory, oldest first; none when it is not there. */
const namesIn = (path: string): readonly string[] =>
  (existsSync(path) ? readdirSync(path) : [])
    .filter((name) => /^\d{4,}$/.test(name))
    .sort((a, b) => Number(a) - Number(b));

const syncDirectory = (path: string): void => {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
};
