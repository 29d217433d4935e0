import { VitrineError } from "../../../errors.ts";
import type { EventLog } from "../../../event-log/event-log.ts";
import type { LogConfig } from "../../shared-options.ts";
import { appendTokenEvent } from "../../tokens/append-token-event.ts";
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
