import { VitrineError } from "../../errors.ts";
import type { LogIdentity, LogRecord } from "../../event-log/event-log.ts";
import type { ProjectorContext } from "../context.ts";
import type { ContinuityWatch } from "../continuity/continuity-watch.ts";
import { readContinuous } from "../continuity/read-continuous.ts";
import { type Generation, readCheckpointOrInitial } from "../open-generation.ts";
import { batchLimits } from "./batch.ts";
import { createRetryingBatchWriter } from "./batch-writer.ts";

export const isProjectionError = (error: unknown): boolean =>
  error instanceof VitrineError && error.code === "projection";

/**
 * Commits the events after the checkpoint up to the one whose projection fails. It halves the batch until that event is
 * alone, because rendering and derived rows fail only when a batch is written, and may name no event.
 * @returns true when the checkpoint advanced and nothing failed, because another batch failed before
 * @throws `projection` of the event that fails alone; `event_log` and `divergence` from reading the log
 */
export const commitUpToFault = async (
  context: ProjectorContext,
  generation: Generation,
  identity: LogIdentity,
  watch: ContinuityWatch,
): Promise<boolean> => {
  const checkpoint = (): number => {
    generation.store.refresh();
    return readCheckpointOrInitial(generation, identity).sequence;
  };
  const start = checkpoint();
  const records = await readBatch(context, generation, identity, watch.signal);
  const writerContext = { ...context, signal: watch.signal };
  const writer = createRetryingBatchWriter(writerContext, generation, identity);
  let rest = records;
  for (let maxEvents = rest.length; rest.length > 0; ) {
    await watch.whenIdle();
    if (watch.signal.aborted) return false;
    try {
      await writer.add(rest.slice(0, maxEvents));
      await writer.flush();
    } catch (error) {
      if (!isProjectionError(error) || maxEvents === 1) throw error;
      maxEvents = Math.ceil(maxEvents / 2);
    }
    const reached = checkpoint();
    rest = rest.filter(({ sequence }) => sequence > reached);
  }
  return checkpoint() > start;
};

const readBatch = async (
  { eventLog }: ProjectorContext,
  generation: Generation,
  identity: LogIdentity,
  signal: AbortSignal,
): Promise<readonly LogRecord[]> => {
  const { sequence: after, fingerprints } = readCheckpointOrInitial(generation, identity);
  const options = { after, allowLateStart: after === 0, follow: false, signal };
  const chunks: (readonly LogRecord[])[] = [];
  let [events, bytes] = [0, 0];
  for await (const chunk of readContinuous(eventLog, options, { identity, fingerprints })) {
    chunks.push(chunk);
    events += chunk.length;
    for (const { body } of chunk) bytes += body.length;
    if (events >= batchLimits.events || bytes >= batchLimits.bytes) break;
  }
  return chunks.flat();
};
