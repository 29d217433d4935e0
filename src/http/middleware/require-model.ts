import type { CurrentReader } from "../../read-model/reader/reader.ts";
import type { Context, Step } from "../context.ts";
import { refuse } from "../error-response.ts";

/** Seconds; a first replay takes a few. */
const retryAfterSeconds = 5;

/** Hands the generation that answers now to the steps after it. Without one: 503, never an empty catalogue. */
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
