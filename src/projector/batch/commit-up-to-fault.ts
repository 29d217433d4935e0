import { VitrineError } from "../../errors.ts";
import type { LogIdentity, LogRecord } from "../../event-log/event-log.ts";
import type { ProjectorWorld } from "../context.ts";
import type { Watch } from "../log-monitor.ts";
import { checkpointOf, type Generation } from "../open-generation.ts";
import { readUnbroken } from "../read-continuous.ts";
import { fullBatch } from "./batch.ts";
import { openPump } from "./batch-writer.ts";

export const isOfProjection = (error: unknown): boolean =>
  error instanceof VitrineError && error.code === "projection";

/**
 * Commits the events after the checkpoint up to the one whose projection fails. It halves the batch until that event is
 * alone, because rendering and derived rows fail only when a batch is written, and may name no event.
 * @returns true when the checkpoint advanced and nothing failed, because another batch failed before
 * @throws `projection` of the event that fails alone; `event_log` and `divergence` from reading the log
 */
export const commitUpToFault = async (
  context: ProjectorWorld,
  generation: Generation,
  identity: LogIdentity,
  monitor: Watch,
): Promise<boolean> => {
  const checkpoint = (): number => {
    generation.store.refresh();
    return checkpointOf(generation, identity).sequence;
  };
  const start = checkpoint();
  const records = await readBatch(context, generation, identity, monitor.signal);
  const writer = openPump({ ...context, signal: monitor.signal }, generation, {
    identity,
    rendering: context.rendering,
  });
  let rest = records;
  for (let maxEvents = rest.length; rest.length > 0; ) {
    await monitor.settled();
    if (monitor.signal.aborted) return false;
    try {
      await writer.take(rest.slice(0, maxEvents));
      await writer.settle();
    } catch (error) {
      if (!isOfProjection(error) || maxEvents === 1) throw error;
      maxEvents = Math.ceil(maxEvents / 2);
    }
    const reached = checkpoint();
    rest = rest.filter(({ sequence }) => sequence > reached);
  }
  return checkpoint() > start;
};

/** Reads the records after the checkpoint, up to the size of one batch. */
const readBatch = async (
  { eventLog }: ProjectorWorld,
  generation: Generation,
  identity: LogIdentity,
  signal: AbortSignal,
): Promise<readonly LogRecord[]> => {
  const { sequence: after, fingerprints } = checkpointOf(generation, identity);
  const options = { after, isFirst: after === 0, follow: false, identity, signal };
  const chunks: (readonly LogRecord[])[] = [];
  let [events, bytes] = [0, 0];
  for await (const chunk of readUnbroken(eventLog, options, fingerprints)) {
    chunks.push(chunk);
    events += chunk.length;
    for (const { body } of chunk) bytes += body.length;
    if (events >= fullBatch.events || bytes >= fullBatch.bytes) break;
  }
  return chunks.flat();
};
