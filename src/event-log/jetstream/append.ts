import { ErrorCode, type JetStreamClient, NatsError, type PubAck } from "nats";
import { isBug, VitrineError } from "../../errors.ts";
import { pause } from "../../platform/async.ts";
import { type Bounded, slices } from "../chunks.ts";
import type { Appended, NewMessage } from "../event-log.ts";
import { isFull, isPassing, isUnheard, refusal, smaller } from "./errors.ts";
import { toHeaders } from "./headers.ts";
import { type Stream, stateOf } from "./stream.ts";

/** How many messages are under way unacknowledged. */
const windowLimit: Bounded = { count: 256, bytes: 4 * 1024 * 1024 };

/** Milliseconds for a stream to come up after its broker; past that it does not take the subject at all. */
const noResponderTimeoutMs = 3000;

/**
 * See `EventLog.append`. One window of messages after the other: within a window one connection keeps the
 * order, and a window that broke is sent again from there, when the stream's memory of ids drops what it had.
 * @param timeoutMs how long a broker may be away, in milliseconds
 */
export async function appendTo(
  stream: Stream,
  messages: readonly NewMessage[],
  timeoutMs: number,
): Promise<readonly Appended[]> {
  const retry = <T>(attempt: () => Promise<T>) => retryTransient(stream, timeoutMs, attempt);
  const { bounds, largest } = await retry(() => stateOf(stream));
  const ackedSequences = new Set<number>();
  const appended: Appended[] = [];
  for (const window of slices(messages, windowLimit)) {
    let attempts = 0;
    const acks: PubAck[] = [];
    await retry(() => {
      attempts += 1;
      return publishUnacked(stream, window, acks, largest);
    });
    for (const ack of acks) {
      // An acknowledgement that got lost makes our own message look like a duplicate of itself, the next time it is sent.
      const isOwnResend = attempts > 1 && ack.seq > bounds.last && !ackedSequences.has(ack.seq);
      ackedSequences.add(ack.seq);
      appended.push({ sequence: ack.seq, duplicate: ack.duplicate && !isOwnResend });
    }
  }
  return appended;
}

/** Repeats what failed for a reason that may pass, as long as patience lasts. */
async function retryTransient<T>(
  stream: Stream,
  timeoutMs: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  for (let delayMs = 100; ; delayMs *= 2) {
    try {
      return await attempt();
    } catch (thrown) {
      const limitMs = isUnheard(thrown) ? Math.min(timeoutMs, noResponderTimeoutMs) : timeoutMs;
      const remainingMs = start + limitMs - performance.now();
      if (!isPassing(thrown) || isFull(thrown) || remainingMs <= 0 || stream.broker.closing.aborted)
        throw thrown;
      await pause(Math.min(delayMs, remainingMs), stream.broker.closing);
      await stream.broker.link(undefined, Math.max(remainingMs, 1));
    }
  }
}

/**
 * What of a window was not acknowledged yet, all at once: on a slow way some are too late, and sent again whole it would be
 * late each time. Rejects after every one was answered, so that none comes after a second attempt. One that the broker or the
 * stream cannot take is found out before any of them is sent: those behind it would pass it.
 * @param acks of the messages before, and of those that were taken without a gap
 * @param largest bytes of a message that the stream takes
 */
async function publishUnacked(
  stream: Stream,
  window: readonly NewMessage[],
  acks: PubAck[],
  largest: number | undefined,
): Promise<void> {
  const unacked = window.slice(acks.length);
  const answers = await stream.broker.ask((connection) => {
    const client = connection.jetstream();
    const limits = { broker: connection.info?.max_payload, stream: largest };
    for (const message of unacked) assertFits(stream, message, limits);
    return Promise.allSettled(unacked.map((message) => publishOne(client, stream, message)));
  });
  for (const [at, answer] of answers.entries()) {
    if (answer.status === "rejected") throw withMessageContext(answer.reason, stream, unacked[at]);
    acks.push(answer.value);
  }
}

/** Bytes of a message; undefined where nothing was said. */
interface Limits {
  readonly broker: number | undefined;
  readonly stream: number | undefined;
}

function assertFits(stream: Stream, message: NewMessage, limits: Limits): void {
  // The protocol is lines of words: white space in a subject would be read as more of it.
  if (/\s/.test(message.subject)) {
    throw withMessageContext(NatsError.errorForCode(ErrorCode.BadSubject), stream, message);
  }
  const size = getWireSize(stream, message);
  const tooLarge = () => NatsError.errorForCode(ErrorCode.MaxPayloadExceeded);
  if (size > (limits.broker ?? size)) throw withMessageContext(tooLarge(), stream, message);
  if (size > (limits.stream ?? size)) {
    const what = `${stream.address}: a message is larger than the stream takes${describeMessage(message)}`;
    throw new VitrineError("event_log", what, smaller, tooLarge());
  }
}

/** Bytes it has on its way: the two headers that `publishOne` has added are among them. */
function getWireSize({ name }: Stream, { id, headers, body }: NewMessage): number {
  const headerEntries = [
    ...Object.entries(headers),
    ["Nats-Msg-Id", id],
    ["Nats-Expected-Stream", name],
  ];
  const lines = headerEntries.map(
    ([key = "", value = ""]) => Buffer.byteLength(key + value) + ": \r\n".length,
  );
  return "NATS/1.0\r\n\r\n".length + lines.reduce((sum, line) => sum + line, 0) + body.length;
}

async function publishOne(
  client: JetStreamClient,
  stream: Stream,
  { id, subject, headers, body }: NewMessage,
): Promise<PubAck> {
  const expect = { streamName: stream.name };
  return client.publish(subject, body, { msgID: id, headers: toHeaders(headers), expect });
}

/** @throws a bug as it is */
function withMessageContext(
  thrown: unknown,
  stream: Stream,
  message: NewMessage | undefined,
): VitrineError {
  if (isBug(thrown)) throw thrown;
  const error = refusal(thrown, stream.address);
  const isPermanent = !isPassing(thrown) || isFull(thrown);
  if (!(thrown instanceof NatsError) || !isPermanent) return error;
  const which = message ? describeMessage(message) : "";
  return new VitrineError(error.code, `${error.message}${which}`, error.hint, thrown);
}

const describeMessage = ({ id, subject }: NewMessage): string =>
  ` (message ${id}, subject ${subject})`;
