import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { raceAbort } from "../../platform/async.ts";
import { assertContinues, assertSameLog } from "../continuity.ts";
import type { LogIdentity, LogRecord, ReadOptions } from "../event-log.ts";
import { getStreamState, type Stream, type StreamState } from "./stream.ts";

/** Times in milliseconds. */
export interface ReadTiming {
  /** Silence after which the stream's state is requested. */
  readonly idleTimeoutMs: number;
  /** How long a read that does not follow waits for an unavailable broker. */
  readonly unavailableTimeoutMs: number;
}

/** The state of one read: its position, and the observed properties of the log. */
export interface ReadState {
  readonly stream: Stream;
  readonly options: ReadOptions;
  readonly timing: ReadTiming;
  readonly log: Logger | undefined;
  readonly ended: AbortSignal;
  position: number;
  /** The record at `position`, once there was one. */
  latest: LogRecord | undefined;
  identity: LogIdentity | undefined;
  /** Last sequence to read; undefined until the stream's state was read. */
  end: number | undefined;
  hasHoles: boolean;
  /** The stream's last sequence at the last silence, and the sequence up to which it has no further record. */
  lastIdleEnd: number;
  confirmedEmptyUpTo: number;
}

/** Creates the state of a read that has read nothing. */
export function createReadState(
  stream: Stream,
  options: ReadOptions,
  timing: ReadTiming,
  log: Logger | undefined,
): ReadState {
  const { closing } = stream.broker;
  return {
    stream,
    options,
    timing,
    log,
    ended: options.signal ? AbortSignal.any([options.signal, closing]) : closing,
    position: options.after,
    latest: undefined,
    identity: options.identity,
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
  const streamState = await tryAssertContinuity(state);
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
  return (await tryAssertContinuity(state)) !== undefined;
}

/**
 * Asserts continuity.
 * @returns undefined when the stream's state cannot be read, or the read was aborted
 */
const tryAssertContinuity = (state: ReadState): Promise<StreamState | undefined> =>
  raceAbort(assertContinuity(state).catch(ignoreUnavailable), state.ended);

/** Returns true before the first record of a first read: the log may then begin at any sequence. */
const mayStartLate = ({ options, latest }: ReadState): boolean =>
  options.allowLateStart === true && !latest;

/**
 * Asserts that the stream is the one that was read and continues it.
 * @throws VitrineError divergence
 */
export async function assertContinuity(state: ReadState): Promise<StreamState> {
  const { stream } = state;
  const streamState = await getStreamState(stream);
  await assertSameStream(state, streamState.identity);
  if (mayStartLate(state)) {
    state.position = Math.max(state.position, streamState.bounds.first - 1);
  }
  const { position } = state;
  assertContinues(stream.address, streamState.bounds, position, streamState.hasHoles);
  return streamState;
}

/**
 * Asserts the identity of the stream. An edited stream has another creation time; the caller can decide by its
 * records that it is the same one.
 */
async function assertSameStream(state: ReadState, current: LogIdentity): Promise<void> {
  const { stream, identity, options, log } = state;
  const isEdited = current.name === identity?.name && current.created !== identity.created;
  if (isEdited && (await options.isSame?.())) {
    log?.warn(
      { created: current.created },
      `${stream.address}: its creation time changed, its records did not`,
    );
    state.identity = current;
  } else {
    assertSameLog(stream.address, current, identity);
  }
}

/**
 * Ignores that the stream's state cannot be read.
 * @throws every other error, such as `divergence`, or a bug
 */
function ignoreUnavailable(thrown: unknown): undefined {
  if (!(thrown instanceof VitrineError && thrown.code === "event_log")) throw thrown;
}
