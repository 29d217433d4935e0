import { type ApiError, ErrorCode, NatsError } from "nats";
import { messageOf, VitrineError } from "../../errors.ts";

/** Whether the broker, or the way to it, may answer otherwise in a moment. */
export function isPassing(thrown: unknown): boolean {
  const cause = causeOf(thrown);
  if (!(cause instanceof NatsError))
    return thrown instanceof VitrineError && thrown.code === "event_log";
  if (cause.api_error !== undefined) return cause.api_error.code === 503;
  return !lasting.has(cause.code);
}

/** Whether nobody listened on the subject: JetStream is not up yet, or no stream takes it. */
export function isUnheard(thrown: unknown): boolean {
  const cause = causeOf(thrown);
  return cause instanceof NatsError && cause.code === ErrorCode.NoResponders && !cause.api_error;
}

/**
 * Whether the stream, or the broker, has no room for more. Where nobody makes any, waiting makes none either. A store that
 * is closed has room: it is opened again.
 */
export function isFull(thrown: unknown): boolean {
  const cause = causeOf(thrown);
  const { err_code: number, description = "" } =
    (cause instanceof NatsError ? cause.api_error : undefined) ?? {};
  return number === storeFailed ? /exceed|space/i.test(description) : noRoom.has(number ?? 0);
}

/** JetStream's own number of an error, such as 10059 for a stream that is not there. */
export function errorNumber(thrown: unknown): number | undefined {
  const cause = causeOf(thrown);
  return cause instanceof NatsError ? cause.api_error?.err_code : undefined;
}

/** Whether the account lacks the right to ask this. */
export function isForbidden(thrown: unknown): boolean {
  const cause = causeOf(thrown);
  return cause instanceof NatsError && cause.code === ErrorCode.PermissionsViolation;
}

const causeOf = (thrown: unknown): unknown =>
  thrown instanceof VitrineError ? thrown.cause : thrown;

const lasting: ReadonlySet<string> = new Set([
  ErrorCode.MaxPayloadExceeded,
  ErrorCode.PermissionsViolation,
  ErrorCode.BadSubject,
  ErrorCode.BadHeader,
  ErrorCode.BadPayload,
]);

/** What a NATS client throws, as an operator reads it: what is wrong in one line, the way out in another. */
export function refusal(thrown: unknown, address: string): VitrineError {
  if (thrown instanceof VitrineError) return thrown;
  const [what, hint] = told(thrown);
  return new VitrineError("event_log", `${address}: ${what}`, hint, thrown);
}

function told(thrown: unknown): readonly [string, string] {
  const answer = thrown instanceof NatsError ? thrown.api_error : undefined;
  // What was answered was heard, whatever its code: 503 is also that of a subject on which nobody listens.
  if (answer !== undefined) return toldByApi(answer);
  const code = thrown instanceof NatsError ? thrown.code : "";
  const known = byCode[code];
  if (known !== undefined) return known;
  const cause = thrown instanceof NatsError ? thrown.chainedError : undefined;
  const message = messageOf(cause ?? thrown) || code;
  return /certificate|ssl|tls/i.test(message) ? [message, tls] : [message, start];
}

function toldByApi({ err_code: number = 0, description }: ApiError): readonly [string, string] {
  if (number === subjectsOverlap) {
    return [
      "another stream has the subjects shop.> already",
      "name that stream with --nats-stream, or take the subjects from it first (nats stream edit)",
    ];
  }
  const what = description || `JetStream refused, with its error ${number}`;
  if (number === storeFailed || noRoom.has(number)) return [what, room];
  if (number === messageTooLarge) return [what, smaller];
  return [what, notEnabled.has(number) ? jetStream : "look at the stream there (nats stream info)"];
}

/** JetStream's numbers: another stream has the subjects; the store took it not; the message is over `max_msg_size`. */
const subjectsOverlap = 10065;
const storeFailed = 10077;
const messageTooLarge = 10054;

/** Of the account, the server, its memory, its disk. */
const noRoom: ReadonlySet<number> = new Set([10002, 10023, 10028, 10047]);

/** JetStream is not enabled, for this account or at all. */
const notEnabled: ReadonlySet<number> = new Set([10039, 10076]);

const room = "raise the stream's limits (nats stream edit), or make room at the broker";
/** The way out where a stream refuses a message for its size. */
export const smaller = "raise max_msg_size of the stream (nats stream edit), or split the event";
const jetStream =
  "start the broker with JetStream (nats-server -js), and give the stream the subjects shop.>";
const start = "start the broker there, or name the right address with --events";
const login = "check NATS_USER and NATS_PASS, NATS_TOKEN, NATS_CREDS or NATS_NKEY";
const tls =
  "check NATS_TLS_CA, NATS_TLS_CERT and NATS_TLS_KEY, and that the certificate names this host";

const byCode: Readonly<Record<string, readonly [string, string]>> = {
  [ErrorCode.ConnectionRefused]: ["connection refused", start],
  [ErrorCode.ConnectionTimeout]: ["no answer", start],
  [ErrorCode.Timeout]: ["no answer in time", start],
  [ErrorCode.ConnectionClosed]: ["the connection is closed", ""],
  [ErrorCode.NoResponders]: [
    "nobody there answers for JetStream, or no stream takes the subject",
    jetStream,
  ],
  [ErrorCode.AuthorizationViolation]: ["the broker refused the credentials", login],
  [ErrorCode.BadAuthentication]: ["the broker wants credentials", login],
  [ErrorCode.BadCreds]: ["the credentials cannot be read", login],
  [ErrorCode.AuthenticationTimeout]: ["the broker waited in vain for credentials", login],
  [ErrorCode.AuthenticationExpired]: ["the credentials have expired", login],
  [ErrorCode.AccountExpired]: ["the account has expired", login],
  [ErrorCode.Tls]: ["the broker is not to be trusted, or does not trust this client", tls],
  [ErrorCode.ServerOptionNotAvailable]: [
    "the broker offers no TLS",
    "use nats:// or turn TLS on there",
  ],
  [ErrorCode.PermissionsViolation]: [
    "this account is not allowed to do that",
    "grant it the JetStream subjects of this stream",
  ],
  [ErrorCode.BadSubject]: ["a subject has white space in it", ""],
  [ErrorCode.MaxPayloadExceeded]: [
    "a message is larger than the broker takes",
    "raise max_payload there, or split the event",
  ],
};
