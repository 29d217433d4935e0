import type { Step } from "../context.ts";
import { refuse } from "../error-response.ts";

/** Answers other methods with 405 and an Allow header. */
export const method =
  (allowed: readonly string[]): Step =>
  async (ctx, next) => {
    if (allowed.includes(ctx.method)) return next();
    ctx.set("Allow", allowed.join(", "));
    refuse(
      ctx,
      "method_not_allowed",
      `${ctx.method} is not allowed here: use ${allowed.join(" or ")}.`,
    );
  };
