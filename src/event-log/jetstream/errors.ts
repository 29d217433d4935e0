import { type ApiError, ErrorCode, NatsError } from "nats";
import { messageOf, VitrineError } from "../../errors.ts";

/** Whether the broker, or the way to it, may answer otherwise in a moment. */
export function isPassing(thrown: unknown): boolean {
  const cause = getCause(thrown);
  if (!(cause instanceof NatsError))
    return thrown instanceof VitrineError && thrown.code === "event_log";
  if (cause.api_error !== undefined) return cause.api_error.code === 503;
  return !permanentCodes.has(cause.code);
}

/** Whether nobody listened on the subject: JetStream is not up yet, or no stream takes it. */
export function isUnheard(thrown: unknown): boolean {
  const cause = getCause(thrown);
  return cause instanceof NatsError && cause.code === ErrorCode.NoResponders && !cause.api_error;
}

/**
 * Whether the stream, or the broker, has no room for more. Where nobody makes any, waiting makes none either. A store that
 * is closed has room: it is opened again.
 */
export function isFull(thrown: unknown): boolean {
  const cause = getCause(thrown);
  const { err_code: errorCode, description = "" } =
    (cause instanceof NatsError ? cause.api_error : undefined) ?? {};
  return errorCode === storeFailed
    ? /exceed|space/i.test(description)
    : storageFullCodes.has(errorCode ?? 0);
}

/** JetStream's own number of an error, such as 10059 for a stream that is not there. */
export function errorNumber(thrown: unknown): number | undefined {
  const cause = getCause(thrown);
  return cause instanceof NatsError ? cause.api_error?.err_code : undefined;
}

/** Whether the account lacks the right to ask this. */
export function isForbidden(thrown: unknown): boolean {
  const cause = getCause(thrown);
  return cause instanceof NatsError && cause.code === ErrorCode.PermissionsViolation;
}

const getCause = (thrown: unknown): unknown =>
  thrown instanceof VitrineError ? thrown.cause : thrown;

const permanentCodes: ReadonlySet<string> = new Set([
  ErrorCode.MaxPayloadExceeded,
  ErrorCode.PermissionsViolation,
  ErrorCode.BadSubject,
  ErrorCode.BadHeader,
  ErrorCode.BadPayload,
]);

/** What a NATS client throws, as an operator reads it: what is wrong in one line, the way out in another. */
export function refusal(thrown: unknown, address: string): VitrineError {
  if (thrown instanceof VitrineError) return thrown;
  const [what, hint] = describeError(thrown);
  return new VitrineError("event_log", `${address}: ${what}`, hint, thrown);
}

function describeError(thrown: unknown): readonly [string, string] {
  const answer = thrown instanceof NatsError ? thrown.api_error : undefined;
  // What was answered was heard, whatever its code: 503 is also that of a subject on which nobody listens.
  if (answer !== undefined) return describeApiError(answer);
  const code = thrown instanceof NatsError ? thrown.code : "";
  const description = descriptionsByCode[code];
  if (description !== undefined) return description;
  const cause = thrown instanceof NatsError ? thrown.chainedError : undefined;
  const message = messageOf(cause ?? thrown) || code;
  return /certificate|ssl|tls/i.test(message) ? [message, tlsHint] : [message, startHint];
}

function describeApiError({
  err_code: errorCode = 0,
  description,
}: ApiError): readonly [string, string] {
  if (errorCode === subjectsOverlap) {
    return [
      "another stream has the subjects shop.> already",
      "name that stream with --nats-stream, or take the subjects from it first (nats stream edit)",
    ];
  }
  const what = description || `JetStream refused, with its error ${errorCode}`;
  if (errorCode === storeFailed || storageFullCodes.has(errorCode)) return [what, roomHint];
  if (errorCode === messageTooLarge) return [what, smaller];
  return [
    what,
    notEnabledCodes.has(errorCode) ? jetStreamHint : "look at the stream there (nats stream info)",
  ];
}

/** JetStream's numbers: another stream has the subjects; the store took it not; the message is over `max_msg_size`. */
const subjectsOverlap = 10065;
const storeFailed = 10077;
const messageTooLarge = 10054;

/** Of the account, the server, its memory, its disk. */
const storageFullCodes: ReadonlySet<number> = new Set([10002, 10023, 10028, 10047]);

/** JetStream is not enabled, for this account or at all. */
const notEnabledCodes: ReadonlySet<number> = new Set([10039, 10076]);

const roomHint = "raise the stream's limits (nats stream edit), or make room at the broker";
/** The way out where a stream refuses a message for its size. */
export const smaller = "raise max_msg_size of the stream (nats stream edit), or split the event";
const jetStreamHint =
  "start the broker with JetStream (nats-server -js), and give the stream the subjects shop.>";
const startHint = "start the broker there, or name the right address with --events";
const loginHint = "check NATS_USER and NATS_PASS, NATS_TOKEN, NATS_CREDS or NATS_NKEY";
const tlsHint =
  "check NATS_TLS_CA, NATS_TLS_CERT and NATS_TLS_KEY, and that the certificate names this host";

const descriptionsByCode: Readonly<Record<string, readonly [string, string]>> = {
  [ErrorCode.ConnectionRefused]: ["connection refused", startHint],
  [ErrorCode.ConnectionTimeout]: ["no answer", startHint],
  [ErrorCode.Timeout]: ["no answer in time", startHint],
  [ErrorCode.ConnectionClosed]: ["the connection is closed", ""],
  [ErrorCode.NoResponders]: [
    "nobody there answers for JetStream, or no stream takes the subject",
    jetStreamHint,
  ],
  [ErrorCode.AuthorizationViolation]: ["the broker refused the credentials", loginHint],
  [ErrorCode.BadAuthentication]: ["the broker wants credentials", loginHint],
  [ErrorCode.BadCreds]: ["the credentials cannot be read", loginHint],
  [ErrorCode.AuthenticationTimeout]: ["the broker waited in vain for credentials", loginHint],
  [ErrorCode.AuthenticationExpired]: ["the credentials have expired", loginHint],
  [ErrorCode.AccountExpired]: ["the account has expired", loginHint],
  [ErrorCode.Tls]: ["the broker is not to be trusted, or does not trust this client", tlsHint],
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
