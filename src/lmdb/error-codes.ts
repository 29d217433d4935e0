import { messageOf } from "../errors.ts";

/** LMDB's own error numbers (lmdb.h), as lmdb-js puts them into the `code` of an error. */
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

/** A page that is not where, or not what, it should be. */
const corruptPageCodes: ReadonlySet<unknown> = new Set([
  mdb.pageNotFound,
  mdb.corrupted,
  mdb.invalid,
]);

/**
 * What LMDB says of a file, of its locks or of memory. All others, such as MDB_BAD_VALSIZE, are said of a call: a bug of
 * the program, which is the same at each try.
 */
const environmentCodes: ReadonlySet<unknown> = new Set(Object.values(mdb));

/**
 * System errors of a disk, of rights, of memory or of too many open files, by name and by the number that LMDB passes on.
 * EINVAL is also said of locks that another process destroyed.
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

/** Whether a write met a page that is damaged. */
export const isDamage = (error: unknown): boolean => corruptPageCodes.has(getCode(error));

/** What a walk says of a damaged page, and every later look-up of the same moment; a commit that met one, too. */
export const isBadMoment = (error: unknown): boolean => getCode(error) === mdb.badTransaction;

/** Whether a reading met one. */
export const isOfDamage = (error: unknown): boolean => isDamage(error) || isBadMoment(error);

/** Whether LMDB takes no more transactions of this process, as the page that ends a commit could not be written. */
export const isPanic = (error: unknown): boolean => messageOf(error).includes("MDB_PANIC");

/** Whether an environment's locks are destroyed, or the process that was about to make them was killed. */
export const isOfBrokenLocks = (error: unknown): boolean =>
  /^(Invalid argument|MDB_INVALID)/.test(messageOf(error));

/** Whether this user may not write a file, in the words of LMDB or of Node. */
export const isOfRights = (error: unknown): boolean =>
  /^(EACCES|EROFS|Permission denied|Read-only)/.test(messageOf(error));

/** Whether the disk or the system failed, not the program: another try may succeed. */
export const isOfDisk = (error: unknown): boolean => {
  const code = getCode(error);
  return environmentCodes.has(code) || systemErrorCodes.has(code);
};

/** Whether the system or LMDB refused what was to be done with a file, for a reason that an operator can end. */
export const isOfFile = (error: unknown): boolean =>
  isOfDisk(error) || (error instanceof Error && "syscall" in error);
