import { VitrineError } from "../../../errors.ts";
import type { EventLog, NewMessage } from "../../../event-log/event-log.ts";
import { type CloudEvent, toMessage } from "../../../events/envelope.ts";
import type { KindReport, Reconciliation } from "../../../projector/reconcile/reconcile.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { withEventLog, withLogToAppend } from "../../event-log.ts";
import { assertModelFollowsLog } from "../../same-log.ts";
import type { LogConfig } from "../../shared-options.ts";

export interface PublishedCorrections {
  readonly accepted: number;
  /** Corrections that the log already held from an earlier run. */
  readonly duplicates: number;
  /** Highest log sequence of the corrections. */
  readonly lastSequence: number;
  readonly address: string;
}

const maxAppendEvents = 1_000;

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
    ...(await appendAll(eventLog, events)),
    address: eventLog.address,
  }));
};

/** Fewer deletions do not suggest a partial export. */
const minCheckedDeletions = 10;

/** @throws VitrineError `usage` when too many entities of a kind would be deleted */
export const assertFewDeletions = ({
  kind,
  leftOver,
  inModel: total,
}: Pick<KindReport, "leftOver" | "inModel"> & { readonly kind: string }): void => {
  if (leftOver < minCheckedDeletions || leftOver <= total / 5) return;
  throw new VitrineError(
    "usage",
    `nothing was published: ${leftOver} of ${total} ${kind} entities would be deleted, because the export does not contain them`,
    "check that the export is complete; --allow-loss publishes the corrections anyway",
  );
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

const appendAll = async (eventLog: EventLog, events: AsyncIterable<CloudEvent>) => {
  const sum = { accepted: 0, duplicates: 0, lastSequence: 0 };
  let pending: NewMessage[] = [];
  const send = async (): Promise<void> => {
    for (const { sequence, duplicate } of await eventLog.append(pending)) {
      if (duplicate) sum.duplicates += 1;
      else sum.accepted += 1;
      sum.lastSequence = Math.max(sum.lastSequence, sequence);
    }
    pending = [];
  };
  for await (const event of events) {
    pending.push(toMessage(event));
    if (pending.length >= maxAppendEvents) await send();
  }
  if (pending.length > 0) await send();
  return sum;
};
