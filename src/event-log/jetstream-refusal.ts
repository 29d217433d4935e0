import { ErrorCode, NatsError } from "nats";
import { messageOf, VitrineError } from "../errors.ts";

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

/** JetStream's own number of an error, such as 10059 for a stream that is not there. */
export function errorNumber(thrown: unknown): number | undefined {
  const cause = causeOf(thrown);
  return cause instanceof NatsError ? cause.api_error?.err_code : undefined;
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

/** JetStream's number for a stream whose subjects another stream has. */
const subjectsOverlap = 10065;

function told(thrown: unknown): readonly [string, string] {
  if (errorNumber(thrown) === subjectsOverlap) {
    return [
      "another stream has the subjects shop.> already",
      "name that stream with --nats-stream, or take the subjects from it first (nats stream edit)",
    ];
  }
  const code = thrown instanceof NatsError ? thrown.code : "";
  const known = byCode[code];
  if (known !== undefined) return known;
  const cause = thrown instanceof NatsError ? thrown.chainedError : undefined;
  const message = messageOf(cause ?? thrown) || code;
  return /certificate|ssl|tls/i.test(message) ? [message, tls] : [message, start];
}

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
    "start the broker with JetStream (nats-server -js), and give the stream the subjects shop.>",
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
