import { VitrineError } from "../errors.ts";
import type { LogBounds, LogIdentity, LogRecord } from "./event-log.ts";

const rebuild = "rebuild the model from this log, or give the log its history back";

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
      rebuild,
    );
  }
  if (!compacted && after + 1 < bounds.first) {
    throw new VitrineError(
      "divergence",
      `${address} begins at ${bounds.first}: the events from ${after + 1} on were trimmed unread`,
      rebuild,
    );
  }
}

/** Refuses a log that holds something else where `known` was read from it; nothing at all is a legal deletion. */
export function mustHold(
  address: string,
  found: LogRecord | undefined,
  known: LogRecord | undefined,
): void {
  if (found === undefined || known === undefined) return;
  if (found.time === known.time && found.subject === known.subject) return;
  throw rewritten(address, known.sequence);
}

/** A log holds another event at a sequence than was read there. */
export const rewritten = (address: string, sequence: number): VitrineError =>
  new VitrineError(
    "divergence",
    `${address} holds another event at ${sequence} than was read there: its history was rewritten`,
    rebuild,
  );

/** Refuses another log under the same name. `known` undefined: nothing is known yet. */
export function mustBeSame(
  address: string,
  found: LogIdentity,
  known: LogIdentity | undefined,
): void {
  if (known === undefined) return;
  if (found.name === known.name && found.created === known.created) return;
  throw new VitrineError(
    "divergence",
    `${address} is another log: ${found.name} created ${found.created}, known was ${known.name} created ${known.created}`,
    rebuild,
  );
}
