import type { Middleware } from "../context.ts";

/** Returns how many seconds the model may be behind the shop; undefined while unknown. */
export type DataAge = () => number | undefined;

/** Formats the header of every response from the model. It alternates names and values. */
export const dataAgeHeaders = (age: DataAge): readonly string[] => {
  const seconds = age();
  return seconds === undefined ? [] : ["X-Data-Age", String(Math.ceil(seconds))];
};

/**
 * Sets how far the response may be behind the shop, so that clients can detect outdated prices and stock while
 * the broker is unavailable. The value belongs to the time of the response, so no ETag depends on it.
 */
export const dataAge =
  (age: DataAge): Middleware =>
  async (ctx, next) => {
    await next();
    // A response sent before a model was selected has no age.
    if (!ctx.state.reader) return;
    const [name, value] = dataAgeHeaders(age);
    if (name !== undefined && value !== undefined) ctx.set(name, value);
  };
