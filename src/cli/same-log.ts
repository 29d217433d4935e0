import { VitrineError } from "../errors.ts";
import type { EventLog } from "../event-log/event-log.ts";
import { isKnownLog, type KnownLog } from "../projector/fingerprints.ts";

/**
 * Makes sure that a log is the one a model follows: another would make of it, or be made of it, another shop.
 * @param refused what is refused otherwise, as the message begins
 * @throws VitrineError `divergence` with that hint, `event_log` when the log cannot be asked
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
