import type {
  EvolveResult,
  HtmlRenderer,
  TextCleaner,
  Unrendered,
} from "../../projections/projection.ts";
import { decode } from "../../src/events/decode.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { EventOfType, EventType, ShopEvent } from "../../src/events/event.ts";
import { recordOf } from "../helpers/events.ts";

/** Decodes a valid event of one type. */
export const eventOf = <T extends EventType>(type: T, event: CloudEvent): EventOfType<T> => {
  const decoded = decode(recordOf(event));
  if (!decoded.ok) throw new Error(decoded.rejection.reason);
  const isOfType = (one: ShopEvent): one is EventOfType<T> => one.type === type;
  if (!isOfType(decoded.event)) throw new Error(`${decoded.event.type} is not ${type}`);
  return decoded.event;
};

/** Attributes of an event at a minute of an hour. */
export const at = (minute: number) => ({
  time: new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString(),
});

/** Milliseconds since 1970 of a minute. */
export const ms = (minute: number): number => Date.parse(at(minute).time);

/** Two times of one millisecond. */
export const early = { time: "2026-10-01T08:00:00.123100Z" };
export const late = { time: "2026-10-01T08:00:00.123900Z" };

/** Shows what a projection passes to it. */
export const text: TextCleaner = {
  hashHtml: (html) => `hash of ${html}`,
  cleanText: (one) => one.trim(),
};

/** Folds events into a row. An event that is not applied leaves the row. */
export const fold = <R, E>(
  evolve: (row: R | undefined, event: E) => EvolveResult<R>,
  events: readonly E[],
): R | undefined => {
  let row: R | undefined;
  for (const event of events) {
    const result = evolve(row, event);
    if (result.outcome === "applied") row = result.row;
  }
  return row;
};

/** Shows what a projection renders. */
export const renderer: HtmlRenderer = {
  ...text,
  toPlainText: (html) => `text of ${html}`,
  markdown: (html) => `Markdown of ${html}`,
  summary: (html) => `summary of ${html}`,
};

/** Leaves the HTML to render out of a result. */
export const withoutHtml =
  <R, E>(evolve: (row: R | undefined, event: E) => EvolveResult<Unrendered<R>>) =>
  (row: R | undefined, event: E): EvolveResult<R> => {
    const result = evolve(row, event);
    return result.outcome === "applied" ? { outcome: "applied", row: result.row.row } : result;
  };
