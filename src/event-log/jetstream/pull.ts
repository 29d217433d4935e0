import { type ConsumerInfo, type Msg, type NatsConnection, nanos } from "nats";
import { chunkLimit } from "../chunks.ts";
import { lowerCasedHeaders } from "./headers.ts";
import { type Arrivals, newArrivals } from "./record-buffer.ts";
import type { Link } from "./session.ts";
import type { Stream } from "./stream.ts";

/** What is asked of a consumer, request by request, and what came of it. */
export interface Pulling {
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

/** What one request asks for at most; while one is renewed, two stand at once. */
const maxRequest = { count: 5 * chunkLimit.count, bytes: 2 * chunkLimit.bytes };

/** Milliseconds a request stands. */
const requestExpiryMs = 5000;

/**
 * Milliseconds after which the next request is made although the newest one still stands. nats-server 2.9 forgets a
 * request without a word when a record comes in the moment that it expires: what came next would wait for `silence`.
 */
const renewAfterMs = 4000;

/** Nothing is asked yet: see `ask`. */
export function newPulling({ broker }: Stream, { connection }: Link, info: ConsumerInfo): Pulling {
  const maxPayload = connection.info?.max_payload ?? 0;
  const request = {
    batch: maxRequest.count,
    // A record that a whole request has no room for would never come.
    max_bytes: Math.max(maxRequest.bytes, 2 * maxPayload),
    expires: nanos(requestExpiryMs),
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

/** Asks for records, unless enough were asked for or wait to be taken. */
export function ask(pull: Pulling): void {
  const { connection, arrivals, inbox, nextSubject, request } = pull;
  if (pull.why !== "" || pull.wanted > 0 || arrivals.isPlenty()) return;
  pull.wanted = maxRequest.count;
  pull.asked += 1;
  connection.publish(nextSubject, request, { reply: `${inbox}.${pull.asked}` });
  clearTimeout(pull.renewal);
  pull.renewal = setTimeout(() => renewRequest(pull), renewAfterMs);
}

function renewRequest(pull: Pulling): void {
  pull.wanted = 0;
  ask(pull);
}

/** Takes a message to `inbox.*`: a record, or how a request ended. */
export function receive(pull: Pulling, msg: Msg): void {
  const position = parseAckPosition(msg.reply);
  if (position === undefined) return receiveStatus(pull, msg);
  pull.delivered += 1;
  if (position.delivered !== pull.delivered) return lose(pull, "a record was lost on the way");
  pull.wanted -= 1;
  pull.pending = position.pending;
  ask(pull);
  const record = {
    sequence: position.sequence,
    time: position.time,
    subject: msg.subject,
    headers: lowerCasedHeaders(msg.headers),
    body: msg.data,
  };
  pull.arrivals.push(record, position.pending > 0 && pull.wanted > 0);
}

/** Only what answers the newest request counts: an older one is over. */
function receiveStatus(pull: Pulling, { subject, headers }: Msg): void {
  const { code = 0, description = "" } = headers ?? {};
  if (code < 200 || subject !== `${pull.inbox}.${pull.asked}`) return;
  if (!isEndOfRequest(code, description)) return lose(pull, `${code} ${description}`);
  renewRequest(pull);
}

/** Expired, or full: the next request goes on. Anything else is the end of the consumer. */
const isEndOfRequest = (code: number, description: string): boolean =>
  code === 404 || code === 408 || (code === 409 && /exceeds maxbytes|completed/i.test(description));

/** Ends it: what came can still be taken. */
export function lose(pull: Pulling, reason: string): void {
  if (pull.why === "") pull.why = reason;
  clearTimeout(pull.renewal);
  pull.arrivals.end();
}

interface AckPosition {
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
function parseAckPosition(reply: string | undefined): AckPosition | undefined {
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
