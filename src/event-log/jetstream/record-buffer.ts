import { chunkLimit, splitIntoChunks } from "../chunks.ts";
import type { LogRecord } from "../event-log.ts";

/** Buffers pushed records until they are taken in chunks. */
export interface RecordBuffer {
  /** @param moreExpected whether further records are on their way: a chunk then waits for them for `batchDelayMs` */
  push(record: LogRecord, moreExpected: boolean): void;
  /**
   * Takes the next chunk, and waits up to `idleMs` for its first record.
   * @returns an empty chunk when no record came or `signal` aborted; undefined after the end
   */
  take(idleMs: number, signal: AbortSignal): Promise<readonly LogRecord[] | undefined>;
  /** Ends the buffer and drops its records. */
  end(): void;
  isEmpty(): boolean;
  /** True when the buffer has at least a chunk: no more records need to be requested. */
  isFull(): boolean;
}

/** Time that a chunk waits for expected records. */
const batchDelayMs = 20;

interface BufferState {
  readonly records: LogRecord[];
  bytes: number;
  moreExpected: boolean;
  hasEnded: boolean;
  /** Evaluates the condition of a waiting `take` again. */
  wake: () => void;
}

export function createRecordBuffer(): RecordBuffer {
  const state: BufferState = {
    records: [],
    bytes: 0,
    moreExpected: true,
    hasEnded: false,
    wake: () => {},
  };
  return {
    push: (record, moreExpected) => {
      state.records.push(record);
      state.bytes += record.body.length;
      state.moreExpected = moreExpected;
      state.wake();
    },
    take: async (idleMs, signal) => {
      await waitUntil(state, () => state.hasEnded || state.records.length > 0, idleMs, signal);
      if (state.records.length > 0)
        await waitUntil(state, () => isChunkReady(state), batchDelayMs, signal);
      return state.hasEnded ? undefined : takeChunk(state);
    },
    end: () => {
      state.hasEnded = true;
      state.records.length = 0;
      state.wake();
    },
    isEmpty: () => state.records.length === 0,
    isFull: () => isFull(state),
  };
}

const isChunkReady = (state: BufferState): boolean =>
  state.hasEnded || !state.moreExpected || isFull(state);

const isFull = ({ records, bytes }: BufferState): boolean =>
  records.length >= chunkLimit.count || bytes >= chunkLimit.bytes;

async function waitUntil(
  state: BufferState,
  condition: () => boolean,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  if (condition() || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      state.wake = () => {};
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    state.wake = () => condition() && done();
  });
}

function takeChunk(state: BufferState): readonly LogRecord[] {
  const [chunk = []] = splitIntoChunks(state.records, chunkLimit);
  state.bytes -= chunk.reduce((sum, { body }) => sum + body.length, 0);
  return state.records.splice(0, chunk.length);
}
