import { VitrineError } from "../../errors.ts";
import { raceAbort } from "../../platform/async.ts";
import type { LogRecord, ReadOptions } from "../event-log.ts";
import { assertReadableAfter } from "../read-position.ts";
import { getStreamState, type Stream, type StreamState } from "./stream.ts";

/** The state of one read: its position, and the observed properties of the stream. */
export interface ReadState {
  readonly stream: Stream;
  readonly options: ReadOptions;
  readonly ended: AbortSignal;
  position: number;
  /** The chunk that ends at `position`; empty before the first. */
  latest: readonly LogRecord[];
  /** Last sequence to read; undefined until the stream's state was read. */
  end: number | undefined;
  hasHoles: boolean;
  /** The stream's last sequence at the last silence, and the sequence up to which it has no further record. */
  lastIdleEnd: number;
  confirmedEmptyUpTo: number;
}

export function createReadState(stream: Stream, options: ReadOptions): ReadState {
  const { closing } = stream.broker;
  return {
    stream,
    options,
    ended: options.signal ? AbortSignal.any([options.signal, closing]) : closing,
    position: options.after,
    latest: [],
    end: undefined,
    hasHoles: false,
    lastIdleEnd: 0,
    confirmedEmptyUpTo: 0,
  };
}

/** Last sequence that the read returns. */
export const getEnd = ({ options, end }: ReadState): number =>
  options.follow || end === undefined ? Number.POSITIVE_INFINITY : end;

/** Returns true when a silent stream has no new record. A stream whose state cannot be read counts as having one. */
export async function isIdle(state: ReadState): Promise<boolean> {
  const streamState = await tryInspect(state);
  if (streamState === undefined) return false;
  state.lastIdleEnd = streamState.bounds.last;
  return state.lastIdleEnd <= Math.max(state.position, state.confirmedEmptyUpTo);
}

/**
 * Checks the sequences of a chunk. Holes are legal where events were deleted or filtered; a stream that now begins
 * after a hole was trimmed before it was read.
 */
export async function isContiguous(
  state: ReadState,
  records: readonly LogRecord[],
): Promise<boolean> {
  if (mayStartLate(state)) state.position = (records[0]?.sequence ?? 1) - 1;
  const last = records.at(-1)?.sequence ?? 0;
  if (state.hasHoles || last === state.position + records.length) return true;
  return (await tryInspect(state)) !== undefined;
}

/** @returns undefined when the stream's state cannot be read, or the read was aborted */
const tryInspect = (state: ReadState): Promise<StreamState | undefined> =>
  raceAbort(inspectStream(state, false).catch(ignoreUnavailable), state.ended);

/** Returns true before the first record of a first read: the log may then begin at any sequence. */
const mayStartLate = ({ options, latest }: ReadState): boolean =>
  options.allowLateStart === true && latest.length === 0;

/**
 * Reads the stream's state, has the reader verify it, and asserts that the stream has the next position.
 * @param isResumed whether a consumer was created since the last inspection
 * @throws the error of the verification; `divergence` when the position was trimmed or rolled back
 */
export async function inspectStream(state: ReadState, isResumed: boolean): Promise<StreamState> {
  const { stream, options, latest } = state;
  const streamState = await getStreamState(stream);
  await options.verify?.({ identity: streamState.identity, isResumed, latest });
  if (mayStartLate(state)) {
    state.position = Math.max(state.position, streamState.bounds.first - 1);
  }
  assertReadableAfter(stream.address, streamState.bounds, state.position, streamState.hasHoles);
  return streamState;
}

/**
 * Ignores that the stream's state cannot be read.
 * @throws every other error, such as `divergence`, or a bug
 */
function ignoreUnavailable(thrown: unknown): undefined {
  if (!(thrown instanceof VitrineError && thrown.code === "event_log")) throw thrown;
}
