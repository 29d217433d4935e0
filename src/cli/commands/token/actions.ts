import { createHash } from "node:crypto";
import { VitrineError } from "../../../errors.ts";
import type { EventLog } from "../../../event-log/event-log.ts";
import { toMessage } from "../../../events/envelope.ts";
import { compareTimes, formatEventTime } from "../../../events/time.ts";
import type { EventVersion } from "../../../read-model/schema/rows.ts";
import type { LogConfig } from "../../shared-options.ts";
import {
  currentTokenState,
  type StampedTokenState,
  type TokenState,
} from "../../tokens/token-state.ts";

export type TokenAction = "issue" | "regenerate" | "revoke";

interface TokenContext {
  readonly eventLog: EventLog;
  readonly config: LogConfig;
  readonly label: string;
}

type TokenCommand = (context: TokenContext, current: StampedTokenState) => Promise<TokenState>;

const issue: TokenCommand = async ({ label }, current) => {
  if (!current.revoked) return current;
  throw new VitrineError(
    "usage",
    `the tokens of ${JSON.stringify(label)} are revoked`,
    "vitrine token regenerate --label … issues a new one",
  );
};

const regenerate: TokenCommand = async (context, current) => {
  const generation = current.generation + 1;
  if (!Number.isSafeInteger(generation)) throw generationsExhausted(context.label);
  return change(
    context,
    "agent.token.regenerated",
    current,
    { generation, revoked: false },
    regenerate,
  );
};

const generationsExhausted = (label: string): VitrineError =>
  new VitrineError(
    "usage",
    `${JSON.stringify(label)} has the last possible generation`,
    "give the agent another label; vitrine token revoke --label … ends the tokens of this one",
  );

const revoke: TokenCommand = async (context, current) => {
  if (current.revoked) return current;
  const { generation } = current;
  return change(context, "agent.token.revoked", current, { generation, revoked: true }, revoke);
};

export const tokenActions: Readonly<Record<TokenAction, TokenCommand>> = {
  issue,
  regenerate,
  revoke,
};

/** Appends a token event and checks that it counts. @param retry runs again after a concurrent change of the label */
const change = async (
  { eventLog, config, label }: TokenContext,
  type: Parameters<typeof appendTokenEvent>[1],
  previous: StampedTokenState,
  to: TokenState,
  retry: TokenCommand,
): Promise<TokenState> => {
  const { generation } = to;
  const isOurs = await appendTokenEvent(
    eventLog,
    type,
    label,
    generation,
    previous.version,
    Date.now(),
  );
  // An appended event may still have no effect, so the state is read back before success is reported.
  const now = await currentTokenState(eventLog, config, label, { previous });
  const isPast = now.generation > generation || now.revoked === to.revoked;
  if (isOurs && now.generation >= generation && isPast) return to;
  if (now.generation < generation || !isPast) {
    throw new VitrineError(
      "event_log",
      `the event log already holds this change of ${JSON.stringify(label)}, and a later event overrides it`,
      "vitrine tail shows the events",
    );
  }
  return retry({ eventLog, config, label }, now);
};

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
