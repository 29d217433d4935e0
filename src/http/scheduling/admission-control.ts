import { errorReply } from "../error-reply.ts";
import type { Exchange } from "../exchange.ts";
import type { Handler, Layer } from "../pipeline.ts";
import { noReply, type Reply } from "../reply.ts";
import type { WorkQueue } from "./work-queue.ts";

/**
 * Queues requests while the event loop is overloaded. On routes with a body it comes after the body was read,
 * because the client decides when that arrives. Layers that select a generation come after it.
 */
export const admissionControl =
  (queue: WorkQueue): Layer =>
  <Needs>(next: Handler<Needs>): Handler<Needs> =>
  (exchange) => {
    if (!queue.isOverloaded()) return next(exchange);
    const enqueuedAt = performance.now();
    const answer: Handler<Needs> = (waiting) => {
      if (waiting.request.socket.destroyed) return noReply;
      return performance.now() - enqueuedAt > queue.maxWaitMs ? shedLoad(waiting) : next(waiting);
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
