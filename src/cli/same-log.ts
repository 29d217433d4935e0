import { VitrineError } from "../errors.ts";
import type { EventLog } from "../event-log/event-log.ts";
import { isSameEventLog, type LogReference } from "../projector/continuity/fingerprints.ts";

/**
 * Asserts that a log is the one that a model follows. Another log belongs to another shop.
 * @param failure start of the error message
 * @throws VitrineError `divergence` with this hint; `event_log` when the log is unreachable
 */
export const assertModelFollowsLog = async (
  model: LogReference,
  eventLog: EventLog,
  failure: string,
  hint: string,
): Promise<void> => {
  const actual = await eventLog.identity();
  if (await isSameEventLog(model, eventLog, actual)) return;
  const { name, created } = model.identity;
  throw new VitrineError(
    "divergence",
    `${failure}: the model follows ${name} created ${created}, and ${eventLog.address} is ${actual.name} created ${actual.created}`,
    hint,
  );
};
