import { messageOf, VitrineError } from "../../errors.ts";
import type { ShopEvent } from "../../events/event.ts";
import { quoteForMessage } from "../../events/rejection.ts";
import { isDiskError } from "../../lmdb/error-codes.ts";

/** Runs a step of a projection. @throws `projection` with the event that the step belongs to */
export const nameEventOnError = <T>(event: ShopEvent, step: () => T): T => {
  try {
    return step();
  } catch (cause) {
    const { type, logSequence, id } = event;
    throw toProjectionError(
      `the projection of ${type} failed at sequence ${logSequence} (event ${quoteForMessage(id)})`,
      cause,
    );
  }
};

/**
 * Builds the error of a batch that cannot be written. The error names all its events, because derived rows follow from
 * several events. Errors of LMDB and the system are returned unchanged, because a retry may succeed.
 * @param from sequence of the first event
 * @param to sequence of the last event
 */
export const toBatchError = (cause: unknown, from: number, to: number): unknown =>
  toProjectionError(`deriving tables failed for events ${from} to ${to}`, cause);

/** Builds a projection error. A damaged model page and an error of LMDB or the system are returned unchanged. */
const toProjectionError = (failure: string, cause: unknown): unknown =>
  cause instanceof VitrineError || isDiskError(cause)
    ? cause
    : new VitrineError(
        "projection",
        `${failure}: ${messageOf(cause)}`,
        "this is a bug in Vitrine, not in the event; reads go on with the model as it is",
        cause,
      );
