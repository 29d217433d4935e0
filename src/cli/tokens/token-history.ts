import { createHash } from "node:crypto";
import { VitrineError } from "../../errors.ts";
import type { EventLog, ReadOptions } from "../../event-log/event-log.ts";
import { natsSubject, toMessage } from "../../events/envelope.ts";
import { compareTimes, timeText } from "../../events/time.ts";
import { checkLog } from "../../projector/continuity.ts";
import { isKnownLog } from "../../projector/fingerprints.ts";
import {
  stricter,
  type Withdrawn,
  withdrawnOf,
} from "../../read-model/operator/revocation-floor.ts";
import type { AgentRow, Stamp } from "../../read-model/schema/rows.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { openStore } from "../../read-model/store/store.ts";
import { firstGeneration } from "../../surfaces/access/tokens.ts";
import { lookAtDirectory } from "../commands/status/model-info.ts";
import { openToRead } from "../event-log.ts";
import { readGeneration } from "../live-store.ts";
import { withOperatorReader } from "../operator-state.ts";
import { mustBeLogOf } from "../same-log.ts";
import type { LogConfig } from "../shared-options.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import { toldByRecord } from "./token-record.ts";

/** What the event log says of an agent's tokens. */
export interface AgentNow {
  readonly generation: number;
  readonly revoked: boolean;
}

/** With the event that says so, which the next has to come after. */
export interface AgentKnown extends AgentNow {
  /** Undefined where no event says so. */
  readonly stamp: Stamp | undefined;
  readonly row: AgentRow | undefined;
  /** Log sequence up to which the log was read. */
  readonly readTo: number;
}

type Change = "agent.token.regenerated" | "agent.token.revoked";

interface Looking {
  /** What an earlier reading of the same log found: only the events after it are read. */
  readonly known?: AgentKnown;
  readonly showProgress?: boolean;
}

/**
 * Where a label's tokens stand at the end of the log: what the model knows, and what was told since, which the
 * projector of a service that does not run could not apply yet.
 */
export const agentNow = async (
  eventLog: EventLog,
  config: LogConfig,
  label: string,
  { known, showProgress = false }: Looking = {},
): Promise<AgentKnown> => {
  const model = await knownTo(config, label);
  const start = known ?? (await startOf(eventLog, model));
  const { first, last } = await eventLog.bounds();
  const after = Math.max(start.readTo, first - 1);
  const bar = progressBar("reading the event log", last - after, "events", showProgress);
  const onPosition = (sequence: number): void => bar.at(sequence - after);
  const rest = { after, row: start.row, onPosition };
  const { row, readTo } = await foldRest(eventLog, label, rest).finally(bar.end);
  const now = row?.content ?? { generation: firstGeneration, revoked: false };
  // Tokens of a log before this one may still be around.
  const withdrawn = await withdrawnIn(config, label);
  const counting = withdrawn ? stricter(now, withdrawn) : now;
  return { ...counting, stamp: row?.stamp, row, readTo: Math.max(readTo, last) };
};

type Start = Pick<AgentKnown, "row" | "readTo">;

/** The model's row, when the log continues the model; else the whole log has to be read. */
const startOf = async (
  eventLog: EventLog,
  model: Awaited<ReturnType<typeof knownTo>>,
): Promise<Start> => {
  const checkpoint = model?.checkpoint;
  const identity = await eventLog.identity();
  const isSameLog = checkpoint && (await isKnownLog(checkpoint, eventLog, identity));
  const { last } = await eventLog.bounds();
  return isSameLog && checkpoint.sequence <= last
    ? { row: model.row, readTo: checkpoint.sequence }
    : { row: undefined, readTo: 0 };
};

/**
 * Makes sure that the log is the one the service follows: of what is told elsewhere it never hears. To be asked before a
 * journal is made.
 * @throws VitrineError `divergence` for another one, `no_model` or `event_log` where there is none
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
    return { checkpoint, row };
  } finally {
    await store.close();
  }
};

/** What the data directory knows to be withdrawn, be it that no model answers from it. */
const withdrawnIn = async (
  { dataDir }: LogConfig,
  label: string,
): Promise<Withdrawn | undefined> => {
  const directory = lookAtDirectory(dataDir);
  if (!directory) return undefined;
  return withOperatorReader(directory.path, (operator) => {
    const live = directory.live();
    return live === undefined
      ? operator.revocation(label)
      : readGeneration(live, (store) => withdrawnOf(store, operator, label));
  });
};

interface Rest extends Pick<ReadOptions, "after" | "onPosition"> {
  readonly row: AgentRow | undefined;
}

/** Folds the label's own events: the log leaves the others out. */
const foldRest = async (
  eventLog: EventLog,
  label: string,
  { row: before, ...from }: Rest,
): Promise<Start> => {
  let row = before;
  let readTo = from.after;
  const subjects = [natsSubject(`agent/${label}`)];
  for await (const records of eventLog.read({ ...from, follow: false, subjects })) {
    for (const record of records) {
      row = toldByRecord(record, () => row)?.row ?? row;
      readTo = record.sequence;
    }
  }
  return { row, readTo };
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
    time: timeText(known && compareTimes(known, { time: now }) > 0 ? known : { time: now }),
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
