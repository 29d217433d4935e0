import type { CurrentReader } from "../../read-model/reader/reader.ts";
import type { Context, Step } from "../context.ts";
import { refuse } from "../error-response.ts";

/** A first replay takes a few seconds. */
const retryAfterSeconds = 5;

/**
 * Selects the live generation for later middleware. Without one it answers 503, and never an empty catalogue.
 */
export const ready =
  (reader: CurrentReader): Step =>
  async (ctx, next) => {
    const currentReader = reader();
    if (!currentReader) return notReady(ctx);
    ctx.state.reader = currentReader;
    await next();
  };

export const notReady = (ctx: Context): void =>
  refuse(ctx, "unavailable", "The catalogue is being loaded.", { retryAfter: retryAfterSeconds });
