import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { isAuxiliaryFile } from "../../lmdb/environment.ts";
import { isCorruption, isFileError } from "../../lmdb/error-codes.ts";
import { hasLmdbMagic } from "../../lmdb/native-env.ts";
import { listEntries, mkdirDurable } from "../../platform/durable-fs.ts";

/**
 * Checks that a directory contains a journal, or may contain a new one, before LMDB opens it.
 * @throws VitrineError `data_dir` when it contains something else, `not_writable`
 */
export function assertJournalDirectory(directory: string, readOnly: boolean): void {
  const names = listNames(directory);
  if (names.includes("data.mdb")) {
    assertLmdb(directory);
  } else if (readOnly) {
    throw new VitrineError(
      "data_dir",
      `${directory} holds no journal`,
      "name the data directory of a running service, or publish events first",
    );
  } else if (!names.every(isAuxiliaryFile)) {
    throw notAJournal(directory);
  }
  if (!readOnly) assertWritable(directory);
}

export const dataFile = (directory: string): string => join(directory, "data.mdb");

export const notAJournal = (directory: string): VitrineError =>
  new VitrineError(
    "data_dir",
    `${directory} is not a Vitrine journal`,
    "name an empty or new directory, or one that holds a journal; if this is a volume, name a directory inside it",
  );

/** Identifies the file by device and inode, because another journal may take its name. */
export const fileInode = (directory: string): string | undefined => {
  const stats = statSync(dataFile(directory), { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.dev}:${stats.ino}`;
};

function listNames(directory: string): readonly string[] {
  try {
    return listEntries(directory);
  } catch (thrown) {
    if (isNotFound(thrown)) return [];
    throw journalUnusable(directory, thrown);
  }
}

function assertLmdb(directory: string): void {
  let isLmdbFile: boolean;
  try {
    isLmdbFile = hasLmdbMagic(dataFile(directory));
  } catch (thrown) {
    throw journalUnusable(directory, thrown);
  }
  if (!isLmdbFile) throw notAJournal(directory);
}

function assertWritable(directory: string): void {
  try {
    mkdirDurable(directory);
    accessSync(directory, constants.W_OK);
    if (listNames(directory).includes("data.mdb")) accessSync(dataFile(directory), constants.W_OK);
  } catch (thrown) {
    throw journalUnusable(directory, thrown);
  }
}

const isNotFound = (thrown: unknown): boolean =>
  thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";

/** @param problem the defect in words */
export const corruptJournal = (directory: string, problem: string): VitrineError =>
  new VitrineError(
    "log_damaged",
    `the journal ${directory} is damaged: ${problem}`,
    "it is the only copy of its events: restore it from a backup, or move it away and have the shop publish its full state again",
  );

/**
 * Maps errors of LMDB or the system about a journal.
 * @returns any other error, such as a bug, as it is
 */
export const journalUnusable = (directory: string, thrown: unknown): unknown => {
  if (isCorruption(thrown)) return corruptJournal(directory, messageOf(thrown));
  if (!isFileError(thrown)) return thrown;
  return new VitrineError(
    "not_writable",
    `the journal ${directory} cannot be used: ${messageOf(thrown)}`,
    "give this user the right to write there and room on the disk, or name another directory",
    thrown,
  );
};
