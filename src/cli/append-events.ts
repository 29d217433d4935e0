import { VitrineError } from "../errors.ts";
import type { EventLog, NewMessage } from "../event-log/event-log.ts";
import { type CloudEvent, toMessage } from "../events/envelope.ts";

export interface AppendedEvents {
  readonly accepted: number;
  /** Events that the log held before. */
  readonly duplicates: number;
  /** Highest log sequence of the events, 0 without any. */
  readonly lastSequence: number;
}

/** Bounds one append to the log. */
const maxAppendEvents = 1_000;

/** Appends events that a command made, some at a time. */
export const appendEvents = async (
  eventLog: EventLog,
  events: AsyncIterable<CloudEvent> | Iterable<CloudEvent>,
): Promise<AppendedEvents> => {
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

/** Fewer deletions do not suggest a partial export. */
const minCheckedDeletions = 10;

/**
 * Guards the append of deletions: an export that is not complete would delete what it lacks.
 * @throws VitrineError `usage` when too many entities of a kind would be deleted
 */
export const assertFewDeletions = ({
  kind,
  leftOver,
  inModel: total,
}: {
  readonly kind: string;
  readonly leftOver: number;
  readonly inModel: number;
}): void => {
  if (leftOver < minCheckedDeletions || leftOver <= total / 5) return;
  throw new VitrineError(
    "usage",
    `nothing was published: ${leftOver} of ${total} ${kind} entities would be deleted, because the export does not contain them`,
    "check that the export is complete; --allow-loss publishes the corrections anyway",
  );
};
