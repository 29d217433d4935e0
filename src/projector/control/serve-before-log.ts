import { setTimeout as delay } from "node:timers/promises";
import type { ProjectorContext } from "../context.ts";
import { resumeGeneration } from "../open-generation.ts";
import { serveRequests } from "./execute.ts";
import { hasPendingRequest } from "./request.ts";

/**
 * Serves control requests while the log cannot be opened. Requests that need no log are carried out, and the others fail with
 * the reason.
 */
export const serveRequestsBeforeLog = async (
  context: ProjectorContext,
  durationMs: number,
): Promise<void> => {
  const { directory, signal, pollIntervalMs } = context;
  const end = performance.now() + durationMs;
  let remainingMs = durationMs;
  for (; remainingMs > 0 && !signal.aborted; remainingMs = end - performance.now()) {
    if (hasPendingRequest(directory.path)) await servePending(context);
    await delay(Math.min(remainingMs, pollIntervalMs), undefined, { signal }).catch(
      () => undefined,
    );
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
