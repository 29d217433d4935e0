import { errorReply } from "../error-reply.ts";
import type { Exchange } from "../exchange.ts";
import { check } from "../pipeline.ts";
import type { Reply } from "../reply.ts";

/** Answers other methods with 405 and an Allow header. */
export const allowMethods = (methods: readonly string[]) =>
  check((exchange) => checkMethod(exchange, methods));

export const checkMethod = (exchange: Exchange, methods: readonly string[]): Reply | undefined => {
  const { method } = exchange;
  if (methods.includes(method)) return undefined;
  return errorReply(
    exchange,
    "method_not_allowed",
    `${method} is not allowed here: use ${methods.join(" or ")}.`,
    { headers: ["Allow", methods.join(", ")] },
  );
};
