import { errorReply } from "../error-reply.ts";
import type { Exchange } from "../exchange.ts";
import type { Handler } from "../pipeline.ts";
import { noReply, type Reply } from "../reply.ts";
import type { WorkQueue } from "./work-queue.ts";

/**
 * Queues requests while the event loop is overloaded. On routes with a body it comes after the body was read,
 * because the client decides when that arrives.
 * @param next answers at once
 * @param late answers after a wait, for a request that must check again what may have changed; by default `next`
 */
export const admissionControl =
  (queue: WorkQueue) =>
  <Needs>(next: Handler<Needs>, late: Handler<Needs> = next): Handler<Needs> =>
  (exchange) => {
    if (!queue.isOverloaded()) return next(exchange);
    const enqueuedAt = performance.now();
    const answer: Handler<Needs> = (waiting) => {
      if (waiting.request.socket.destroyed) return noReply;
      return performance.now() - enqueuedAt > queue.maxWaitMs ? shedLoad(waiting) : late(waiting);
    };
    return new Promise((resolve, reject) => {
      queue.enqueue(exchange.client, () => {
        exchange.leaveTick();
        try {
          const reply = answer(exchange);
          resolve(reply);
          return !(reply instanceof Promise);
        } catch (thrown) {
          reject(thrown);
          return true;
        }
      });
    });
  };

const retryAfter = 5;

export const shedLoad = (exchange: Exchange): Reply =>
  errorReply(exchange, "rate_limited", `The service is overloaded: wait ${retryAfter} seconds.`, {
    retryAfter,
  });
