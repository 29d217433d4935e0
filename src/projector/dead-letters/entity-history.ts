import type { EventLog, LogRecord } from "../../event-log/event-log.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { readContinuous } from "../continuity/read-continuous.ts";

/**
 * Reads the records of some subjects up to a checkpoint, in log order, merged with dead letters.
 * Every dead letter given is included, also one of another subject and one that the log no longer holds.
 * @param deadLetters by sequence
 */
export async function* readEntityHistory(
  eventLog: EventLog,
  checkpoint: Checkpoint,
  subjects: readonly string[],
  deadLetters: ReadonlyMap<number, LogRecord>,
): AsyncGenerator<LogRecord> {
  if (subjects.length === 0) return;
  const { sequence: end } = checkpoint;
  const pending = [...deadLetters.values()].sort((a, b) => a.sequence - b.sequence);
  const takeBefore = (sequence: number): readonly LogRecord[] => {
    const end = pending.findIndex((deadLetter) => deadLetter.sequence >= sequence);
    return pending.splice(0, end === -1 ? pending.length : end);
  };
  const after = Math.max(0, (await eventLog.bounds()).first - 1);
  const options = { after, allowLateStart: true, follow: false, subjects };
  for await (const chunk of readContinuous(eventLog, options, checkpoint)) {
    for (const record of chunk.filter(({ sequence }) => sequence <= end)) {
      yield* takeBefore(record.sequence);
      if (!deadLetters.has(record.sequence)) yield record;
    }
    if ((chunk.at(-1)?.sequence ?? 0) >= end) break;
  }
  yield* pending;
}
