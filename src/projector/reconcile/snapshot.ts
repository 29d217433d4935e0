import type { HtmlRenderer } from "../../../projections/projection.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { type ByteStream, validateNdjson } from "../../events/ndjson.ts";
import { compareTimes, type EventTime, timeOf } from "../../events/time.ts";
import type { Store } from "../../read-model/store/store.ts";
import { applyBatch } from "../batch/batch.ts";
import { entityOf } from "./snapshot-entities.ts";

export interface InvalidLine {
  readonly line: number;
  readonly field: string | null;
  readonly reason: string;
}

export interface LoadedSnapshot {
  /** Latest event time; undefined for an empty snapshot. */
  readonly latestTime: EventTime | undefined;
  readonly invalidLines: readonly InvalidLine[];
}

const maxBatchEvents = 1_000;

/**
 * Loads a snapshot of a shop into an empty generation.
 * Each line becomes a log record with the line number as its sequence.
 * @param now current time for the check of event times, milliseconds since 1970
 */
export const loadSnapshot = async (
  store: Store,
  chunks: ByteStream,
  rendering: HtmlRenderer,
  now: number,
): Promise<LoadedSnapshot> => {
  const invalidLines: InvalidLine[] = [];
  let latestTime: EventTime | undefined;
  let pending: LogRecord[] = [];
  const context = { identity: { name: "snapshot", created: "" }, rendering };
  const flush = (): void => {
    const { deadLetters } = applyBatch(store, pending, context);
    for (const { sequence, field, reason } of deadLetters) {
      invalidLines.push({ line: sequence, field, reason });
    }
    pending = [];
  };
  for await (const checked of validateNdjson(chunks, now)) {
    const { line } = checked;
    if (!checked.ok) {
      invalidLines.push({ line, field: checked.rejection.field, reason: checked.rejection.reason });
      continue;
    }
    const { event, message } = checked;
    if (entityOf(event) === undefined)
      invalidLines.push({ line, field: "type", reason: describeUnfitType(event.type) });
    if (!latestTime || compareTimes(event, latestTime) > 0) latestTime = timeOf(event);
    pending.push({ ...message, sequence: line, time: now });
    if (pending.length >= maxBatchEvents) flush();
  }
  if (pending.length > 0) flush();
  return { latestTime, invalidLines };
};

const describeUnfitType = (type: string): string =>
  `${type} reports a change: an export contains the current state, as upserted, settings, robots, price and stock events`;
