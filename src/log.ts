import { type Logger, pino } from "pino";
import { escapeInJson } from "./platform/escape-control.ts";
import { writeStderr } from "./platform/stderr.ts";

export type { Logger };

/**
 * Creates a logger of JSON lines on standard error, so that a command's output stays clean. Each line states one
 * fact; its `msg` is stable between releases, and variable parts are fields. Secrets are redacted.
 * @param level a pino level; `silent` for none
 * @param to destination of the lines
 */
export const createLogger = (
  level: string,
  name: string,
  to: { write(line: string): void } = { write: writeStderr },
): Logger =>
  pino(
    { level, name, redact: { paths: secretFields, censor: "…" } },
    { write: (line) => to.write(escapeInJson(redactSecrets(line))) },
  );

const secretFields = [
  ...["authorization", "cookie", "token", "tokenSecret", "secret", "pass", "nkey", "creds"],
  ...["headers.authorization", "headers.cookie", "config.tokenSecret", "config.nats", "nats"],
  ...["*.authorization", "*.token", "*.tokenSecret", "*.pass"],
];

/** Secrets that the error of a library may contain: own tokens, bearer tokens, keys, passwords in addresses. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/\bvit_[\w-]{8,}(?:\.[\w-]+)?/g, "vit_…"],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, "$1 …"],
  // A broker's password may contain `@` and slashes, so match up to the last `@` before white space, also inside
  // JSON.
  [/\b((?:nats|tls):\/\/)(?:\\.|[^\s"\\])*@/g, "$1…@"],
  [/\b(\w+:\/\/)[^@/\s"\\]+@/g, "$1…@"],
  [/\bS[A-Z2-7]{50,}\b/g, "…"],
  [/-----BEGIN [^-]*(?:PRIVATE KEY|SEED)-----.*?-----END [^-]*-----/g, "…"],
];

/** Replaces the secrets in a text: `nats://user:password@host` becomes `nats://…@host`. */
export const redactSecrets = (text: string): string =>
  secretPatterns.reduce(
    (redacted, [secret, replacement]) => redacted.replace(secret, replacement),
    text,
  );
