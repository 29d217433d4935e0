import { VitrineError } from "../errors.ts";
import type { LogBounds } from "./event-log.ts";

/** Hint of every divergence that a read finds. */
export const rebuildHint = "rebuild the model from this log, or give the log its history back";

/**
 * Asserts that a log has the position after sequence `after`: no record between it and the next one was lost. Whether the
 * log is the one that was read before is judged by the reader (`ReadOptions.verify`).
 * @param compacted whether the log drops an event for a newer one of its subject: it may then begin at any sequence
 * @throws `divergence` when the log was rolled back or trimmed
 */
export function assertReadableAfter(
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
