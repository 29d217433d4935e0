import {
  closeSync,
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
  /** Deletes generations that are neither live nor previous. Only for the one writer. */
  sweep(keep?: string): void;
}

const marker = "vitrine.json";
const layout = 1;

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
    syncDirectory(root);
  };
  const directory: DataDirectory = {
    path: root,
    live: () => linked("live"),
    previous: () => linked("previous"),
    generations: () => names().map((name) => join(generations, name)),
    create() {
      const next = Number(names().at(-1) ?? 0) + 1;
      const path = join(generations, String(next).padStart(4, "0"));
      mkdirSync(path);
      return path;
    },
    swap(generation) {
      const former = directory.live();
      if (former && former !== generation) point("previous", former);
      point("live", generation);
    },
    sweep(keep) {
      const kept = new Set([directory.live(), directory.previous(), keep]);
      for (const generation of directory.generations()) {
        if (!kept.has(generation)) rmSync(generation, { recursive: true, force: true });
      }
    },
  };
  return directory;
};

const syncDirectory = (path: string): void => {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
};
