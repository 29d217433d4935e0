import { messageOf } from "../errors.ts";

/** LMDB's error numbers (lmdb.h), which lmdb-js stores in the `code` of an error. */
const mdb = {
  pageNotFound: -30797,
  corrupted: -30796,
  versionMismatch: -30794,
  invalid: -30793,
  mapFull: -30792,
  readersFull: -30790,
  cursorFull: -30787,
  mapResized: -30785,
  badReaderSlot: -30783,
  badTransaction: -30782,
} as const;

/** Errors of a page that is missing or has the wrong type. */
const corruptPageCodes: ReadonlySet<unknown> = new Set([
  mdb.pageNotFound,
  mdb.corrupted,
  mdb.invalid,
]);

/**
 * LMDB's errors about a file, its locks or memory. All other errors, such as MDB_BAD_VALSIZE, concern a call: a bug
 * of the program, which the next try meets again.
 */
const environmentCodes: ReadonlySet<unknown> = new Set(Object.values(mdb));

/**
 * System errors of disks, permissions, memory or open files, by name and by the number that LMDB passes on. EINVAL
 * also means that another process destroyed the locks.
 */
const systemErrorCodes: ReadonlySet<unknown> = new Set(
  Object.entries({
    EPERM: 1,
    ENOENT: 2,
    EINTR: 4,
    EIO: 5,
    ENXIO: 6,
    EAGAIN: 11,
    ENOMEM: 12,
    EACCES: 13,
    EBUSY: 16,
    ENODEV: 19,
    ENOTDIR: 20,
    EINVAL: 22,
    ENFILE: 23,
    EMFILE: 24,
    EFBIG: 27,
    ENOSPC: 28,
    EROFS: 30,
    ENOLCK: 37,
    ENOTCONN: 107,
    ETIMEDOUT: 110,
    ESTALE: 116,
    EDQUOT: 122,
  }).flat(),
);

const getCode = (error: unknown): unknown =>
  error instanceof Error ? Reflect.get(error, "code") : undefined;

/** Detects the error of a write that met a corrupt page. */
export const isCorruptPage = (error: unknown): boolean => corruptPageCodes.has(getCode(error));

/**
 * Detects the error of a cursor that met a corrupt page, of every later look-up in the same snapshot, and of a commit
 * that met one.
 */
export const isBadTransaction = (error: unknown): boolean => getCode(error) === mdb.badTransaction;

/** Detects the errors of a read or a write that met a corrupt page. */
export const isCorruption = (error: unknown): boolean =>
  isCorruptPage(error) || isBadTransaction(error);

/**
 * Detects that LMDB accepts no more transactions from this process, because it could not write the page that ends a
 * commit.
 */
export const isPanic = (error: unknown): boolean => messageOf(error).includes("MDB_PANIC");

/** Detects destroyed locks, or locks whose creator was killed. */
export const isBrokenLocks = (error: unknown): boolean =>
  /^(Invalid argument|MDB_INVALID)/.test(messageOf(error));

/** Detects a missing permission to write, in the words of LMDB or of Node. */
export const isPermissionError = (error: unknown): boolean =>
  /^(EACCES|EROFS|Permission denied|Read-only)/.test(messageOf(error));

/** Detects a failure of the disk or the system, not of the program: a retry may succeed. */
export const isDiskError = (error: unknown): boolean => {
  const code = getCode(error);
  return environmentCodes.has(code) || systemErrorCodes.has(code);
};

/** Detects a failure of the system or of LMDB that an operator can fix. */
export const isFileError = (error: unknown): boolean =>
  isDiskError(error) || (error instanceof Error && "syscall" in error);
