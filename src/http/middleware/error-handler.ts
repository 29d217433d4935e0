import type { Logger } from "../../log.ts";
import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";

/** Answers 404 for URLs without a handler, and 500 for thrown errors, whose details are only logged. */
export const errorHandler =
  (log: Logger): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (err) {
      if (isDisconnected(ctx)) return;
      log.error({ err, method: ctx.method, path: ctx.path }, "a request failed");
      sendError(ctx, "internal", "The store failed to answer; retry is safe.");
      return;
    }
    if (ctx.status === 404 && ctx.body == null) sendError(ctx, "not_found", "Nothing is here.");
  };

/** Tests whether the client disconnected while it sent the request, which is not an error of the service. */
const isDisconnected = (ctx: Context): boolean => ctx.req.destroyed && !ctx.req.complete;
