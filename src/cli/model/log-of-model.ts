import { VitrineError } from "../../errors.ts";
import type { EventLog, LogIdentity } from "../../event-log/log.ts";

/**
 * Makes sure that a log is the one a model follows: another would make of it, or be made of it, another shop.
 * @param refused what is refused otherwise, as the message begins
 * @throws VitrineError `divergence` with that hint, `event_log` when the log cannot be asked
 */
export const mustBeLogOf = async (
  model: LogIdentity,
  eventLog: EventLog,
  refused: string,
  hint: string,
): Promise<void> => {
  const { name, created } = await eventLog.identity();
  if (model.name === name && model.created === created) return;
  throw new VitrineError(
    "divergence",
    `${refused}: the model follows ${model.name} created ${model.created}, and ${eventLog.address} is ${name} created ${created}`,
    hint,
  );
};
