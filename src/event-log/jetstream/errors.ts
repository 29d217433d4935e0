import { type ApiError, ErrorCode, NatsError } from "nats";
import { messageOf, VitrineError } from "../../errors.ts";

export function isTransient(thrown: unknown): boolean {
  const cause = getNatsError(thrown);
  if (!cause) return thrown instanceof VitrineError && thrown.code === "event_log";
  if (cause.api_error !== undefined) return cause.api_error.code === 503;
  return !permanentCodes.has(cause.code);
}

/** Detects that no subscriber took the request: JetStream has not started yet, or no stream takes the subject. */
export function isNoResponders(thrown: unknown): boolean {
  const cause = getNatsError(thrown);
  return cause?.code === ErrorCode.NoResponders && !cause.api_error;
}

/**
 * Detects a full stream or broker. A retry does not help, because only an operator makes room. A closed store is not
 * full: the broker opens it again.
 */
export function isStorageFull(thrown: unknown): boolean {
  const { err_code: errorCode, description = "" } = getNatsError(thrown)?.api_error ?? {};
  return errorCode === storeFailed
    ? /exceed|space/i.test(description)
    : storageFullCodes.has(errorCode ?? 0);
}

/** Returns JetStream's error code, such as 10059 for a missing stream. */
export const jetStreamErrorCode = (thrown: unknown): number | undefined =>
  getNatsError(thrown)?.api_error?.err_code;

/** Detects that the account lacks the right to send the request. */
export const isPermissionDenied = (thrown: unknown): boolean =>
  getNatsError(thrown)?.code === ErrorCode.PermissionsViolation;

/** Returns an error of the NATS client, also as the cause of another one. */
const getNatsError = (thrown: unknown): NatsError | undefined => {
  const cause = thrown instanceof VitrineError ? thrown.cause : thrown;
  return cause instanceof NatsError ? cause : undefined;
};

const permanentCodes: ReadonlySet<string> = new Set([
  ErrorCode.MaxPayloadExceeded,
  ErrorCode.PermissionsViolation,
  ErrorCode.BadSubject,
  ErrorCode.BadHeader,
  ErrorCode.BadPayload,
]);

/** Converts an error of the NATS client for operators: the failure in one line, the remedy in another. */
export function toVitrineError(thrown: unknown, address: string): VitrineError {
  if (thrown instanceof VitrineError) return thrown;
  const [what, hint] = describeError(thrown);
  return new VitrineError("event_log", `${address}: ${what}`, hint, thrown);
}

function describeError(thrown: unknown): readonly [string, string] {
  const error = getNatsError(thrown);
  const answer = error?.api_error;
  // An API error was answered, whatever its code: 503 is also the code of a subject without subscribers.
  if (answer !== undefined) return describeApiError(answer);
  const code = error?.code ?? "";
  const description = descriptionsByCode[code];
  if (description !== undefined) return description;
  const message = messageOf(error?.chainedError ?? thrown) || code;
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
  if (errorCode === messageTooLarge) return [what, messageTooLargeHint];
  return [
    what,
    notEnabledCodes.has(errorCode) ? jetStreamHint : "inspect the stream there (nats stream info)",
  ];
}

/** JetStream's error codes: another stream has the subjects; the store failed; the message is over `max_msg_size`. */
const subjectsOverlap = 10065;
const storeFailed = 10077;
const messageTooLarge = 10054;

/** Full: the account, the server, its memory, its disk. */
const storageFullCodes: ReadonlySet<number> = new Set([10002, 10023, 10028, 10047]);

/** JetStream is not enabled, for this account or at all. */
const notEnabledCodes: ReadonlySet<number> = new Set([10039, 10076]);

const roomHint = "raise the stream's limits (nats stream edit), or make room at the broker";
/** Hint for a message over the stream's size limit. */
export const messageTooLargeHint =
  "raise max_msg_size of the stream (nats stream edit), or split the event";
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
    "JetStream does not answer there, or no stream takes the subject",
    jetStreamHint,
  ],
  [ErrorCode.AuthorizationViolation]: ["the broker refused the credentials", loginHint],
  [ErrorCode.BadAuthentication]: ["the broker wants credentials", loginHint],
  [ErrorCode.BadCreds]: ["the credentials cannot be read", loginHint],
  [ErrorCode.AuthenticationTimeout]: ["the broker got no credentials in time", loginHint],
  [ErrorCode.AuthenticationExpired]: ["the credentials have expired", loginHint],
  [ErrorCode.AccountExpired]: ["the account has expired", loginHint],
  [ErrorCode.Tls]: [
    "the broker's certificate is not trusted, or it does not trust this client",
    tlsHint,
  ],
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
