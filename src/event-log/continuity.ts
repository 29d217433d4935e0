import { VitrineError } from "../errors.ts";
import type { LogBounds, LogIdentity, LogRecord } from "./event-log.ts";

const rebuildHint = "rebuild the model from this log, or give the log its history back";

/**
 * Refuses a log that cannot go on after sequence `after` (contract section 2, the log's own faults).
 * @param compacted whether the log drops an event for a newer one of its subject: it may then begin anywhere
 */
export function mustContinue(
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

/** Refuses a log that holds something else where `known` was read from it; nothing at all is a legal deletion. */
export function mustHold(
  address: string,
  current: LogRecord | undefined,
  baseline: LogRecord | undefined,
): void {
  if (current === undefined || baseline === undefined) return;
  if (current.time === baseline.time && current.subject === baseline.subject) return;
  throw rewritten(address, baseline.sequence);
}

/** A log holds another event at a sequence than was read there. */
export const rewritten = (address: string, sequence: number): VitrineError =>
  new VitrineError(
    "divergence",
    `${address} holds another event at ${sequence} than was read there: its history was rewritten`,
    rebuildHint,
  );

/** Refuses another log under the same name. `known` undefined: nothing is known yet. */
export function mustBeSame(
  address: string,
  current: LogIdentity,
  baseline: LogIdentity | undefined,
): void {
  if (baseline === undefined) return;
  if (current.name === baseline.name && current.created === baseline.created) return;
  throw new VitrineError(
    "divergence",
    `${address} is another log: ${current.name} created ${current.created}, known was ${baseline.name} created ${baseline.created}`,
    rebuildHint,
  );
}
