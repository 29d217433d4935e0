import { VitrineError } from "../errors.ts";
import type { EventLog } from "../event-log/event-log.ts";
import { isKnownLog, type KnownLog } from "../projector/fingerprints.ts";

/**
 * Asserts that a log is the one that a model follows. Another log belongs to another shop.
 * @param failure start of the error message
 * @throws VitrineError `divergence` with this hint; `event_log` when the log is unreachable
 */
export const mustBeLogOf = async (
  model: KnownLog,
  eventLog: EventLog,
  refused: string,
  hint: string,
): Promise<void> => {
  const found = await eventLog.identity();
  if (await isKnownLog(model, eventLog, found)) return;
  const { name, created } = model.identity;
  throw new VitrineError(
    "divergence",
    `${refused}: the model follows ${name} created ${created}, and ${eventLog.address} is ${found.name} created ${found.created}`,
    hint,
  );
};
