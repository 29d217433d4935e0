import { existsSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { entriesOf } from "../../../platform/durable-fs.ts";

/**
 * Remembers a directory that is absent or empty, so that a refused command can leave it so: another command would take
 * what is left there for the data directory of a service.
 * @returns removes what was made there since, with the directories above it that were made for it; does nothing where the
 * directory held something, or holds a model or a journal by now
 */
export const rememberUnmade = (path: string): (() => void) => {
  const root = resolve(path);
  const absent = absentOf(root);
  const isEmpty = namesIn(root)?.length === 0;
  return () => {
    if ((absent.length === 0 && !isEmpty) || isUsed(root)) return;
    for (const name of namesIn(root) ?? []) removeIfAllowed(join(root, name));
    for (const made of absent) removeIfEmpty(made);
  };
};

/** Directories of a path that are not there, the deepest first. */
const absentOf = (path: string): readonly string[] =>
  existsSync(path) ? [] : [path, ...absentOf(dirname(path))];

const isUsed = (root: string): boolean =>
  ["live", "journal"].some((name) => existsSync(join(root, name)));

/** @returns undefined when it is no directory, or one that cannot be read */
const namesIn = (root: string): readonly string[] | undefined => {
  try {
    return entriesOf(root);
  } catch {
    return undefined;
  }
};

/** The error of the command itself is the one to tell. */
const removeIfAllowed = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // It stays, for want of the right or as it is in use.
  }
};

/** Another process may have put something into one meanwhile. */
const removeIfEmpty = (directory: string): void => {
  try {
    rmdirSync(directory);
  } catch {
    // It stays for what is in it.
  }
};
