import { raceAbort, sleep } from "../../platform/async.ts";
import { retry } from "../../platform/retry.ts";
import type { LogRecord, ReadOptions } from "../event-log.ts";
import { assertReadableAfter } from "../read-position.ts";
import { type Consumer, createConsumer } from "./consumer.ts";
import { isTransient } from "./errors.ts";
import {
  createReadState,
  getEnd,
  inspectStream,
  isContiguous,
  isIdle,
  type ReadState,
} from "./read-state.ts";
import type { Session } from "./session.ts";
import { isStreamNotFound, type Stream } from "./stream.ts";

/**
 * Reads every record, or those of the only subject in the options. A lost consumer is recreated at the current
 * position.
 */
export async function* readConsumer(
  stream: Stream,
  options: ReadOptions,
): AsyncGenerator<readonly LogRecord[]> {
  const state = createReadState(stream, options);
  for (let losses = 0; !state.ended.aborted; losses += 1) {
    const consumer = await recreateConsumer(state, losses);
    if (consumer === undefined) return;
    try {
      const start = state.position;
      const isDone = yield* readFrom(state, consumer);
      if (isDone || state.ended.aborted) return;
      if (state.position > start) losses = 0;
      const reason = consumer.failure() || "the stream has records that do not arrive";
      stream.log?.warn({ why: reason, after: state.position }, `${stream.address}: reading again`);
    } finally {
      consumer.close();
    }
  }
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
    const records = await consumer.take(state.stream.timing.idleTimeoutMs, state.ended);
    if (records === undefined || state.ended.aborted) return false;
    if (!(await isComplete(state, consumer, records))) return false;
    if (records.length === 0) continue;
    const chunk = records.filter((record) => record.sequence <= getEnd(state));
    state.latest = records;
    state.position = records.at(-1)?.sequence ?? state.position;
    if (chunk.length > 0) yield chunk;
    if (state.ended.aborted) return false;
  }
  return true;
}

/** Checks that no record is missing: of a chunk before its last record, of a silent consumer at the end of the stream. */
const isComplete = async (
  state: ReadState,
  consumer: Consumer,
  records: readonly LogRecord[],
): Promise<boolean> =>
  records.length > 0
    ? isContiguous(state, records)
    : (await isIdle(state)) || consumer.hasBufferedRecords();

const isAtEnd = (state: ReadState, consumer: Consumer): boolean =>
  !state.options.follow && (state.position >= getEnd(state) || consumer.isExhausted());

/** A consumer of nats-server 2.9 accepts one filter. */
const getFilter = ({ options: { subjects } }: ReadState): string | undefined =>
  subjects?.length === 1 ? subjects[0] : undefined;

/**
 * Creates a consumer at the current position, after proof that the stream continues it. It retries while the broker is
 * unavailable: a follower for ever, another read until its timeout.
 * @param losses number of consumers that were lost in a row
 * @returns undefined when the read was aborted
 */
async function recreateConsumer(state: ReadState, losses: number): Promise<Consumer | undefined> {
  const { stream, ended, options } = state;
  const start = performance.now();
  const remainingMs = (): number | undefined =>
    options.follow
      ? undefined
      : Math.max(start + stream.timing.unavailableTimeoutMs - performance.now(), 0);
  await sleep(backoffMs(losses), ended);
  return retry(() => createConsumerInTime(state, remainingMs()), {
    ...retryDelays,
    isRetryable: (thrown) =>
      ended.aborted || (isRetryable(thrown, options.follow) && remainingMs() !== 0),
    onFailure(thrown) {
      if (!ended.aborted)
        stream.log?.warn({ err: thrown }, `${stream.address}: cannot be read yet`);
    },
    signal: ended,
  });
}

const retryDelays = { firstDelayMs: 100, maxDelayMs: 1_000 };

/**
 * Backoff after lost consumers in ms: 0 for the first two, then exponential up to 1 s, so that events after a reconnect are
 * applied within 2 s (`deploy/promises.md`, 10). A quiet log never resets the counter.
 */
const backoffMs = (losses: number): number => (losses < 2 ? 0 : Math.min(1000, 50 * 2 ** losses));

/** A deleted stream may return, and its reader then verifies that it is the same. */
const isRetryable = (thrown: unknown, follow: boolean): boolean =>
  isTransient(thrown) || (follow && isStreamNotFound(thrown));

/**
 * Creates a consumer over the current or the next session.
 * @param timeoutMs limit of the wait for a session
 * @returns undefined when the read was aborted
 */
async function createConsumerInTime(
  state: ReadState,
  timeoutMs: number | undefined,
): Promise<Consumer | undefined> {
  const { broker } = state.stream;
  const session = await broker.waitForSession(state.ended, timeoutMs);
  if (state.ended.aborted) return undefined;
  if (session === undefined) throw broker.unavailableReason();
  return raceAbort(createConsumerAt(state, session), state.ended);
}

/**
 * Creates a consumer, then inspects the stream. This order guarantees that no record of another history is yielded. A
 * consumer belongs to one stream and one session, and is lost with either (`fail`). A stream that the reader accepts after
 * the creation is therefore the one that the consumer reads: a stream that replaces it later has no part in the records of
 * this consumer. The reverse order would accept a stream that is replaced before the creation.
 */
async function createConsumerAt(state: ReadState, session: Session): Promise<Consumer> {
  const { stream, position } = state;
  const consumer = await createConsumer(stream, session, position, getFilter(state));
  try {
    const streamState = await inspectStream(state, true);
    // A stream that was rolled back may have grown beyond the position since.
    const reached = Math.min(streamState.bounds.last, consumer.startedAfter);
    assertReadableAfter(stream.address, { ...streamState.bounds, last: reached }, position, true);
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
