import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** What is kept of the labels that idempotency keys came with (contract section 6). */
export interface IdempotencyBook {
  /** Remembers the first label of a key. @returns whether `label` is that one */
  claim(key: string, label: string): boolean;
}

interface BookWorld {
  /** In it the book has a directory of its own, beside the generations: no replay can bring it back. */
  readonly dataDir: string;
  /** A clock in milliseconds since 1970. */
  readonly now: () => number;
  /** Told what keeps the book from being read or written. */
  readonly onFault: (error: unknown) => void;
  /** How many keys are kept on each of the 256 shelves; past that the oldest is forgotten. */
  readonly roomOnShelf?: number;
}

/** A key is remembered for so long, in milliseconds. */
export const keyLifetime = 24 * 60 * 60 * 1000;

/**
 * Keeps which label a key came with. All HTTP processes of a data directory share the book, which is a symbolic link
 * for each key, named by the key's digest and pointing at that of its label. The system makes a link whole or not at
 * all, and only one of a name: of two requests that race with one key, one is first, and a crash leaves no half of one.
 *
 * Nobody is refused a token because the book cannot be used (a full disk, something else in a link's place): the key
 * counts as new, and `onFault` is told. The same key and label give the same token without it.
 */
export const openIdempotencyBook = ({
  dataDir,
  now,
  onFault,
  roomOnShelf = 400,
}: BookWorld): IdempotencyBook => ({
  claim(key, label) {
    const name = digest(key);
    const shelf = join(dataDir, "registrations", name.slice(0, 2));
    try {
      const told = claimed(shelf, name, now() - keyLifetime);
      if (told !== undefined) return told === digest(label);
      makeRoom(shelf, now() - keyLifetime, roomOnShelf);
      return claimFirst(join(shelf, name), digest(label));
    } catch (error) {
      onFault(error);
      return true;
    }
  },
});

/** The label a key came with, unless that was before `oldest`. */
const claimed = (shelf: string, name: string, oldest: number): string | undefined => {
  const path = join(shelf, name);
  const made = lstatSync(path, { throwIfNoEntry: false });
  return made && made.mtimeMs >= oldest ? readlinkSync(path) : undefined;
};

/** Another process may have come first meanwhile. */
const claimFirst = (path: string, label: string): boolean => {
  try {
    symlinkSync(label, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return readlinkSync(path) === label;
  }
};

/** Forgets what is too old, and the oldest where the shelf is full. A shelf is small, so that this takes 1 ms. */
const makeRoom = (shelf: string, oldest: number, room: number): void => {
  mkdirSync(shelf, { recursive: true });
  const links = readdirSync(shelf).flatMap((name) => {
    const made = lstatSync(join(shelf, name), { throwIfNoEntry: false });
    return made ? [{ name, at: made.mtimeMs }] : [];
  });
  links.sort((a, b) => b.at - a.at);
  const kept = links.filter(({ at }) => at >= oldest).slice(0, room - 1);
  for (const { name } of links.slice(kept.length)) forget(join(shelf, name));
};

/** Another process may have forgotten it first. */
const forget = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
};

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
