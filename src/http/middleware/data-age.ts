import type { Step } from "../context.ts";

/** Seconds that the model may be behind the shop; undefined while nobody has told. */
export type DataAge = () => number | undefined;

/** Names and values in turn, as every answer from the model has them. */
export const dataAgeHeaders = (age: DataAge): readonly string[] => {
  const seconds = age();
  return seconds === undefined ? [] : ["X-Data-Age", String(Math.ceil(seconds))];
};

/**
 * Says how far behind the shop an answer may be, so that whoever asks can tell old prices and stock from new ones while
 * the broker is away. It tells of the moment of the answer, not of what is told: no ETag depends on it.
 */
export const dataAge =
  (age: DataAge): Step =>
  async (ctx, next) => {
    await next();
    // What was refused before a model was looked at tells nothing of it.
    if (!ctx.state.reader) return;
    const [name, value] = dataAgeHeaders(age);
    if (name !== undefined && value !== undefined) ctx.set(name, value);
  };
