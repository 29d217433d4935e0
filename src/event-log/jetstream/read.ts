import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { raceAbort, sleep } from "../../platform/async.ts";
import { assertContinues, assertSameLog, assertSameRecord } from "../continuity.ts";
import type { LogIdentity, LogRecord, ReadOptions } from "../event-log.ts";
import { type Consumer, createConsumer } from "./consumer.ts";
import { isTransient } from "./errors.ts";
import type { Session } from "./session.ts";
import {
  getRecord,
  getStreamState,
  isStreamNotFound,
  type Stream,
  type StreamState,
} from "./stream.ts";

/** Times in milliseconds. */
export interface ReadTiming {
  /** Silence after which the stream's state is requested. */
  readonly idleTimeoutMs: number;
  /** How long a read that does not follow waits for an unavailable broker. */
  readonly unavailableTimeoutMs: number;
}

/** The state of one read: its position, and the observed properties of the log. */
interface ReadState {
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

/**
 * Reads every record, or those of the only subject in the options. A lost consumer is recreated at the current
 * position.
 * @param log receives every loss and every failed attempt
 */
export async function* readConsumer(
  stream: Stream,
  options: ReadOptions,
  timing: ReadTiming,
  log?: Logger,
): AsyncGenerator<readonly LogRecord[]> {
  const state = createReadState(stream, options, timing, log);
  for (let losses = 0; !state.ended.aborted; losses += 1) {
    const consumer = await recreateConsumer(state, losses);
    if (consumer === undefined) return;
    try {
      const start = state.position;
      const isDone = yield* readFrom(state, consumer);
      if (isDone || state.ended.aborted) return;
      if (state.position > start) losses = 0;
      const reason = consumer.failure() || "the stream has records that do not arrive";
      log?.warn({ why: reason, after: state.position }, `${stream.address}: reading again`);
    } finally {
      consumer.close();
    }
  }
}

function createReadState(
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

/**
 * Yields chunks until the consumer is lost or the read is aborted.
 * @returns true when the end was reached
 */
async function* readFrom(
  state: ReadState,
  consumer: Consumer,
): AsyncGenerator<readonly LogRecord[], boolean> {
  while (!isAtEnd(state, consumer)) {
    const records = await consumer.take(state.timing.idleTimeoutMs, state.ended);
    if (records === undefined || state.ended.aborted) return false;
    if (records.length === 0) {
      if (!(await isIdle(state)) && !consumer.hasBufferedRecords()) return false;
      continue;
    }
    if (!(await isContiguous(state, records))) return false;
    const chunk = records.filter((record) => record.sequence <= getEnd(state));
    state.latest = records.at(-1);
    state.position = state.latest?.sequence ?? state.position;
    if (chunk.length > 0) yield chunk;
    if (state.ended.aborted) return false;
  }
  return true;
}

const getEnd = ({ options, end }: ReadState): number =>
  options.follow || end === undefined ? Number.POSITIVE_INFINITY : end;

const isAtEnd = (state: ReadState, consumer: Consumer): boolean =>
  !state.options.follow && (state.position >= getEnd(state) || consumer.isExhausted());

/** Returns true when a silent stream has no new record. A stream whose state cannot be read counts as having one. */
async function isIdle(state: ReadState): Promise<boolean> {
  const streamState = await tryAssertContinuity(state);
  if (streamState === undefined) return false;
  state.lastIdleEnd = streamState.bounds.last;
  return state.lastIdleEnd <= Math.max(state.position, state.confirmedEmptyUpTo);
}

/** A consumer of nats-server 2.9 accepts one filter. */
const getFilter = ({ options: { subjects } }: ReadState): string | undefined =>
  subjects?.length === 1 ? subjects[0] : undefined;

/**
 * Checks the sequences of a chunk. Holes are legal where events were deleted or filtered; a stream that now begins
 * after a hole was trimmed before it was read.
 */
async function isContiguous(state: ReadState, records: readonly LogRecord[]): Promise<boolean> {
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
async function assertContinuity(state: ReadState): Promise<StreamState> {
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

/**
 * Creates a consumer at the current position, after proof that the stream continues it.
 * @returns undefined when the read was aborted
 */
async function recreateConsumer(state: ReadState, losses: number): Promise<Consumer | undefined> {
  const { stream, ended, timing, options, log } = state;
  const start = performance.now();
  for (let attempt = losses; ; attempt += 1) {
    await sleep(backoffMs(attempt), ended);
    const remainingMs = start + timing.unavailableTimeoutMs - performance.now();
    const link = await stream.broker.waitForSession(
      ended,
      options.follow ? undefined : Math.max(remainingMs, 0),
    );
    if (ended.aborted) return undefined;
    try {
      if (link === undefined) throw stream.broker.unavailableReason();
      return await raceAbort(createConsumerAt(state, link), ended);
    } catch (thrown) {
      if (ended.aborted) return undefined;
      if (!isRetryable(thrown, options.follow) || (!options.follow && remainingMs <= 0))
        throw thrown;
      log?.warn({ err: thrown }, `${stream.address}: cannot be read yet`);
    }
  }
}

/**
 * Backoff in ms: 0 for the first two attempts, then exponential up to 1 s, so that events after a reconnect are
 * applied within 2 s (`deploy/promises.md`, 10). A quiet log never resets the counter.
 */
const backoffMs = (attempt: number): number =>
  attempt < 2 ? 0 : Math.min(1000, 50 * 2 ** attempt);

/** A deleted stream may return, and a follower then verifies that it is the same. */
const isRetryable = (thrown: unknown, follow: boolean): boolean =>
  isTransient(thrown) || (follow && isStreamNotFound(thrown));

/**
 * Creates a consumer, then inspects the stream. A consumer belongs to one stream only, so a stream that has the
 * expected identity now had it when the consumer was created.
 */
async function createConsumerAt(state: ReadState, link: Session): Promise<Consumer> {
  const { stream, position } = state;
  const consumer = await createConsumer(stream, link, position, getFilter(state));
  try {
    const streamState = await assertContinuity(state);
    const reached = Math.min(streamState.bounds.last, consumer.startedAfter);
    assertContinues(stream.address, { ...streamState.bounds, last: reached }, position, true);
    if (state.latest)
      assertSameRecord(stream.address, await getRecord(stream, position), state.latest);
    state.identity = streamState.identity;
    state.end ??= streamState.bounds.last;
    state.hasHoles = streamState.hasHoles;
    if (consumer.isExhausted()) state.confirmedEmptyUpTo = state.lastIdleEnd;
    if (state.ended.aborted) consumer.close();
    return consumer;
  } catch (thrown) {
    consumer.close();
    throw thrown;
  }
}
