import type { CurrentReader } from "../../read-model/reader/reader.ts";
import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";

/** A first replay takes a few seconds. */
const retryAfterSeconds = 5;

/**
 * Selects the live generation for later middleware. Without one it answers 503, and never an empty catalogue.
 */
export const requireModel =
  (reader: CurrentReader): Middleware =>
  async (ctx, next) => {
    const currentReader = reader();
    if (!currentReader) return sendUnavailable(ctx);
    ctx.state.reader = currentReader;
    await next();
  };

export const sendUnavailable = (ctx: Context): void =>
  sendError(ctx, "unavailable", "The catalogue is being loaded.", {
    retryAfter: retryAfterSeconds,
  });
