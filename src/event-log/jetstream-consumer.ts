import {
  AckPolicy,
  type ConsumerInfo,
  DeliverPolicy,
  type Msg,
  type NatsConnection,
  nanos,
  nuid,
} from "nats";
import { type Arrivals, newArrivals } from "./arrivals.ts";
import { lowerCasedHeaders } from "./jetstream-headers.ts";
import type { Link } from "./jetstream-link.ts";
import { askJetStream, type Stream } from "./jetstream-stream.ts";
import type { LogRecord } from "./log.ts";
import { chunkLimit } from "./slices.ts";

/** A reading position in the broker's memory, ours alone. Nothing is acknowledged: the checkpoint is elsewhere. */
export interface Consumer {
  /** Sequence it stood at when it was made: not the one asked for when the stream has no such. */
  readonly startedAfter: number;
  /** See `Arrivals.take`. */
  take(idle: number, signal: AbortSignal): Promise<readonly LogRecord[] | undefined>;
  /** True when something waits to be taken. */
  hasArrivals(): boolean;
  /** True when everything the stream holds was handed out by `take`. */
  isDrained(): boolean;
  /** Why it ended; empty while it goes on. */
  why(): string;
  close(): void;
}

interface Pulling {
  readonly connection: NatsConnection;
  readonly arrivals: Arrivals;
  readonly inbox: string;
  readonly nextSubject: string;
  readonly request: Uint8Array;
  /** Number of requests for more; the answer to one goes to `inbox.<number>`. */
  asked: number;
  /** Records that may come before the next request: when there are none left, it is due. */
  wanted: number;
  /** Makes the next request when the newest one has stood long enough. */
  renewal: NodeJS.Timeout | undefined;
  /** The consumer's own count of records: a number left out is a record lost on the way. */
  delivered: number;
  /** Records the stream held after the newest one. */
  pending: number;
  why: string;
}

/** What one request asks for at most. */
const most = { count: 5 * chunkLimit.count, bytes: 2 * chunkLimit.bytes };

/** Milliseconds: how long a request stands, and after how many a consumer nobody asks is forgotten. */
const expiry = { request: 5000, consumer: 60_000 };

/**
 * Milliseconds after which the next request is made although the newest one still stands. nats-server 2.9 forgets a
 * request without a word when a record comes in the moment that it expires: what came next would wait for `silence`.
 */
const renewal = 4000;

/**
 * Makes a consumer that begins after sequence `after`, and asks it for records.
 * @param subject the one subject it is about; all of them without
 * @throws VitrineError event_log
 */
export async function createConsumer(
  stream: Stream,
  link: Link,
  after: number,
  subject?: string,
): Promise<Consumer> {
  const info = await askJetStream(stream, (api) =>
    api.consumers.add(stream.name, {
      name: `vitrine-${nuid.next()}`,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: after + 1,
      ...(subject !== undefined && { filter_subject: subject }),
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: nanos(expiry.consumer),
    }),
  );
  const pulling = newPulling(stream, link, info);
  const subscription = link.connection.subscribe(`${pulling.inbox}.*`, {
    callback: (error, msg) => (error ? lose(pulling, error.message) : receive(pulling, msg)),
  });
  const stop = link.onBreak(() => lose(pulling, "connection lost"));
  ask(pulling);
  return {
    startedAfter: info.delivered.stream_seq,
    take: async (idle, signal) => {
      const chunk = await pulling.arrivals.take(idle, signal);
      ask(pulling);
      return chunk;
    },
    hasArrivals: () => !pulling.arrivals.isEmpty(),
    isDrained: () => pulling.pending === 0 && pulling.arrivals.isEmpty(),
    why: () => pulling.why,
    close: () => {
      lose(pulling, "closed");
      stop();
      subscription.unsubscribe();
    },
  };
}

function newPulling({ broker }: Stream, { connection }: Link, info: ConsumerInfo): Pulling {
  const largest = connection.info?.max_payload ?? 0;
  const request = {
    batch: most.count,
    // A record that a whole request has no room for would never come.
    max_bytes: Math.max(most.bytes, 2 * largest),
    expires: nanos(expiry.request),
  };
  return {
    connection,
    arrivals: newArrivals(),
    inbox: broker.newInbox(),
    nextSubject: `$JS.API.CONSUMER.MSG.NEXT.${info.stream_name}.${info.name}`,
    request: Buffer.from(JSON.stringify(request)),
    asked: 0,
    wanted: 0,
    renewal: undefined,
    delivered: 0,
    pending: info.num_pending,
    why: "",
  };
}

function ask(pulling: Pulling): void {
  const { connection, arrivals, inbox, nextSubject, request } = pulling;
  if (pulling.why !== "" || pulling.wanted > 0 || arrivals.isPlenty()) return;
  pulling.wanted = most.count;
  pulling.asked += 1;
  connection.publish(nextSubject, request, { reply: `${inbox}.${pulling.asked}` });
  clearTimeout(pulling.renewal);
  pulling.renewal = setTimeout(() => askAnew(pulling), renewal);
}

function askAnew(pulling: Pulling): void {
  pulling.wanted = 0;
  ask(pulling);
}

function receive(pulling: Pulling, msg: Msg): void {
  const place = parsePlace(msg.reply);
  if (place === undefined) return receiveStatus(pulling, msg);
  pulling.delivered += 1;
  if (place.delivered !== pulling.delivered) return lose(pulling, "a record was lost on the way");
  pulling.wanted -= 1;
  pulling.pending = place.pending;
  ask(pulling);
  const record = {
    sequence: place.sequence,
    time: place.time,
    subject: msg.subject,
    headers: lowerCasedHeaders(msg.headers),
    body: msg.data,
  };
  pulling.arrivals.push(record, place.pending > 0 && pulling.wanted > 0);
}

/** Only what answers the newest request counts: an older one is over. */
function receiveStatus(pulling: Pulling, { subject, headers }: Msg): void {
  const { code = 0, description = "" } = headers ?? {};
  if (code < 200 || subject !== `${pulling.inbox}.${pulling.asked}`) return;
  if (!isEndOfRequest(code, description)) return lose(pulling, `${code} ${description}`);
  askAnew(pulling);
}

/** Expired, or full: the next request goes on. Anything else is the end of the consumer. */
const isEndOfRequest = (code: number, description: string): boolean =>
  code === 404 || code === 408 || (code === 409 && /exceeds maxbytes|completed/i.test(description));

function lose(pulling: Pulling, why: string): void {
  if (pulling.why === "") pulling.why = why;
  clearTimeout(pulling.renewal);
  pulling.arrivals.end();
}

interface Place {
  readonly sequence: number;
  readonly delivered: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly pending: number;
}

/**
 * Where a record stands, which JetStream writes into the subject of its reply:
 * `$JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<times>.<sequence>.<delivered>.<nanoseconds>.<pending>[.<more>]`
 */
function parsePlace(reply: string | undefined): Place | undefined {
  if (reply === undefined || !reply.startsWith("$JS.ACK.")) return undefined;
  const tokens = reply.split(".");
  const at = tokens.length === 9 ? 5 : 7;
  return {
    sequence: Number(tokens[at]),
    delivered: Number(tokens[at + 1]),
    // Cut as text: the nanoseconds are more than a number holds.
    time: Number(tokens[at + 2]?.slice(0, -6)),
    pending: Number(tokens[at + 3]),
  };
}
