import { messageOf, VitrineError } from "../../errors.ts";
import type { EventLog, LogBounds, LogRecord } from "../../event-log/event-log.ts";
import { isOfDisk } from "../../lmdb/error-codes.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import type { ApplyWorld } from "../batch/batch.ts";
import { type Pump, pumpInto } from "../batch/batch-writer.ts";
import type { ProjectorWorld } from "../context.ts";
import { checkpointOf, type Generation } from "../open-generation.ts";
import { readUnbroken } from "../read-continuous.ts";

/** Where a replay ends: behind the last event that is within. Without either, at the end of the log as it is now. */
export interface Limit {
  /** Log sequence. */
  readonly sequence?: number;
  /** The log's own time of an event, in milliseconds since 1970. */
  readonly time?: number;
}

/** What a replay needs of the world. */
export interface ReplayWorld extends Pick<ProjectorWorld, "eventLog" | "rendering" | "signal"> {
  /** Told of each batch that was read: its last sequence, and the bytes of its events. */
  readonly onRead?: (sequence: number, bytes: number) => void;
}

/**
 * Folds what the log holds after a generation's checkpoint into it, once through.
 * @param open how it is folded, where what cannot be written shall not end it
 * @returns how many events there were to read
 * @throws `projection` when a projection fails; `event_log`, `divergence` as the log does; `not_writable` when the
 * generation cannot be written
 */
export const replay = async (
  world: ReplayWorld,
  generation: Generation,
  limit: Limit = {},
  open: (apply: ApplyWorld) => Pump = (apply) => pumpOnce(generation, apply),
): Promise<number> => {
  const { eventLog, rendering } = world;
  // What was begun with one log is not gone on with by another of its name.
  const { sequence, fingerprints, identity } = checkpointOf(generation, await eventLog.identity());
  const after = await startOf(eventLog, sequence);
  const pump = open({ identity, rendering });
  let read = 0;
  for await (const records of readWithin(world, { after, identity, fingerprints }, limit)) {
    await pump.take(records);
    read += records.length;
    world.onRead?.(records.at(-1)?.sequence ?? 0, bytesOf(records));
  }
  await pump.settle();
  return read;
};

/** What cannot be written ends the replay: a command does not wait for room. */
const pumpOnce = (generation: Generation, apply: ApplyWorld): Pump =>
  pumpInto(generation, apply, async (folding) => {
    write(generation, () => generation.store.transaction((stored) => folding.write(stored)));
    return true;
  });

/** Where to read on, and what is known of the events before. */
type From = Pick<Checkpoint, "identity" | "fingerprints"> & { readonly after: number };

/** Chunks of the log up to a limit, all of one history (`readUnbroken`). */
export async function* readWithin(
  { eventLog, signal }: Pick<ReplayWorld, "eventLog" | "signal">,
  { after, identity, fingerprints }: From,
  limit: Limit,
): AsyncGenerator<readonly LogRecord[]> {
  const isWithin = ({ sequence, time }: LogRecord): boolean =>
    sequence <= (limit.sequence ?? sequence) && time <= (limit.time ?? time);
  if (after >= (limit.sequence ?? Number.POSITIVE_INFINITY)) return;
  const options = { after, identity, follow: false, signal };
  for await (const chunk of readUnbroken(eventLog, options, fingerprints)) {
    const end = chunk.findIndex((record) => !isWithin(record));
    const records = end === -1 ? chunk : chunk.slice(0, end);
    if (records.length > 0) yield records;
    if (end !== -1 || records.at(-1)?.sequence === limit.sequence) return;
  }
}

/**
 * Where to begin after a checkpoint: a log that keeps one event of each subject begins late.
 * @throws `divergence` when there is none, and the log does not hold the whole shop any more
 */
export const startOf = async (eventLog: EventLog, checkpoint: number): Promise<number> =>
  checkpoint > 0 ? checkpoint : (await wholeBounds({ eventLog })).first - 1;

/** @throws `divergence` when the log does not hold the whole shop any more */
export const wholeBounds = async ({
  eventLog,
}: Pick<ReplayWorld, "eventLog">): Promise<LogBounds> => {
  const bounds = await eventLog.bounds();
  if (bounds.whole) return bounds;
  throw new VitrineError(
    "divergence",
    `${eventLog.address} begins at sequence ${bounds.first}: its history was trimmed, so it cannot be replayed whole`,
    "have the shop publish its full state into a log made anew, or restore a backup (vitrine restore); the live generation is as it was",
  );
};

export const bytesOf = (records: readonly LogRecord[]): number =>
  records.reduce((sum, { body }) => sum + body.length, 0);

/** @throws `not_writable` with the way out when it cannot be written, as for want of room */
export const write = <T>(
  { store }: { readonly store: { readonly directory: string } },
  change: () => T,
): T => {
  try {
    return change();
  } catch (cause) {
    if (!isOfDisk(cause)) throw cause;
    throw new VitrineError(
      "not_writable",
      `${store.directory} cannot be written: ${messageOf(cause)}`,
      "make room on its disk; the live generation is as it was",
      cause,
    );
  }
};
