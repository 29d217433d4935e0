import { existsSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { listConnections } from "../../../gateway/inbox/operate.ts";
import { listEntries } from "../../../platform/durable-fs.ts";

/**
 * Remembers an absent or empty directory, so that a failed command can restore this state.
 * Another command would take leftovers for the data directory of a service.
 * @returns removes what was created there since, with the parent directories created for it; does nothing when the
 * directory had content, or holds a model, a journal or a connection by now
 */
export const trackCreatedDirectories = (path: string): (() => void) => {
  const root = resolve(path);
  const absent = findAbsent(root);
  const isEmpty = listNames(root)?.length === 0;
  return () => {
    if ((absent.length === 0 && !isEmpty) || isUsed(root)) return;
    for (const name of listNames(root) ?? [])
      removeIfAllowed(() => rmSync(join(root, name), { recursive: true, force: true }));
    for (const made of absent) removeIfAllowed(() => rmdirSync(made));
  };
};

/** Lists the absent directories of a path, deepest first. */
const findAbsent = (path: string): readonly string[] =>
  existsSync(path) ? [] : [path, ...findAbsent(dirname(path))];

const isUsed = (root: string): boolean =>
  ["live", "journal"].some((name) => existsSync(join(root, name))) ||
  listConnections(root).length > 0;

/** Lists the names in a directory. @returns undefined when it cannot be read, or is no directory */
const listNames = (root: string): readonly string[] | undefined => {
  try {
    return listEntries(root);
  } catch {
    return undefined;
  }
};

/** Ignores that an entry stays: a permission is missing, it is in use, or another process has put a file into a directory. */
const removeIfAllowed = (remove: () => void): void => {
  try {
    remove();
  } catch {
    // The command reports its own error.
  }
};
