import type { ChildProcess } from "node:child_process";
import { writeStderr } from "../../platform/stderr.ts";

/** Covers V8's out-of-memory message, which two stack traces follow. */
const maxChars = 16_384;

/**
 * Forwards a process's stderr and keeps its end, which holds the only reason of an abort.
 * @returns reads the kept text; empty when stderr is not piped
 */
export const captureStderrTail = ({ stderr }: ChildProcess): (() => string) => {
  let tail = "";
  stderr?.on("data", (chunk: Buffer) => {
    writeStderr(chunk);
    tail = (tail + chunk).slice(-maxChars);
  });
  return () => tail;
};
