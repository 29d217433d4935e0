import { writeSync } from "node:fs";
import { sleepSync } from "./async.ts";

/** Retries while the reader of a pipe is slow. */
const [maxTries, retryDelayMs] = [20, 5];

/**
 * Writes to standard error and never fails: output that cannot be written, as on a full disk, is lost. Synchronous,
 * so that neither a pending write nor an error event of Node's stream can end a process.
 */
export const writeStderr = (text: string | Buffer): void => {
  let remaining = typeof text === "string" ? Buffer.from(text) : text;
  for (let tries = 0; remaining.length > 0 && tries < maxTries; ) {
    try {
      remaining = remaining.subarray(writeSync(2, remaining));
      tries = 0;
    } catch (error) {
      if (!isPipeFull(error)) return;
      tries += 1;
      sleepSync(retryDelayMs);
    }
  }
};

const isPipeFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EAGAIN";
