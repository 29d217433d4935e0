import { evolveAgent } from "../../../projections/agent.ts";
import { isEventOf } from "../../../projections/entities.ts";
import type { EventLog, LogRecord, ReadOptions } from "../../event-log/event-log.ts";
import { decode } from "../../events/decode.ts";
import { toNatsSubject } from "../../events/envelope.ts";
import { isSameEventLog } from "../../projector/continuity/fingerprints.ts";
import { readContinuous } from "../../projector/continuity/read-continuous.ts";
import { readRevocationFloor, stricterOf } from "../../read-model/operator/state.ts";
import type { AgentRow, EventVersion, RevocationFloor } from "../../read-model/schema/rows.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { readCheckpoint } from "../../read-model/store/store.ts";
import { initialTokenEpoch } from "../../surfaces/access/tokens.ts";
import { readGeneration } from "../live-store.ts";
import { openExistingDirectory } from "../model-directory.ts";
import { withOperatorReader } from "../operator-state.ts";
import type { LogConfig } from "../shared-options.ts";
import { progressBar } from "../terminal/progress-bar.ts";

export interface TokenState {
  readonly generation: number;
  readonly revoked: boolean;
}

/** A token state with the event that set it. The next event must come after that one. */
export interface StampedTokenState extends TokenState {
  /** Undefined when no event set the state. */
  readonly version: EventVersion | undefined;
  readonly row: AgentRow | undefined;
  /** Log sequence up to which the log was read. */
  readonly readTo: number;
}

interface CurrentStateOptions {
  /** Result of an earlier read of the same log: only later events are read. */
  readonly previous?: StampedTokenState;
  readonly showProgress?: boolean;
}

/**
 * Computes the state of a label's tokens at the end of the log.
 * It adds the events after the model's checkpoint, because the projector of a stopped service could not apply them.
 */
export const currentTokenState = async (
  eventLog: EventLog,
  config: LogConfig,
  label: string,
  { previous, showProgress = false }: CurrentStateOptions = {},
): Promise<StampedTokenState> => {
  const model = await tokenStateInModel(config, label);
  const start = previous ?? (await readStart(eventLog, model));
  const { first, last } = await eventLog.bounds();
  const after = Math.max(start.readTo, first - 1);
  const bar = progressBar("reading the event log", last - after, "events", showProgress);
  const onPosition = (sequence: number): void => bar.update(sequence - after);
  const rest = { after, row: start.row, onPosition };
  const { row, readTo } = await foldFrom(eventLog, label, rest).finally(bar.end);
  const folded = row?.content ?? { generation: initialTokenEpoch, revoked: false };
  // Tokens of an earlier log may still be in use, so its revocations apply as well.
  const revocation = await readRevocation(config, label);
  const effective = revocation ? stricterOf(folded, revocation) : folded;
  return { ...effective, version: row?.version, row, readTo: Math.max(readTo, last) };
};

type FoldedRow = Pick<StampedTokenState, "row" | "readTo">;

/** Starts at the model's row if the log continues the model, and else reads the complete log. */
const readStart = async (
  eventLog: EventLog,
  model: Awaited<ReturnType<typeof tokenStateInModel>>,
): Promise<FoldedRow> => {
  const checkpoint = model?.checkpoint;
  const identity = await eventLog.identity();
  const isSameLog = checkpoint && (await isSameEventLog(checkpoint, eventLog, identity));
  const { last } = await eventLog.bounds();
  return isSameLog && checkpoint.sequence <= last
    ? { row: model.row, readTo: checkpoint.sequence }
    : { row: undefined, readTo: 0 };
};

/** Reads the checkpoint and the row of a label. @returns undefined without a live generation */
export const tokenStateInModel = async (config: LogConfig, label: string) => {
  const live = openExistingDirectory(config.dataDir)?.live();
  if (live === undefined) return undefined;
  return readGeneration(live, (store) => ({
    checkpoint: readCheckpoint(store),
    row: store.get(tables.agents, label),
  }));
};

/** Reads the revocation of a label from the data directory, even when no generation is live. */
const readRevocation = async (
  { dataDir }: LogConfig,
  label: string,
): Promise<RevocationFloor | undefined> => {
  const directory = openExistingDirectory(dataDir);
  if (!directory) return undefined;
  return withOperatorReader(directory.path, (operator) => {
    const live = directory.live();
    return live === undefined
      ? operator.revocation(label)
      : readGeneration(live, (store) => readRevocationFloor(store, operator, label));
  });
};

interface FoldStart extends Pick<ReadOptions, "after" | "onPosition"> {
  readonly row: AgentRow | undefined;
}

/** Folds the events of one label; the log omits all others. */
const foldFrom = async (
  eventLog: EventLog,
  label: string,
  { row: before, ...from }: FoldStart,
): Promise<FoldedRow> => {
  let row = before;
  let readTo = from.after;
  const subjects = [toNatsSubject(`agent/${label}`)];
  for await (const records of readContinuous(eventLog, { ...from, follow: false, subjects })) {
    for (const record of records) {
      row = foldTokenEvent(record, () => row)?.row ?? row;
      readTo = record.sequence;
    }
  }
  return { row, readTo };
};

/** Row of a label after a record. */
interface FoldedTokenEvent {
  readonly label: string;
  readonly row: AgentRow;
}

/**
 * Folds a log record that no projector has applied.
 * @param currentRow reads the current row of a label
 * @returns undefined when the record does not change any token
 */
export const foldTokenEvent = (
  record: LogRecord,
  currentRow: (label: string) => AgentRow | undefined,
): FoldedTokenEvent | undefined => {
  const decoded = decode(record);
  if (!decoded.ok || !isEventOf("agent", decoded.event)) return undefined;
  const { label } = decoded.event.data;
  const evolved = evolveAgent(currentRow(label), decoded.event);
  return evolved.outcome === "applied" ? { label, row: evolved.row } : undefined;
};
