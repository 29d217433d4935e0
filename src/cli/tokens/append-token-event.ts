import { createHash } from "node:crypto";
import { VitrineError } from "../../errors.ts";
import type { EventLog } from "../../event-log/event-log.ts";
import { toMessage } from "../../events/envelope.ts";
import { compareTimes, formatEventTime } from "../../events/time.ts";
import type { EventVersion } from "../../read-model/schema/rows.ts";

type Change = "agent.token.regenerated" | "agent.token.revoked";

/**
 * Appends a token event of a label.
 * @param previous version of the preceding event. The new event also gets a higher stream sequence, because a clock or
 * version ahead of this one must not win.
 * @returns false when another process appended an event of this generation first: read the state again
 */
export const appendTokenEvent = async (
  eventLog: EventLog,
  type: Change,
  label: string,
  generation: number,
  previous: EventVersion | undefined,
  now: number,
): Promise<boolean> => {
  const isRevoked = type === "agent.token.revoked";
  // The id depends on the preceding event, so that of two concurrent changes the log rejects one as a duplicate.
  const digest = createHash("sha256")
    .update(`${label}\n${previous?.id ?? ""}`)
    .digest("base64url");
  const sequence = nextSequence(previous, generation * 2 + (isRevoked ? 1 : 0));
  const message = toMessage({
    specversion: "1.0",
    id: `${type}-${generation}-${digest}`,
    source: "/vitrine/tokens",
    type,
    subject: `agent/${label}`,
    time: formatEventTime(
      previous && compareTimes(previous, { time: now }) > 0 ? previous : { time: now },
    ),
    // Sorts the events of a label independently of the clock.
    ...(sequence !== undefined && { sequence }),
    datacontenttype: "application/json",
    data: { label, generation },
  });
  const [appended] = await eventLog.append([message]);
  if (!appended) throw new VitrineError("event_log", "the event log accepted no event");
  return !appended.duplicate;
};

/**
 * Computes the next stream sequence of a label.
 * @returns undefined after a sequence that is not a number: then the times decide, and for equal times the position in
 * the log
 */
const nextSequence = (previous: EventVersion | undefined, minimum: number): string | undefined => {
  const before = previous?.sequence;
  if (before === undefined) return String(minimum);
  if (!/^\d+$/.test(before)) return undefined;
  const next = BigInt(before) + 1n;
  return String(next > minimum ? next : minimum);
};
