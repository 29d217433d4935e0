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
interface Reading {
  readonly stream: Stream;
  readonly options: ReadOptions;
  readonly timing: ReadTiming;
  readonly log: Logger | undefined;
  readonly ended: AbortSignal;
  position: number;
  /** The record at `position`, once there was one. */
  newest: LogRecord | undefined;
  identity: LogIdentity | undefined;
  /** Where to end; undefined until the stream said so. */
  end: number | undefined;
  hasHoles: boolean;
  /** The stream's last sequence when it was last found silent, and the one up to which it holds nothing more. */
  silentAt: number;
  emptyUpTo: number;
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
  const reading = begin(stream, options, timing, log);
  for (let losses = 0; !reading.ended.aborted; losses += 1) {
    const consumer = await reopen(reading, losses);
    if (consumer === undefined) return;
    try {
      const start = reading.position;
      const isDone = yield* drain(reading, consumer);
      if (isDone || reading.ended.aborted) return;
      if (reading.position > start) losses = 0;
      const why = consumer.why() || "records are there and do not come";
      log?.warn({ why, after: reading.position }, `${stream.address}: reading again`);
    } finally {
      consumer.close();
    }
  }
}

function begin(
  stream: Stream,
  options: ReadOptions,
  timing: ReadTiming,
  log: Logger | undefined,
): Reading {
  const { closing } = stream.broker;
  return {
    stream,
    options,
    timing,
    log,
    ended: options.signal ? AbortSignal.any([options.signal, closing]) : closing,
    position: options.after,
    newest: undefined,
    identity: options.identity,
    end: undefined,
    hasHoles: false,
    silentAt: 0,
    emptyUpTo: 0,
  };
}

/** Chunks until the consumer is lost or the reading is ended. Returns true when the end was reached. */
async function* drain(
  reading: Reading,
  consumer: Consumer,
): AsyncGenerator<readonly LogRecord[], boolean> {
  while (!isAtEnd(reading, consumer)) {
    const taken = await consumer.take(reading.timing.silence, reading.ended);
    if (taken === undefined || reading.ended.aborted) return false;
    if (taken.length === 0) {
      if (!(await isQuiet(reading)) && !consumer.hasArrivals()) return false;
      continue;
    }
    if (!(await isUnbroken(reading, taken))) return false;
    const chunk = taken.filter((record) => record.sequence <= endOf(reading));
    reading.newest = taken.at(-1);
    reading.position = reading.newest?.sequence ?? reading.position;
    if (chunk.length > 0) yield chunk;
    if (reading.ended.aborted) return false;
  }
  return true;
}

const endOf = ({ options, end }: Reading): number =>
  options.follow || end === undefined ? Number.POSITIVE_INFINITY : end;

const isAtEnd = (reading: Reading, consumer: Consumer): boolean =>
  !reading.options.follow && (reading.position >= endOf(reading) || consumer.isDrained());

/** Whether a silent stream has nothing new to tell. A stream that cannot be asked counts as one that has. */
async function isQuiet(reading: Reading): Promise<boolean> {
  const state = await inspectOrGiveUp(reading);
  if (state === undefined) return false;
  reading.silentAt = state.bounds.last;
  return reading.silentAt <= Math.max(reading.position, reading.emptyUpTo);
}

/** A consumer of this server's age takes one filter. */
const filterOf = ({ options: { subjects } }: Reading): string | undefined =>
  subjects?.length === 1 ? subjects[0] : undefined;

/** Holes are legal where events were deleted or are of no interest; where the stream now begins after one, it was trimmed unread. */
async function isUnbroken(reading: Reading, taken: readonly LogRecord[]): Promise<boolean> {
  if (isAtFirst(reading)) reading.position = (taken[0]?.sequence ?? 1) - 1;
  const last = taken.at(-1)?.sequence ?? 0;
  if (reading.hasHoles || last === reading.position + taken.length) return true;
  return (await inspectOrGiveUp(reading)) !== undefined;
}

/** As `inspect`; undefined when the stream cannot be asked, or the reading was ended meanwhile. */
const inspectOrGiveUp = (reading: Reading): Promise<StreamState | undefined> =>
  unlessAborted(inspect(reading).catch(ignoreAbsence), reading.ended);

/** Whether nothing was read yet, by nobody: wherever the log begins by now is its beginning. */
const isAtFirst = ({ options, newest }: Reading): boolean => options.isFirst === true && !newest;

/** @throws VitrineError divergence when the stream is not the one that was read, or cannot continue it */
async function inspect(reading: Reading): Promise<StreamState> {
  const { stream } = reading;
  const state = await stateOf(stream);
  await mustBeKnown(reading, state.identity);
  if (isAtFirst(reading)) {
    reading.position = Math.max(reading.position, state.bounds.first - 1);
  }
  const { position } = reading;
  mustContinue(stream.address, state.bounds, position, state.hasHoles);
  return state;
}

/** A stream that says another time of its creation may be the same that was edited: who reads it may tell by what it holds. */
async function mustBeKnown(reading: Reading, found: LogIdentity): Promise<void> {
  const { stream, identity, options, log } = reading;
  const isEdited = found.name === identity?.name && found.created !== identity.created;
  if (isEdited && (await options.isSame?.())) {
    log?.warn({ created: found.created }, `${stream.address}: created otherwise, and the same`);
    reading.identity = found;
  } else {
    mustBeSame(stream.address, found, identity);
  }
}

/** Ignores that the stream cannot be asked. @throws everything else, such as `divergence`, or a bug */
function ignoreAbsence(thrown: unknown): undefined {
  if (!(thrown instanceof VitrineError && thrown.code === "event_log")) throw thrown;
}

/** A consumer at our position, on a stream proven to continue it; undefined when the reading was ended. */
async function reopen(reading: Reading, losses: number): Promise<Consumer | undefined> {
  const { stream, ended, timing, options, log } = reading;
  const start = performance.now();
  for (let attempt = losses; ; attempt += 1) {
    await pause(pauseBefore(attempt), ended);
    const left = start + timing.patience - performance.now();
    const link = await stream.broker.link(ended, options.follow ? undefined : Math.max(left, 0));
    if (ended.aborted) return undefined;
    try {
      if (link === undefined) throw stream.broker.away();
      return await unlessAborted(openAt(reading, link), ended);
    } catch (thrown) {
      if (ended.aborted) return undefined;
      if (!mayPass(thrown, options.follow) || (!options.follow && left <= 0)) throw thrown;
      log?.warn({ err: thrown }, `${stream.address}: cannot be read yet`);
    }
  }
}

/**
 * Milliseconds: nothing before a first attempt and a first repeat, then more and more. Never so long that what was told
 * after a connection came back is not applied within two seconds (`deploy/promises.md`, 10): a quiet log counts every
 * break, however long ago.
 */
const pauseBefore = (attempt: number): number =>
  attempt < 2 ? 0 : Math.min(1000, 50 * 2 ** attempt);

/** A stream that is gone may come back, and a follower then sees whether it is the same. */
const mayPass = (thrown: unknown, follow: boolean): boolean =>
  isPassing(thrown) || (follow && isUnknownStream(thrown));

/**
 * The stream is inspected after the consumer was made: a consumer belongs to one stream only, so when
 * that one still has its identity now, it had it then.
 */
async function openAt(reading: Reading, link: Link): Promise<Consumer> {
  const { stream, position } = reading;
  const consumer = await createConsumer(stream, link, position, filterOf(reading));
  try {
    const state = await inspect(reading);
    const reached = Math.min(state.bounds.last, consumer.startedAfter);
    mustContinue(stream.address, { ...state.bounds, last: reached }, position, true);
    if (reading.newest) mustHold(stream.address, await messageAt(stream, position), reading.newest);
    reading.identity = state.identity;
    reading.end ??= state.bounds.last;
    reading.hasHoles = state.hasHoles;
    if (consumer.isDrained()) reading.emptyUpTo = reading.silentAt;
    if (reading.ended.aborted) consumer.close();
    return consumer;
  } catch (thrown) {
    consumer.close();
    throw thrown;
  }
}
