import type { EventLog, LogRecord } from "../../event-log/event-log.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { readingOf } from "../fingerprints.ts";

/**
 * What the log still holds of some subjects up to a checkpoint, in its order, with dead letters at their places,
 * whatever their own subject and whether the log holds them or not.
 * @param letters by sequence
 */
export async function* historyOf(
  eventLog: EventLog,
  checkpoint: Checkpoint,
  subjects: readonly string[],
  letters: ReadonlyMap<number, LogRecord>,
): AsyncGenerator<LogRecord> {
  if (subjects.length === 0) return;
  const { sequence: end } = checkpoint;
  const waiting = [...letters.values()].sort((a, b) => a.sequence - b.sequence);
  const after = Math.max(0, (await eventLog.bounds()).first - 1);
  const known = readingOf(checkpoint, eventLog);
  const options = { ...known, after, isFirst: true, follow: false, subjects };
  for await (const chunk of eventLog.read(options)) {
    for (const record of chunk) {
      if (record.sequence > end) break;
      for (let next = waiting[0]; next && next.sequence < record.sequence; next = waiting[0]) {
        waiting.shift();
        yield next;
      }
      if (!letters.has(record.sequence)) yield record;
    }
    if ((chunk.at(-1)?.sequence ?? 0) >= end) break;
  }
  yield* waiting;
}
