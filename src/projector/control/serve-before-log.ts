import { sleep } from "../../platform/async.ts";
import type { ProjectorContext } from "../context.ts";
import { resumeGeneration } from "../open-generation.ts";
import { serveRequests } from "./execute.ts";
import { createInterrupt } from "./interrupt.ts";

/**
 * Serves control requests while the log cannot be opened. Requests that need no log are carried out, and the others fail with
 * the reason.
 */
export const serveRequestsBeforeLog = async (
  context: ProjectorContext,
  durationMs: number,
): Promise<void> => {
  const interrupt = createInterrupt(context);
  const end = performance.now() + durationMs;
  try {
    while (!context.signal.aborted && performance.now() < end) {
      const pending = interrupt.arm();
      await sleep(end - performance.now(), pending);
      if (pending.aborted && !context.signal.aborted) await servePending(context);
    }
  } finally {
    interrupt.stop();
  }
};

const servePending = async (context: ProjectorContext): Promise<void> => {
  let generation = resumeGeneration(context.directory);
  try {
    generation = await serveRequests(context, generation);
  } finally {
    await generation.store.close();
  }
};
