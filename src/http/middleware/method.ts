import type { Step } from "../context.ts";
import { refuse } from "../error-response.ts";

/** Answers any other method with 405 and what is allowed. */
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
