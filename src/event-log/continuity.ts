import { VitrineError } from "../errors.ts";
import type { LogBounds, LogIdentity, LogRecord } from "./event-log.ts";

const rebuildHint = "rebuild the model from this log, or give the log its history back";

/**
 * Asserts that a log can be read after sequence `after` (Contract §2, faults of the log).
 * @param compacted whether the log drops an event for a newer one of its subject: it may then begin at any sequence
 * @throws `divergence` when the log was rolled back or trimmed
 */
export function assertContinues(
  address: string,
  bounds: LogBounds,
  after: number,
  compacted = false,
): void {
  if (after > bounds.last) {
    throw new VitrineError(
      "divergence",
      `${address} ends at ${bounds.last}, before ${after} which was read from it: it was rolled back`,
      rebuildHint,
    );
  }
  if (!compacted && after + 1 < bounds.first) {
    throw new VitrineError(
      "divergence",
      `${address} begins at ${bounds.first}: the events from ${after + 1} on were trimmed unread`,
      rebuildHint,
    );
  }
}

/**
 * Asserts that the log still has the record that was read at a sequence. A missing record is a legal deletion.
 * @throws `divergence` when another record is there
 */
export function assertSameRecord(
  address: string,
  current: LogRecord | undefined,
  baseline: LogRecord | undefined,
): void {
  if (current === undefined || baseline === undefined) return;
  if (current.time === baseline.time && current.subject === baseline.subject) return;
  throw historyRewritten(address, baseline.sequence);
}

/** Builds the error for another event at a sequence that was read. */
export const historyRewritten = (address: string, sequence: number): VitrineError =>
  new VitrineError(
    "divergence",
    `${address} holds another event at ${sequence} than was read there: its history was rewritten`,
    rebuildHint,
  );

/**
 * Asserts that the log is the one that was read, not another one of the same name.
 * @param baseline undefined when no log was read before
 * @throws `divergence`
 */
export function assertSameLog(
  address: string,
  current: LogIdentity,
  baseline: LogIdentity | undefined,
): void {
  if (baseline === undefined) return;
  if (current.name === baseline.name && current.created === baseline.created) return;
  throw new VitrineError(
    "divergence",
    `${address} is another log: ${current.name} created ${current.created}, before it was ${baseline.name} created ${baseline.created}`,
    rebuildHint,
  );
}
