import { chunkLimit } from "../chunks.ts";
import type { LogRecord } from "../event-log.ts";

/** Records that were pushed and wait to be taken in chunks. */
export interface Arrivals {
  /** @param more whether others are known to be on their way: a chunk then waits for them, a moment */
  push(record: LogRecord, more: boolean): void;
  /**
   * The next chunk, waiting `idle` milliseconds for its first record: empty when none came or `signal`
   * aborted, undefined when none will come any more.
   */
  take(idle: number, signal: AbortSignal): Promise<readonly LogRecord[] | undefined>;
  /** Nothing will come any more; what is here can still be taken. */
  end(): void;
  isEmpty(): boolean;
  /** True when there is more than a chunk: enough to stop asking for a while. */
  isPlenty(): boolean;
}

/** Milliseconds a chunk waits for records known to come. */
const linger = 20;

interface Queue {
  readonly records: LogRecord[];
  bytes: number;
  more: boolean;
  ended: boolean;
  /** Looks again whether what `take` waits for has come. */
  stir: () => void;
}

export function newArrivals(): Arrivals {
  const queue: Queue = { records: [], bytes: 0, more: true, ended: false, stir: () => {} };
  return {
    push: (record, more) => {
      queue.records.push(record);
      queue.bytes += record.body.length;
      queue.more = more;
      queue.stir();
    },
    take: async (idle, signal) => {
      await until(queue, () => queue.ended || queue.records.length > 0, idle, signal);
      if (queue.records.length > 0) await until(queue, () => isChunk(queue), linger, signal);
      return queue.ended && queue.records.length === 0 ? undefined : cut(queue);
    },
    end: () => {
      queue.ended = true;
      queue.stir();
    },
    isEmpty: () => queue.records.length === 0,
    isPlenty: () => isPlenty(queue),
  };
}

const isChunk = (queue: Queue): boolean => queue.ended || !queue.more || isPlenty(queue);

const isPlenty = ({ records, bytes }: Queue): boolean =>
  records.length >= chunkLimit.count || bytes >= chunkLimit.bytes;

async function until(
  queue: Queue,
  isSo: () => boolean,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  if (isSo() || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      queue.stir = () => {};
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    queue.stir = () => isSo() && done();
  });
}

function cut(queue: Queue): readonly LogRecord[] {
  let count = 0;
  let bytes = 0;
  for (const { body } of queue.records) {
    const isOver = count === chunkLimit.count || bytes + body.length > chunkLimit.bytes;
    if (isOver && count > 0) break;
    bytes += body.length;
    count += 1;
  }
  queue.bytes -= bytes;
  return queue.records.splice(0, count);
}
