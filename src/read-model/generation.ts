import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { makeDirectory } from "../directory.ts";
import { messageOf, VitrineError } from "../errors.ts";
import { mark, markUntil, type Until, untilOf } from "./marker.ts";

/**
 * A data directory:
 *   vitrine.json       says whose it is, in which layout, and where it stands still if it does
 *   generations/NNNN   one LMDB directory each
 *   live, previous     links to the generation that answers, and to the one before it
 *   scratch/…          generations that a command builds: nothing points at them
 *   damaged/NNNN       generations that were set aside
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
  /** Directories of all generations, oldest first. */
  generations(): readonly string[];
  /** Makes the directory of a new generation and returns it; nothing points at it yet. */
  create(): string;
  /** Makes a directory for a generation that only a command knows. @param purpose begins its name */
  createScratch(purpose: string): string;
  /**
   * Makes a generation of what a command built, with everything durable; nothing points at it yet.
   * @throws `data_dir` when there is no such scratch directory
   */
  admit(scratch: string): string;
  /** Deletes everything commands left behind. Only for the holder of the scratch lock. */
  sweepScratch(): void;
  /** Makes a generation the one that answers, by one rename; the former one becomes `previous`. */
  swap(generation: string): void;
  /** Takes a generation whose file is damaged out of the way, for whoever wants to look at it. Returns where it is. */
  setAside(generation: string): string;
  /** Deletes generations that are neither live nor previous. Only for the one writer. */
  sweep(keep?: string): void;
}

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
  mark(root);
  makeDirectory(join(root, "generations"));
};

const directoryAt = (root: string): DataDirectory => {
  const generations = join(root, "generations");
  const scratches = join(root, "scratch");
  const names = () =>
    readdirSync(generations)
      .filter((name) => /^\d{4,}$/.test(name))
      .sort((a, b) => Number(a) - Number(b));
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
    sync(root);
  };
  const unused = (): string => {
    const next = Number(names().at(-1) ?? 0) + 1;
    return join(generations, String(next).padStart(4, "0"));
  };
  const directory: DataDirectory = {
    path: root,
    until: () => untilOf(root),
    standStill: (until) => markUntil(root, until),
    live: () => linked("live"),
    previous: () => linked("previous"),
    generations: () => names().map((name) => join(generations, name)),
    create() {
      const path = unused();
      mkdirSync(path);
      return path;
    },
    createScratch(purpose) {
      makeDirectory(scratches);
      const path = join(scratches, `${purpose}-${randomBytes(6).toString("hex")}`);
      mkdirSync(path);
      return path;
    },
    admit(scratch) {
      const from = join(scratches, basename(scratch));
      if (!existsSync(join(from, "data.mdb"))) throw noScratch(from);
      const path = unused();
      for (const name of readdirSync(from)) sync(join(from, name));
      sync(from);
      renameSync(from, path);
      sync(generations);
      return path;
    },
    sweepScratch: () => rmSync(scratches, { recursive: true, force: true, maxRetries: 3 }),
    swap(generation) {
      const former = directory.live();
      if (former && former !== generation) point("previous", former);
      point("live", generation);
    },
    setAside(generation) {
      makeDirectory(join(root, "damaged"));
      const path = join(root, "damaged", basename(generation));
      rmSync(path, { recursive: true, force: true });
      renameSync(generation, path);
      return path;
    },
    sweep(keep) {
      mend();
      const kept = new Set([directory.live(), directory.previous(), keep]);
      for (const generation of directory.generations()) {
        if (!kept.has(generation)) rmSync(generation, { recursive: true, force: true });
      }
    },
  };
  /** A swap that was cut off between its two links: what was to be live, or was previous, is previous. */
  const mend = (): void => {
    const live = directory.live();
    if (live === undefined || live !== directory.previous()) return;
    const [other] = directory.generations().filter((generation) => generation !== live);
    if (other) point("previous", other);
    else rmSync(join(root, "previous"), { force: true });
  };
  return directory;
};

const noScratch = (path: string): VitrineError =>
  new VitrineError(
    "data_dir",
    `${path} holds no generation that was built`,
    "run the command that builds it again",
  );

/** Makes a file, or the names in a directory, durable. */
const sync = (path: string): void => {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
};
