import type { Rendering } from "../../../projections/field-group.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { type Chunks, checkLines } from "../../events/ndjson.ts";
import { compareTimes, type EventTime, timeOf } from "../../events/time.ts";
import type { Store } from "../../read-model/store/store.ts";
import { applyBatch } from "../batch/batch.ts";
import { tellsOf } from "./snapshot-entities.ts";

/** A line of a snapshot that cannot stand in one. */
export interface UnfitLine {
  readonly line: number;
  readonly field: string | null;
  readonly reason: string;
}

export interface FoldedSnapshot {
  /** Newest time an event of it has; undefined for an empty one. */
  readonly newest: EventTime | undefined;
  readonly unfit: readonly UnfitLine[];
}

/** Most events folded in one transaction. */
const largestBatch = 1_000;

/**
 * Folds a snapshot of a shop into an empty generation, as a log of its own.
 * @param now what its times are compared with, in milliseconds since 1970
 */
export const foldSnapshot = async (
  store: Store,
  chunks: Chunks,
  rendering: Rendering,
  now: number,
): Promise<FoldedSnapshot> => {
  const unfit: UnfitLine[] = [];
  let newest: EventTime | undefined;
  let waiting: LogRecord[] = [];
  const world = { identity: { name: "snapshot", created: "" }, rendering };
  const fold = (): void => {
    const { deadLetters } = applyBatch(store, waiting, world);
    for (const { sequence, field, reason } of deadLetters) {
      unfit.push({ line: sequence, field, reason });
    }
    waiting = [];
  };
  for await (const checked of checkLines(chunks, now)) {
    const { line } = checked;
    if (!checked.ok) {
      unfit.push({ line, field: checked.rejection.field, reason: checked.rejection.reason });
      continue;
    }
    const { event, message } = checked;
    if (tellsOf(event) === undefined)
      unfit.push({ line, field: "type", reason: whyUnfit(event.type) });
    if (!newest || compareTimes(event, newest) > 0) newest = timeOf(event);
    waiting.push({ ...message, sequence: line, time: now });
    if (waiting.length >= largestBatch) fold();
  }
  if (waiting.length > 0) fold();
  return { newest, unfit };
};

const whyUnfit = (type: string): string =>
  `${type} tells of a change: a snapshot holds what is there, as upserted, settings, robots, price and stock events`;
