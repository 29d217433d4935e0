import type { Logger } from "../../log.ts";
import { errorReply } from "../error-reply.ts";
import type { Exchange } from "../exchange.ts";
import { readTraceContext } from "../observation.ts";
import type { Layer } from "../pipeline.ts";
import { noReply, type Reply } from "../reply.ts";

/** Answers 500 for thrown errors, whose details are only logged. */
export const catchErrors =
  (log: Logger): Layer =>
  (next) =>
  (exchange) => {
    try {
      const reply = next(exchange);
      return reply instanceof Promise
        ? reply.catch((err) => toErrorReply(log, exchange, err))
        : reply;
    } catch (err) {
      return toErrorReply(log, exchange, err);
    }
  };

const toErrorReply = (log: Logger, exchange: Exchange, err: unknown): Reply => {
  const { request, method, path } = exchange;
  // The client disconnected while it sent the request, which is not an error of the service.
  if (request.destroyed && !request.complete) return noReply;
  log.error({ err, method, path, trace: readTraceContext(request) }, "a request failed");
  return errorReply(exchange, "internal", "The store failed to answer; retry is safe.");
};
