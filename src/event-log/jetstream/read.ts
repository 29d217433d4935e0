import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { pause, unlessAborted } from "../../platform/async.ts";
import { mustBeSame, mustContinue, mustHold } from "../continuity.ts";
import type { LogIdentity, LogRecord, ReadOptions } from "../event-log.ts";
import { type Consumer, createConsumer } from "./consumer.ts";
import { isPassing } from "./errors.ts";
import type { Link } from "./session.ts";
import { isUnknownStream, messageAt, type Stream, type StreamState, stateOf } from "./stream.ts";

/** Milliseconds. */
export interface ReadTiming {
  /** Silence after which the stream is asked whether it is one. */
  readonly silence: number;
  /** How long a reading that does not follow bears with a broker that is away. */
  readonly patience: number;
}

/** A reading on its way: where it stands, and what it has seen of the log so far. */
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
  /** Where to end; undefined until the stream said so. */
  end: number | undefined;
  hasHoles: boolean;
  /** The stream's last sequence when it was last found silent, and the one up to which it holds nothing more. */
  lastIdleEnd: number;
  confirmedEmptyUpTo: number;
}

/**
 * Every record, or those of one subject when the options name one alone. A consumer that is lost, for whatever
 * reason, is made again from our own position.
 * @param log told of every loss and of every failed attempt
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
      const reason = consumer.why() || "records are there and do not come";
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

/** Chunks until the consumer is lost or the reading is ended. Returns true when the end was reached. */
async function* readFrom(
  state: ReadState,
  consumer: Consumer,
): AsyncGenerator<readonly LogRecord[], boolean> {
  while (!isAtEnd(state, consumer)) {
    const records = await consumer.take(state.timing.silence, state.ended);
    if (records === undefined || state.ended.aborted) return false;
    if (records.length === 0) {
      if (!(await isIdle(state)) && !consumer.hasArrivals()) return false;
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
  !state.options.follow && (state.position >= getEnd(state) || consumer.isDrained());

/** Whether a silent stream has nothing new to tell. A stream that cannot be asked counts as one that has. */
async function isIdle(state: ReadState): Promise<boolean> {
  const streamState = await tryAssertContinuity(state);
  if (streamState === undefined) return false;
  state.lastIdleEnd = streamState.bounds.last;
  return state.lastIdleEnd <= Math.max(state.position, state.confirmedEmptyUpTo);
}

/** A consumer of this server's age takes one filter. */
const getFilter = ({ options: { subjects } }: ReadState): string | undefined =>
  subjects?.length === 1 ? subjects[0] : undefined;

/** Holes are legal where events were deleted or are of no interest; where the stream now begins after one, it was trimmed unread. */
async function isContiguous(state: ReadState, records: readonly LogRecord[]): Promise<boolean> {
  if (mayStartLate(state)) state.position = (records[0]?.sequence ?? 1) - 1;
  const last = records.at(-1)?.sequence ?? 0;
  if (state.hasHoles || last === state.position + records.length) return true;
  return (await tryAssertContinuity(state)) !== undefined;
}

/** As `inspect`; undefined when the stream cannot be asked, or the reading was ended meanwhile. */
const tryAssertContinuity = (state: ReadState): Promise<StreamState | undefined> =>
  unlessAborted(assertContinuity(state).catch(ignoreUnavailable), state.ended);

/** Whether nothing was read yet, by nobody: wherever the log begins by now is its beginning. */
const mayStartLate = ({ options, latest }: ReadState): boolean =>
  options.isFirst === true && !latest;

/** @throws VitrineError divergence when the stream is not the one that was read, or cannot continue it */
async function assertContinuity(state: ReadState): Promise<StreamState> {
  const { stream } = state;
  const streamState = await stateOf(stream);
  await assertSameStream(state, streamState.identity);
  if (mayStartLate(state)) {
    state.position = Math.max(state.position, streamState.bounds.first - 1);
  }
  const { position } = state;
  mustContinue(stream.address, streamState.bounds, position, streamState.hasHoles);
  return streamState;
}

/** A stream that says another time of its creation may be the same that was edited: who reads it may tell by what it holds. */
async function assertSameStream(state: ReadState, current: LogIdentity): Promise<void> {
  const { stream, identity, options, log } = state;
  const isEdited = current.name === identity?.name && current.created !== identity.created;
  if (isEdited && (await options.isSame?.())) {
    log?.warn({ created: current.created }, `${stream.address}: created otherwise, and the same`);
    state.identity = current;
  } else {
    mustBeSame(stream.address, current, identity);
  }
}

/** Ignores that the stream cannot be asked. @throws everything else, such as `divergence`, or a bug */
function ignoreUnavailable(thrown: unknown): undefined {
  if (!(thrown instanceof VitrineError && thrown.code === "event_log")) throw thrown;
}

/** A consumer at our position, on a stream proven to continue it; undefined when the reading was ended. */
async function recreateConsumer(state: ReadState, losses: number): Promise<Consumer | undefined> {
  const { stream, ended, timing, options, log } = state;
  const start = performance.now();
  for (let attempt = losses; ; attempt += 1) {
    await pause(backoffMs(attempt), ended);
    const remainingMs = start + timing.patience - performance.now();
    const link = await stream.broker.link(
      ended,
      options.follow ? undefined : Math.max(remainingMs, 0),
    );
    if (ended.aborted) return undefined;
    try {
      if (link === undefined) throw stream.broker.away();
      return await unlessAborted(createConsumerAt(state, link), ended);
    } catch (thrown) {
      if (ended.aborted) return undefined;
      if (!isRetryable(thrown, options.follow) || (!options.follow && remainingMs <= 0))
        throw thrown;
      log?.warn({ err: thrown }, `${stream.address}: cannot be read yet`);
    }
  }
}

/**
 * Milliseconds: nothing before a first attempt and a first repeat, then more and more. Never so long that what was told
 * after a connection came back is not applied within two seconds (`deploy/promises.md`, 10): a quiet log counts every
 * break, however long ago.
 */
const backoffMs = (attempt: number): number =>
  attempt < 2 ? 0 : Math.min(1000, 50 * 2 ** attempt);

/** A stream that is gone may come back, and a follower then sees whether it is the same. */
const isRetryable = (thrown: unknown, follow: boolean): boolean =>
  isPassing(thrown) || (follow && isUnknownStream(thrown));

/**
 * The stream is inspected after the consumer was made: a consumer belongs to one stream only, so when
 * that one still has its identity now, it had it then.
 */
async function createConsumerAt(state: ReadState, link: Link): Promise<Consumer> {
  const { stream, position } = state;
  const consumer = await createConsumer(stream, link, position, getFilter(state));
  try {
    const streamState = await assertContinuity(state);
    const reached = Math.min(streamState.bounds.last, consumer.startedAfter);
    mustContinue(stream.address, { ...streamState.bounds, last: reached }, position, true);
    if (state.latest) mustHold(stream.address, await messageAt(stream, position), state.latest);
    state.identity = streamState.identity;
    state.end ??= streamState.bounds.last;
    state.hasHoles = streamState.hasHoles;
    if (consumer.isDrained()) state.confirmedEmptyUpTo = state.lastIdleEnd;
    if (state.ended.aborted) consumer.close();
    return consumer;
  } catch (thrown) {
    consumer.close();
    throw thrown;
  }
}
