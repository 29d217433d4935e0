import { ErrorCode, type JetStreamClient, NatsError, type PubAck } from "nats";
import { isBug, VitrineError } from "../../errors.ts";
import { pause } from "../../platform/async.ts";
import { type Bounded, slices } from "../chunks.ts";
import type { Appended, NewMessage } from "../event-log.ts";
import { isFull, isPassing, isUnheard, refusal, smaller } from "./errors.ts";
import { toHeaders } from "./headers.ts";
import { type Stream, stateOf } from "./stream.ts";

/** How many messages are under way unacknowledged. */
const inFlight: Bounded = { count: 256, bytes: 4 * 1024 * 1024 };

/** Milliseconds for a stream to come up after its broker; past that it does not take the subject at all. */
const unheardPatience = 3000;

/**
 * See `EventLog.append`. One window of messages after the other: within a window one connection keeps the
 * order, and a window that broke is sent again from there, when the stream's memory of ids drops what it had.
 * @param patience how long a broker may be away, in milliseconds
 */
export async function appendTo(
  stream: Stream,
  messages: readonly NewMessage[],
  patience: number,
): Promise<readonly Appended[]> {
  const persist = <T>(attempt: () => Promise<T>) => untilItPasses(stream, patience, attempt);
  const { bounds, largest } = await persist(() => stateOf(stream));
  const taken = new Set<number>();
  const appended: Appended[] = [];
  for (const window of slices(messages, inFlight)) {
    let sent = 0;
    const acks: PubAck[] = [];
    await persist(() => {
      sent += 1;
      return publishRest(stream, window, acks, largest);
    });
    for (const ack of acks) {
      // An acknowledgement that got lost makes our own message look like a duplicate of itself, the next time it is sent.
      const ours = sent > 1 && ack.seq > bounds.last && !taken.has(ack.seq);
      taken.add(ack.seq);
      appended.push({ sequence: ack.seq, duplicate: ack.duplicate && !ours });
    }
  }
  return appended;
}

/** Repeats what failed for a reason that may pass, as long as patience lasts. */
async function untilItPasses<T>(
  stream: Stream,
  patience: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  for (let wait = 100; ; wait *= 2) {
    try {
      return await attempt();
    } catch (thrown) {
      const longest = isUnheard(thrown) ? Math.min(patience, unheardPatience) : patience;
      const left = start + longest - performance.now();
      if (!isPassing(thrown) || isFull(thrown) || left <= 0 || stream.broker.closing.aborted)
        throw thrown;
      await pause(Math.min(wait, left), stream.broker.closing);
      await stream.broker.link(undefined, Math.max(left, 1));
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
async function publishRest(
  stream: Stream,
  whole: readonly NewMessage[],
  acks: PubAck[],
  largest: number | undefined,
): Promise<void> {
  const window = whole.slice(acks.length);
  const answers = await stream.broker.ask((connection) => {
    const client = connection.jetstream();
    const limits = { broker: connection.info?.max_payload, stream: largest };
    for (const message of window) mustBeTaken(stream, message, limits);
    return Promise.allSettled(window.map((message) => publishOne(client, stream, message)));
  });
  for (const [at, answer] of answers.entries()) {
    if (answer.status === "rejected") throw blamed(answer.reason, stream, window[at]);
    acks.push(answer.value);
  }
}

/** Bytes of a message; undefined where nothing was said. */
interface Limits {
  readonly broker: number | undefined;
  readonly stream: number | undefined;
}

function mustBeTaken(stream: Stream, message: NewMessage, limits: Limits): void {
  // The protocol is lines of words: white space in a subject would be read as more of it.
  if (/\s/.test(message.subject)) {
    throw blamed(NatsError.errorForCode(ErrorCode.BadSubject), stream, message);
  }
  const size = sizeOf(stream, message);
  const tooLarge = () => NatsError.errorForCode(ErrorCode.MaxPayloadExceeded);
  if (size > (limits.broker ?? size)) throw blamed(tooLarge(), stream, message);
  if (size > (limits.stream ?? size)) {
    const what = `${stream.address}: a message is larger than the stream takes${named(message)}`;
    throw new VitrineError("event_log", what, smaller, tooLarge());
  }
}

/** Bytes it has on its way: the two headers that `publishOne` has added are among them. */
function sizeOf({ name }: Stream, { id, headers, body }: NewMessage): number {
  const told = [...Object.entries(headers), ["Nats-Msg-Id", id], ["Nats-Expected-Stream", name]];
  const lines = told.map(
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
function blamed(thrown: unknown, stream: Stream, message: NewMessage | undefined): VitrineError {
  if (isBug(thrown)) throw thrown;
  const refused = refusal(thrown, stream.address);
  const isLasting = !isPassing(thrown) || isFull(thrown);
  if (!(thrown instanceof NatsError) || !isLasting) return refused;
  const which = message ? named(message) : "";
  return new VitrineError(refused.code, `${refused.message}${which}`, refused.hint, thrown);
}

const named = ({ id, subject }: NewMessage): string => ` (message ${id}, subject ${subject})`;
