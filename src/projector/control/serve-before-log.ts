import { setTimeout as delay } from "node:timers/promises";
import type { ProjectorWorld } from "../context.ts";
import { resumeGeneration } from "../open-generation.ts";
import { executeOrders } from "./execute.ts";
import { hasOrder } from "./request.ts";

/**
 * Serves control requests while the log cannot be opened. Requests that need no log are carried out, and the others fail with
 * the reason.
 */
export const attendOrders = async (context: ProjectorWorld, durationMs: number): Promise<void> => {
  const { directory, signal, lookEvery } = context;
  const end = performance.now() + durationMs;
  let remainingMs = durationMs;
  for (; remainingMs > 0 && !signal.aborted; remainingMs = end - performance.now()) {
    if (hasOrder(directory.path)) await servePending(context);
    await delay(Math.min(remainingMs, lookEvery), undefined, { signal }).catch(() => undefined);
  }
};

const servePending = async (context: ProjectorWorld): Promise<void> => {
  let generation = resumeGeneration(context.directory);
  try {
    generation = await executeOrders(context, generation);
  } finally {
    await generation.store.close();
  }
};
