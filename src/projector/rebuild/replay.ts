import { messageOf, VitrineError } from "../../errors.ts";
import type { EventLog, LogBounds, LogIdentity, LogRecord } from "../../event-log/event-log.ts";
import { isDiskError } from "../../lmdb/error-codes.ts";
import { readModelRows } from "../../read-model/operator/model-rows.ts";
import type { OperatorState } from "../../read-model/operator/state.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import type { ReadTables } from "../../read-model/store/store.ts";
import type { BatchContext } from "../batch/batch.ts";
import { type BatchWriter, createBatchWriter } from "../batch/batch-writer.ts";
import type { ProjectorContext } from "../context.ts";
import { readContinuous } from "../continuity/read-continuous.ts";
import { type Generation, readCheckpointOrInitial } from "../open-generation.ts";

/** Limits a replay, both limits inclusive. Without a limit the replay ends at the current end of the log. */
export interface ReplayLimit {
  readonly sequence?: number;
  /** Time at which the log stored an event, in milliseconds since 1970. */
  readonly time?: number;
}

export interface ReplayContext extends Pick<ProjectorContext, "eventLog" | "rendering" | "signal"> {
  /** Receives the last sequence of each chunk that was read, and the bytes of its events. */
  readonly onRead?: (sequence: number, bytes: number) => void;
}

/**
 * Applies the events after a generation's checkpoint to it, in one pass over the log.
 * @param createWriter creates the batch writer; the default one fails on a full disk
 * @returns the number of events read
 * @throws `projection` when a projection fails; `event_log`, `divergence` as the log does; `not_writable` when the generation
 * cannot be written
 */
export const replay = async (
  context: ReplayContext,
  generation: Generation,
  limit: ReplayLimit = {},
  createWriter: (identity: LogIdentity) => BatchWriter = (identity) =>
    createFailFastWriter(generation, { identity, rendering: context.rendering }),
): Promise<number> => {
  const { eventLog } = context;
  // The identity of the checkpoint prevents a replay from continuing with another log of the same name.
  const { sequence, fingerprints, identity } = readCheckpointOrInitial(
    generation,
    await eventLog.identity(),
  );
  const after = await startSequence(eventLog, sequence);
  const writer = createWriter(identity);
  let eventCount = 0;
  for await (const records of readUpTo(context, { after, identity, fingerprints }, limit)) {
    await writer.add(records);
    eventCount += records.length;
    context.onRead?.(records.at(-1)?.sequence ?? 0, sumBytes(records));
  }
  await writer.flush();
  return eventCount;
};

/** Creates a batch writer that fails when a commit fails, because a command does not wait for disk space. */
const createFailFastWriter = (generation: Generation, batchContext: BatchContext): BatchWriter =>
  createBatchWriter(generation, batchContext, async (batch) => {
    mapWriteError(generation, () => generation.store.transaction((stored) => batch.commit(stored)));
    return true;
  });

/** Start of a read, with the identity of the log and the fingerprints of the records before. */
type ReadStart = Pick<Checkpoint, "identity" | "fingerprints"> & { readonly after: number };

/** Reads chunks of the log up to a limit, all of one history (see `readContinuous`). */
export async function* readUpTo(
  { eventLog, signal }: Pick<ReplayContext, "eventLog" | "signal">,
  { after, identity, fingerprints }: ReadStart,
  limit: ReplayLimit,
): AsyncGenerator<readonly LogRecord[]> {
  const isWithin = ({ sequence, time }: LogRecord): boolean =>
    sequence <= (limit.sequence ?? sequence) && time <= (limit.time ?? time);
  if (after >= (limit.sequence ?? Number.POSITIVE_INFINITY)) return;
  const options = { after, follow: false, signal };
  for await (const chunk of readContinuous(eventLog, options, { identity, fingerprints })) {
    const end = chunk.findIndex((record) => !isWithin(record));
    const records = end === -1 ? chunk : chunk.slice(0, end);
    if (records.length > 0) yield records;
    if (end !== -1 || records.at(-1)?.sequence === limit.sequence) return;
  }
}

/**
 * Determines the sequence after which a replay reads. A first replay uses the log's first event, because a log that keeps one
 * event per subject begins late.
 * @throws `divergence` when there is no checkpoint and the log is incomplete
 */
const startSequence = async (eventLog: EventLog, checkpoint: number): Promise<number> =>
  checkpoint > 0 ? checkpoint : (await requireCompleteLog({ eventLog })).first - 1;

/** Reads the bounds of a complete log. @throws `divergence` when a replay of the log would not yield the complete shop */
export const requireCompleteLog = async ({
  eventLog,
}: Pick<ReplayContext, "eventLog">): Promise<LogBounds> => {
  const bounds = await eventLog.bounds();
  if (bounds.isComplete) return bounds;
  throw new VitrineError(
    "divergence",
    `${eventLog.address} begins at sequence ${bounds.first}: its history was trimmed, so it cannot be replayed completely`,
    "have the shop publish its full state into a new log, or restore a backup (vitrine restore); the live generation is unchanged",
  );
};

const sumBytes = (records: readonly LogRecord[]): number =>
  records.reduce((sum, { body }) => sum + body.length, 0);

/** Runs a write, and maps its storage errors. @throws `not_writable` with a hint when LMDB cannot write, as on a full disk */
export const mapWriteError = <T>(
  { store }: { readonly store: { readonly directory: string } },
  change: () => T,
): T => {
  try {
    return change();
  } catch (cause) {
    if (!isDiskError(cause)) throw cause;
    throw new VitrineError(
      "not_writable",
      `${store.directory} cannot be written: ${messageOf(cause)}`,
      "make room on its disk; the live generation is unchanged",
      cause,
    );
  }
};

/**
 * Copies the revocations and discards of a generation to the operator state. Call it before the promotion of that generation,
 * because a live generation may be damaged and lost at any time.
 * @throws `not_writable` when the state cannot be written
 */
export const addOperatorRows = (operator: OperatorState, stored: ReadTables): void =>
  mapWriteError({ store: operator }, () => operator.add([...readModelRows(stored)]));
