import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { isBadMoment, isDamage, isPanic } from "../../lmdb/error-codes.ts";
import { certain, suspect } from "./flag.ts";

/** What becomes of the transactions of one generation in this process. */
export interface WriteWatch {
  succeeded(): void;
  /**
   * Marks a generation that cannot be written.
   * @returns what to throw: `reopen` when only another process can write again, otherwise what it was given
   */
  failed(error: unknown): unknown;
}

/** Transactions in a row that LMDB gives up without a reason of the disk's: its free pages, which nobody reads, are damaged. */
const mostUnwritten = 3;

/** @param directory of the generation */
export const watchWrites = (directory: string): WriteWatch => {
  const note = noteIn(join(directory, "unwritten"));
  let unwritten = 0;
  return {
    succeeded() {
      unwritten = 0;
      note.clear();
    },
    failed(error) {
      unwritten = isBadMoment(error) ? unwritten + 1 : 0;
      if (isDamage(error) || unwritten === mostUnwritten) {
        // Opened anew it may be well; if not, it is set aside then.
        if (isDamage(error) || note.is()) {
          suspect(directory, `${certain}it cannot be written: ${messageOf(error)}`);
        }
        note.make();
        return mustReopen(directory, error);
      }
      return isPanic(error) ? mustReopen(directory, error) : error;
    },
  };
};

/** A file that says something until the first transaction of a process that succeeds. */
const noteIn = (file: string) => {
  let isCleared = false;
  return {
    is: () => existsSync(file),
    make() {
      try {
        writeFileSync(file, "");
      } catch {
        // Without room for it nothing is said of the file: it may be that.
      }
    },
    clear() {
      if (!isCleared) rmSync(file, { force: true });
      isCleared = true;
    },
  };
};

/** Once the page that ends a commit could not be written, LMDB refuses every transaction of this process. */
const mustReopen = (directory: string, cause: unknown): VitrineError =>
  new VitrineError(
    "reopen",
    `a write to ${directory} failed half way: the file must be opened anew`,
    "the process ends and is started again; if this comes back, look at the disk",
    cause,
  );
