import type { Logger } from "../../log.ts";
import type { Context, Step } from "../context.ts";
import { refuse } from "../error-response.ts";

/** The edge: an address nothing answers at is 404, anything thrown is 500 and told to the log only. */
export const errors =
  (log: Logger): Step =>
  async (ctx, next) => {
    try {
      await next();
    } catch (err) {
      if (isDisconnected(ctx)) return;
      log.error({ err, method: ctx.method, path: ctx.path }, "a request failed");
      refuse(ctx, "internal", "The store failed to answer; retry is safe.");
      return;
    }
    if (ctx.status === 404 && ctx.body == null) refuse(ctx, "not_found", "Nothing is here.");
  };

/** The client hung up: nobody is left to answer, and nothing of ours failed. */
const isDisconnected = (ctx: Context): boolean => ctx.req.destroyed && !ctx.req.complete;
