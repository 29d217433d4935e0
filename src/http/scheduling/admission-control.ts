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
    const { client, request } = exchange;
    const enqueuedAt = performance.now();
    return new Promise((resolve, reject) => {
      queue.enqueue(client, () => {
        exchange.leaveTick();
        try {
          const reply = request.socket.destroyed
            ? noReply
            : performance.now() - enqueuedAt > queue.maxWaitMs
              ? shedLoad(exchange)
              : late(exchange);
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
