import type { Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";

/** Answers other methods with 405 and an Allow header. */
export const allowMethods =
  (allowed: readonly string[]): Middleware =>
  async (ctx, next) => {
    if (allowed.includes(ctx.method)) return next();
    ctx.set("Allow", allowed.join(", "));
    sendError(
      ctx,
      "method_not_allowed",
      `${ctx.method} is not allowed here: use ${allowed.join(" or ")}.`,
    );
  };
