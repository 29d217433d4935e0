import type { CloudEvent } from "../../../events/envelope.ts";
import type { Reconciliation } from "../../../projector/reconcile/reconcile.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { type AppendedEvents, appendEvents, assertFewDeletions } from "../../append-events.ts";
import { withEventLog, withLogToAppend } from "../../event-log.ts";
import { assertModelFollowsLog } from "../../same-log.ts";
import type { LogConfig } from "../../shared-options.ts";

export interface PublishedCorrections extends AppendedEvents {
  readonly address: string;
}

/**
 * Appends corrections to the log that the model follows.
 * @param allowLoss publishes them even if they delete more than a fifth of a kind
 * @throws VitrineError `usage` when too many entities would be deleted, `divergence` for another log, `event_log`
 */
export const publishCorrections = async (
  config: LogConfig,
  checkpoint: Checkpoint | undefined,
  reconciliation: Reconciliation,
  events: AsyncIterable<CloudEvent>,
  allowLoss: boolean,
): Promise<PublishedCorrections> => {
  if (!allowLoss) reconciliation.kinds.forEach(assertFewDeletions);
  if (checkpoint) await assertModelFollows(config, checkpoint);
  return withLogToAppend(config, async (eventLog) => ({
    ...(await appendEvents(eventLog, events)),
    address: eventLog.address,
  }));
};

/** Asserts that the model follows the log. In another log, corrections would change another shop. */
const assertModelFollows = (config: LogConfig, checkpoint: Checkpoint): Promise<void> =>
  withEventLog(config, (eventLog) =>
    assertModelFollowsLog(
      checkpoint,
      eventLog,
      "nothing was published",
      "name the event log of the model with --events",
    ),
  );
