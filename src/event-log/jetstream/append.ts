import { ErrorCode, type JetStreamClient, NatsError, type PubAck, type StreamConfig } from "nats";
import { isBug, VitrineError } from "../../errors.ts";
import { sleep } from "../../platform/async.ts";
import { retry } from "../../platform/retry.ts";
import { type ChunkLimit, splitIntoChunks } from "../chunks.ts";
import type { AppendResult, NewMessage } from "../event-log.ts";
import {
  isNoResponders,
  isStorageFull,
  isTransient,
  messageTooLargeHint,
  toVitrineError,
} from "./errors.ts";
import { toHeaders } from "./headers.ts";
import { getStreamState, type Stream } from "./stream.ts";

/** Limit of unacknowledged messages. */
const windowLimit: ChunkLimit = { count: 256, bytes: 4 * 1024 * 1024 };

/** Time for a stream to load after its broker started. After that, no stream takes the subject. */
const noResponderTimeoutMs = 3000;

/**
 * See `EventLog.append`. Sends one window of messages after the other: within a window the connection keeps the
 * order, and a failed window is sent again, because the stream deduplicates by message id.
 */
export async function append(
  stream: Stream,
  messages: readonly NewMessage[],
): Promise<readonly AppendResult[]> {
  const retry = <T>(attempt: () => Promise<T>) => retryTransient(stream, attempt);
  const { bounds, maxMessageBytes, config } = await retry(() => getStreamState(stream));
  for (const message of messages) assertTakes(stream.address, config, message);
  const ackedSequences = new Set<number>();
  const appended: AppendResult[] = [];
  for (const window of splitIntoChunks(messages, windowLimit)) {
    let attempts = 0;
    const acks: PubAck[] = [];
    await retry(() => {
      attempts += 1;
      return publishUnacked(stream, window, acks, maxMessageBytes);
    });
    for (const ack of acks) {
      // After a lost acknowledgement, the stream reports our own resent message as a duplicate of itself.
      const isOwnResend = attempts > 1 && ack.seq > bounds.last && !ackedSequences.has(ack.seq);
      ackedSequences.add(ack.seq);
      appended.push({ sequence: ack.seq, duplicate: ack.duplicate && !isOwnResend });
    }
  }
  return appended;
}

/** Retries transient failures until the timeout. */
async function retryTransient<T>(stream: Stream, attempt: () => Promise<T>): Promise<T> {
  const { closing, waitForSession } = stream.broker;
  const { unavailableTimeoutMs: timeoutMs } = stream.timing;
  const start = performance.now();
  const remainingMs = (thrown: unknown): number => {
    const limitMs = isNoResponders(thrown) ? Math.min(timeoutMs, noResponderTimeoutMs) : timeoutMs;
    return start + limitMs - performance.now();
  };
  return retry(attempt, {
    firstDelayMs: 100,
    maxDelayMs: timeoutMs,
    isRetryable: (thrown) =>
      isTransient(thrown) && !isStorageFull(thrown) && remainingMs(thrown) > 0 && !closing.aborted,
    async wait(delayMs, thrown) {
      await sleep(Math.min(delayMs, remainingMs(thrown)), closing);
      await waitForSession(undefined, Math.max(remainingMs(thrown), 1));
      return false;
    },
  });
}

/**
 * Publishes the unacknowledged rest of a window in parallel and waits for every ack, so that a retry cannot overtake
 * the first attempt. Only the rest, because on a slow connection the same acks could be late in every retry.
 * Oversized messages are rejected before anything is sent, because later messages would be stored ahead of them.
 * @param acks of the messages before, extended by those that were stored without a gap
 * @param largest maximum size of a message in the stream, in bytes
 */
async function publishUnacked(
  stream: Stream,
  window: readonly NewMessage[],
  acks: PubAck[],
  largest: number | undefined,
): Promise<void> {
  const unacked = window.slice(acks.length);
  const answers = await stream.broker.request((connection) => {
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

/** Maximum message size in bytes; undefined when not reported. */
interface Limits {
  readonly broker: number | undefined;
  readonly stream: number | undefined;
}

function assertFits(stream: Stream, message: NewMessage, limits: Limits): void {
  // The protocol separates words by white space, so a subject must not contain any.
  if (/\s/.test(message.subject)) {
    throw withMessageContext(NatsError.errorForCode(ErrorCode.BadSubject), stream, message);
  }
  const size = getWireSize(message);
  const tooLarge = () => NatsError.errorForCode(ErrorCode.MaxPayloadExceeded);
  if (size > (limits.broker ?? size)) throw withMessageContext(tooLarge(), stream, message);
  if (size > (limits.stream ?? size)) {
    const what = `${stream.address}: a message is larger than the stream takes${describeMessage(message)}`;
    throw new VitrineError("event_log", what, messageTooLargeHint, tooLarge());
  }
}

/** Computes the size of a message on the wire, with the header that `publishOne` adds. */
function getWireSize({ id, headers, body }: NewMessage): number {
  const headerEntries = [...Object.entries(headers), ["Nats-Msg-Id", id]];
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
  const ack = await client.publish(subject, body, { msgID: id, headers: toHeaders(headers) });
  if (ack.stream === stream.name) return ack;
  const what = `${stream.address}: the stream ${ack.stream} took the event instead (message ${id}, subject ${subject})`;
  const hint = "delete it there, and give this stream the subjects shop.>";
  // A permanent error, because another attempt would store the event there again.
  throw new VitrineError("event_log", what, hint, NatsError.errorForCode(ErrorCode.BadSubject));
}

/**
 * Adds the message id and subject to a permanent error.
 * @throws a bug as it is
 */
function withMessageContext(
  thrown: unknown,
  stream: Stream,
  message: NewMessage | undefined,
): VitrineError {
  if (isBug(thrown)) throw thrown;
  const error = toVitrineError(thrown, stream.address);
  const isPermanent = !isTransient(thrown) || isStorageFull(thrown);
  if (!(thrown instanceof NatsError) || !isPermanent) return error;
  const which = message ? describeMessage(message) : "";
  return new VitrineError(error.code, `${error.message}${which}`, error.hint, thrown);
}

const describeMessage = ({ id, subject }: NewMessage): string =>
  ` (message ${id}, subject ${subject})`;

/**
 * Asserts that the stream itself takes a message, because the broker stores it in any stream with its subject. No header names the
 * stream, because the broker would store that header, and mirrors skip such messages.
 */
function assertTakes(
  address: string,
  { subjects, mirror, sources }: StreamConfig,
  { id, subject }: NewMessage,
): void {
  if (subjects?.some((pattern) => matches(pattern.split("."), subject.split(".")))) return;
  const origins = [mirror, ...(sources ?? [])].flatMap((each) => each?.name ?? []);
  const [what, hint] =
    origins.length === 0
      ? ["another stream or no stream takes the subject", "give the stream the subjects shop.>"]
      : [
          `it is a ${mirror ? "mirror" : "copy"} of the stream ${origins.join(", ")}, and takes no events of its own`,
          `run the command with --nats-stream ${origins[0]} at the broker of that stream, and with --data-dir of a service that follows it or of a new directory`,
        ];
  const message = `${address}: ${what} (message ${id}, subject ${subject})`;
  throw new VitrineError("event_log", message, hint);
}

const matches = (pattern: readonly string[], subject: readonly string[]): boolean =>
  (pattern.at(-1) === ">" ? subject.length >= pattern.length : subject.length === pattern.length) &&
  pattern.every((token, at) => token === ">" || token === "*" || token === subject[at]);
