import { createHash } from "node:crypto";
import { VitrineError } from "../../errors.ts";
import type { EventLog } from "../../event-log/log.ts";
import { natsSubject, toMessage } from "../../events/envelope.ts";
import { checkLog } from "../../projector/check-log.ts";
import { isKnownLog } from "../../projector/same-log.ts";
import type { AgentRow, Stamp } from "../../read-model/states.ts";
import { openStore } from "../../read-model/store.ts";
import { tables } from "../../read-model/tables.ts";
import { stricter, withdrawnOf } from "../../read-model/withdrawn.ts";
import { firstGeneration } from "../../surfaces/access/access.ts";
import type { LogConfig } from "../setting-groups.ts";
import { openToRead } from "./event-log.ts";
import { mustBeLogOf } from "./log-of-model.ts";
import { lookAtDirectory } from "./model-facts.ts";
import { toldByRecord } from "./token-record.ts";

/** What the event log says of an agent's tokens. */
export interface AgentNow {
  readonly generation: number;
  readonly revoked: boolean;
}

/** With the event that says so, which the next has to come after; undefined where no event does. */
export interface AgentKnown extends AgentNow {
  readonly stamp: Stamp | undefined;
}

type Change = "agent.token.regenerated" | "agent.token.revoked";

/**
 * Where a label's tokens stand at the end of the log: what the model knows, and what was told since, which the
 * projector of a service that does not run could not apply yet.
 */
export const agentNow = async (
  eventLog: EventLog,
  config: LogConfig,
  label: string,
): Promise<AgentKnown> => {
  const identity = await eventLog.identity();
  const known = await knownTo(config, label);
  const checkpoint = known?.checkpoint;
  const sequence = checkpoint?.sequence ?? 0;
  const isSameLog = checkpoint && (await isKnownLog(checkpoint, eventLog, identity));
  const { first, last } = await eventLog.bounds();
  const start = isSameLog && sequence <= last ? { sequence, row: known?.row } : { sequence: 0 };
  const row = await foldRest(eventLog, label, Math.max(start.sequence, first - 1), start.row);
  const now = row?.content ?? { generation: firstGeneration, revoked: false };
  // Tokens of a log before this one may still be around.
  const counting = known?.withdrawn ? stricter(now, known.withdrawn) : now;
  return { ...counting, stamp: row?.stamp };
};

/**
 * Makes sure that the log is the one the service follows: of what is told elsewhere it never hears. To be asked before a
 * journal is made.
 * @throws VitrineError `divergence` for another one, `data_dir` or `event_log` where there is none
 */
export const mustBeFollowed = async (config: LogConfig, label: string): Promise<void> => {
  const known = await knownTo(config, label);
  if (!known?.checkpoint) return;
  const eventLog = await openToRead(config);
  try {
    await mustBeLogOf(
      known.checkpoint,
      eventLog,
      "the service would not hear of it",
      `name the log it follows with --events (EVENTS); where that was made anew, ${meanwhile}`,
    );
    const divergence = await checkLog(known.checkpoint, eventLog);
    if (divergence) {
      throw new VitrineError(
        "divergence",
        `the service would not hear of it: ${divergence.reason}`,
        meanwhile,
      );
    }
  } finally {
    await eventLog.close();
  }
};

const meanwhile =
  "let the service follow it first; until then another TOKEN_SECRET, and a restart, ends all tokens at once";

const knownTo = async (config: LogConfig, label: string) => {
  const live = lookAtDirectory(config.dataDir)?.live();
  if (live === undefined) return undefined;
  const store = openStore(live, { readOnly: true });
  try {
    const checkpoint = store.get(tables.meta, "checkpoint");
    const row = store.get(tables.agents, label);
    const withdrawn = withdrawnOf(store, label);
    return { checkpoint, row, withdrawn };
  } finally {
    await store.close();
  }
};

const foldRest = async (
  eventLog: EventLog,
  label: string,
  after: number,
  known: AgentRow | undefined,
): Promise<AgentRow | undefined> => {
  let row = known;
  const subject = natsSubject(`agent/${label}`);
  for await (const records of eventLog.read({ after, follow: false })) {
    for (const record of records.filter((each) => each.subject === subject)) {
      row = toldByRecord(record, () => row)?.row ?? row;
    }
  }
  return row;
};

/**
 * Appends what happened to a label's tokens.
 * @param known what it comes after, in the shop's own order too: a clock or a version ahead of ours must not outdo it
 * @returns false when somebody else told of this generation first: look again
 */
export const tellChange = async (
  eventLog: EventLog,
  type: Change,
  label: string,
  generation: number,
  known: Stamp | undefined,
  now: number,
): Promise<boolean> => {
  const isRevoked = type === "agent.token.revoked";
  // One id for one step, so that of two who regenerate at once one is refused by the log as a duplicate.
  const digest = createHash("sha256")
    .update(`${label}\n${known?.id ?? ""}`)
    .digest("base64url");
  const sequence = sequenceAfter(known, generation * 2 + (isRevoked ? 1 : 0));
  const message = toMessage({
    specversion: "1.0",
    id: `${type}-${generation}-${digest}`,
    source: "/vitrine/tokens",
    type,
    subject: `agent/${label}`,
    time: new Date(Math.max(now, known?.time ?? 0)).toISOString(),
    // Orders the events of a label whatever the clock does.
    ...(sequence !== undefined && { sequence }),
    datacontenttype: "application/json",
    data: { label, generation },
  });
  const [appended] = await eventLog.append([message]);
  if (!appended) throw new VitrineError("event_log", "the event log took nothing");
  return !appended.duplicate;
};

/** Undefined after one that is no number: then the times decide, and of equal ones the place in the log. */
const sequenceAfter = (known: Stamp | undefined, least: number): string | undefined => {
  const before = known?.sequence;
  if (before === undefined) return String(least);
  if (!/^\d+$/.test(before)) return undefined;
  const next = BigInt(before) + 1n;
  return String(next > least ? next : least);
};
