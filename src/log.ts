import { type Logger, pino } from "pino";
import { toStandardError } from "./platform/stderr.ts";

export type { Logger };

/**
 * Structured logs on standard error, so that a command's own output stays clean. One line a fact, with a `msg` that
 * stays the same from release to release; what varies stands in fields. No line holds a secret.
 * @param level a pino level; `silent` for none.
 * @param to where lines go
 */
export const createLogger = (
  level: string,
  name: string,
  to: { write(line: string): void } = { write: toStandardError },
): Logger =>
  pino(
    { level, name, redact: { paths: secretFields, censor: "…" } },
    { write: (line) => to.write(withoutSecrets(line)) },
  );

/** Members that hold a secret whatever they are part of. */
const secretFields = [
  ...["authorization", "cookie", "token", "tokenSecret", "secret", "pass", "nkey", "creds"],
  ...["headers.authorization", "headers.cookie", "config.tokenSecret", "config.nats", "nats"],
  ...["*.authorization", "*.token", "*.tokenSecret", "*.pass"],
];

/** What an error of a library may carry into any text: tokens of ours, bearer tokens, keys, an address's password. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/\bvit_[\w-]{8,}(?:\.[\w-]+)?/g, "vit_…"],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, "$1 …"],
  // Of a broker up to the last `@` of what holds together, in JSON or not: a password may hold one, and strokes.
  [/\b((?:nats|tls):\/\/)(?:\\.|[^\s"\\])*@/g, "$1…@"],
  [/\b(\w+:\/\/)[^@/\s"\\]+@/g, "$1…@"],
  [/\bS[A-Z2-7]{50,}\b/g, "…"],
  [/-----BEGIN [^-]*(?:PRIVATE KEY|SEED)-----.*?-----END [^-]*-----/g, "…"],
];

/** A text without what nobody may read in a log: `nats://user:password@host` becomes `nats://…@host`. */
export const withoutSecrets = (text: string): string =>
  secretPatterns.reduce(
    (redacted, [secret, replacement]) => redacted.replace(secret, replacement),
    text,
  );
