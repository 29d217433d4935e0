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
 * Commits the events behind the checkpoint up to the one whose projection fails, by halving the batch until that event
 * stands alone: rendering and derived rows fail only when a batch is written, and may name no event.
 * @returns whether the checkpoint moved and nothing failed: the batch that failed was another one
 * @throws `projection` of the event that fails alone; as a reading of the log does
 */
export const commitUpToFault = async (
  world: ProjectorWorld,
  generation: Generation,
  identity: LogIdentity,
  watch: Watch,
): Promise<boolean> => {
  const checkpoint = (): number => {
    generation.store.refresh();
    return checkpointOf(generation, identity).sequence;
  };
  const start = checkpoint();
  const records = await readBatch(world, generation, identity, watch.signal);
  const pump = openPump({ ...world, signal: watch.signal }, generation, {
    identity,
    rendering: world.rendering,
  });
  let left = records;
  for (let most = left.length; left.length > 0; ) {
    await watch.settled();
    if (watch.signal.aborted) return false;
    try {
      await pump.take(left.slice(0, most));
      await pump.settle();
    } catch (error) {
      if (!isOfProjection(error) || most === 1) throw error;
      most = Math.ceil(most / 2);
    }
    const reached = checkpoint();
    left = left.filter(({ sequence }) => sequence > reached);
  }
  return checkpoint() > start;
};

/** The records behind the checkpoint, as many as one batch holds. */
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
