import { writeSync } from "node:fs";

/** Tries, and milliseconds between them, for whoever reads a pipe and is slow at it. */
const [maxTries, retryDelayMs] = [20, 5];

/**
 * Writes to standard error. What cannot be written there, as on a full disk, is lost, and nothing else is: neither who
 * waits for it to be written, nor what failing does to a stream of Node's, may end a process.
 */
export const toStandardError = (text: string | Buffer): void => {
  let remaining = typeof text === "string" ? Buffer.from(text) : text;
  for (let tries = 0; remaining.length > 0 && tries < maxTries; ) {
    try {
      remaining = remaining.subarray(writeSync(2, remaining));
      tries = 0;
    } catch (error) {
      if (!isPipeFull(error)) return;
      tries += 1;
      Atomics.wait(sleepBuffer, 0, 0, retryDelayMs);
    }
  }
};

const sleepBuffer = new Int32Array(new SharedArrayBuffer(4));

/** A pipe that takes no more for now. */
const isPipeFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EAGAIN";
