import { clientAddress } from "../connection/client-address.ts";
import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";
import { getCarriedOver } from "../fast-path/carried-over.ts";
import type { WorkQueue } from "./work-queue.ts";

/**
 * Queues requests while the event loop is overloaded. On routes with a body it comes after the body was read,
 * because the client decides when that arrives.
 * @param recheck middleware to run again after a wait, because the live generation and the token may have
 *   changed
 */
export const admissionControl =
  (queue: WorkQueue, trustedProxies: number) =>
  (recheck: Middleware = (_ctx, next) => next()): Middleware =>
  async (ctx, next) => {
    const waitedMs = getCarriedOver(ctx.req)?.waited;
    if (waitedMs !== undefined) return waitedMs > queue.maxWaitMs ? shedLoad(ctx) : next();
    const slot = queue.acquire(clientAddress(ctx.req, trustedProxies));
    if (!slot) return next();
    if (await isInTime(slot, queue, ctx)) return recheck(ctx, next);
  };

/** Waits for a slot. @returns false when the client has disconnected, or was answered because it waited too long */
const isInTime = async (
  slot: Promise<void>,
  { maxWaitMs }: WorkQueue,
  ctx: Context,
): Promise<boolean> => {
  const enqueuedAt = performance.now();
  await slot;
  if (ctx.req.socket.destroyed) return false;
  if (performance.now() - enqueuedAt <= maxWaitMs) return true;
  shedLoad(ctx);
  return false;
};

const retryAfterSeconds = 5;

export const shedLoad = (ctx: Context): void => {
  const message = `The service is overloaded: wait ${retryAfterSeconds} seconds.`;
  sendError(ctx, "rate_limited", message, { retryAfter: retryAfterSeconds });
};
