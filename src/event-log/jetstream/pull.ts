import { type ConsumerInfo, type Msg, type NatsConnection, nanos } from "nats";
import { chunkLimit } from "../chunks.ts";
import { lowerCasedHeaders } from "./headers.ts";
import { createRecordBuffer, type RecordBuffer } from "./record-buffer.ts";
import type { Session } from "./session.ts";
import type { Stream } from "./stream.ts";

interface PullState {
  readonly connection: NatsConnection;
  readonly buffer: RecordBuffer;
  readonly inbox: string;
  readonly nextSubject: string;
  readonly request: Uint8Array;
  /** Number of the latest pull request; its replies go to `inbox.<number>`. */
  requestNumber: number;
  /** Records that may arrive before the next request is due. */
  outstanding: number;
  /** Timer that sends the next request before the latest one expires. */
  renewal: NodeJS.Timeout | undefined;
  /** The consumer's own count of records: a skipped number is a record lost on the way. */
  delivered: number;
  /** Records in the stream after the latest one. */
  pending: number;
  failure: string;
}

const maxRequest = { count: 5 * chunkLimit.count, bytes: 2 * chunkLimit.bytes };

const requestExpiryMs = 5000;

/**
 * Workaround for nats-server 2.9: it forgets a request without a reply when a record arrives at its expiry, and the
 * next record would wait for the silence timeout. Renew before the request expires.
 */
const renewAfterMs = 4000;

/** Creates the state of a consumer's requests; `requestMore` sends the first one. */
export function createPullState(
  { broker }: Stream,
  { connection }: Session,
  info: ConsumerInfo,
): PullState {
  const maxPayload = connection.info?.max_payload ?? 0;
  const request = {
    batch: maxRequest.count,
    // A record over the limit of a complete request would never arrive.
    max_bytes: Math.max(maxRequest.bytes, 2 * maxPayload),
    expires: nanos(requestExpiryMs),
  };
  return {
    connection,
    buffer: createRecordBuffer(),
    inbox: broker.newInbox(),
    nextSubject: `$JS.API.CONSUMER.MSG.NEXT.${info.stream_name}.${info.name}`,
    request: Buffer.from(JSON.stringify(request)),
    requestNumber: 0,
    outstanding: 0,
    renewal: undefined,
    delivered: 0,
    pending: info.num_pending,
    failure: "",
  };
}

/** Requests records, unless enough are outstanding or buffered. */
export function requestMore(pull: PullState): void {
  const { connection, buffer, inbox, nextSubject, request } = pull;
  if (pull.failure !== "" || pull.outstanding > 0 || buffer.isFull()) return;
  pull.outstanding = maxRequest.count;
  pull.requestNumber += 1;
  connection.publish(nextSubject, request, { reply: `${inbox}.${pull.requestNumber}` });
  clearTimeout(pull.renewal);
  pull.renewal = setTimeout(() => renewRequest(pull), renewAfterMs);
}

function renewRequest(pull: PullState): void {
  pull.outstanding = 0;
  requestMore(pull);
}

/** Handles a message to `inbox.*`: a record, or the end of a request. */
export function handleMessage(pull: PullState, msg: Msg): void {
  const position = parseAckPosition(msg.reply);
  if (position === undefined) {
    receiveStatus(pull, msg);
    return;
  }
  pull.delivered += 1;
  if (position.delivered !== pull.delivered) {
    fail(pull, "a record was lost on the way");
    return;
  }
  pull.outstanding -= 1;
  pull.pending = position.pending;
  requestMore(pull);
  const record = {
    sequence: position.sequence,
    time: position.time,
    subject: msg.subject,
    headers: lowerCasedHeaders(msg.headers),
    body: msg.data,
  };
  pull.buffer.push(record, position.pending > 0 && pull.outstanding > 0);
}

/** Handles the status of the latest request; an older request is over. */
function receiveStatus(pull: PullState, { subject, headers }: Msg): void {
  const { code = 0, description = "" } = headers ?? {};
  if (code < 200 || subject !== `${pull.inbox}.${pull.requestNumber}`) return;
  if (isEndOfRequest(code, description)) renewRequest(pull);
  else fail(pull, `${code} ${description}`);
}

/** The request expired or is complete, and the next one continues. Any other status ends the consumer. */
const isEndOfRequest = (code: number, description: string): boolean =>
  code === 404 || code === 408 || (code === 409 && /exceeds maxbytes|completed/i.test(description));

/**
 * Ends the consumer and drops its buffered records, because the stream may return with another history. The next consumer
 * delivers them again, after the reader has verified the stream.
 */
export function fail(pull: PullState, reason: string): void {
  if (pull.failure === "") pull.failure = reason;
  clearTimeout(pull.renewal);
  pull.buffer.end();
}

interface AckPosition {
  readonly sequence: number;
  readonly delivered: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly pending: number;
}

/**
 * Parses the position of a record, which JetStream writes into the reply subject:
 * `$JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<times>.<sequence>.<delivered>.<nanoseconds>.<pending>[.<more>]`
 */
function parseAckPosition(reply: string | undefined): AckPosition | undefined {
  if (reply === undefined || !reply.startsWith("$JS.ACK.")) return undefined;
  const tokens = reply.split(".");
  const at = tokens.length === 9 ? 5 : 7;
  return {
    sequence: Number(tokens[at]),
    delivered: Number(tokens[at + 1]),
    // Cut as text, because nanoseconds exceed the precision of a number.
    time: Number(tokens[at + 2]?.slice(0, -6)),
    pending: Number(tokens[at + 3]),
  };
}
