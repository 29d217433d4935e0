import type { ChildProcess } from "node:child_process";
import { toStandardError } from "../../platform/stderr.ts";

/** Characters that are kept. What V8 says of want of memory is followed by two lists of calls. */
const longest = 16_384;

/**
 * Passes on what a process says on standard error, and keeps the end of it: only there does it say why it aborts.
 * @returns what it said last; nothing of one that says it elsewhere
 */
export const lastWordsOf = ({ stderr }: ChildProcess): (() => string) => {
  let words = "";
  stderr?.on("data", (chunk: Buffer) => {
    toStandardError(chunk);
    words = (words + chunk).slice(-longest);
  });
  return () => words;
};
