/** All settings, read once at the start (Contract §1). */
export interface Config {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** 0 takes any free port. */
  readonly opsPort: number;
  readonly opsHost: string;
  /** Canonical address without a slash at the end; undefined means `http://localhost:<port>`. */
  readonly baseUrl: string | undefined;
  readonly dataDir: string;
  /** Address of the event log. */
  readonly events: string;
  readonly natsStream: string;
  /** Number of HTTP processes. */
  readonly workers: number;
  /** Requests per minute for each client address. */
  readonly rateLimit: number;
  /** Number of proxies in front of the service whose X-Forwarded-For is trusted. */
  readonly trustProxy: number;
  /** Origins of web pages that may call the tools, besides the service's own. */
  readonly allowedOrigins: readonly string[];
  /** Seconds of lag above which `/readyz` fails. */
  readonly maxLag: number;
  readonly onDivergence: "rebuild" | "stop";
  /** Whether agents issue themselves tokens, or request them from the shop's owner. */
  readonly registration: "open" | "closed";
  /** Undefined means the secret stored in the data directory. */
  readonly tokenSecret: string | undefined;
  readonly logLevel: string;
  /** File of synonyms; undefined means none. */
  readonly synonyms: string | undefined;
  /** Credentials come from the environment only, because process lists show flags. */
  readonly nats: NatsCredentials;
}

/** Credentials for the broker. All but `user`, `pass`, `token` and `inboxPrefix` are paths of files. */
export interface NatsCredentials {
  /** A credentials file: a user's JWT and seed. */
  readonly creds?: string;
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  /** A file that contains an nkey seed. */
  readonly nkey?: string;
  /** Certificate authority, when the system does not know it. */
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** For an account that may subscribe only below its own subject. */
  readonly inboxPrefix?: string;
}

export type SettingName = Exclude<keyof Config, "nats">;

/** The part of a setting that depends on the type of its value. */
interface ValueSetting<T> {
  /** Placeholder of the value in the help text. */
  readonly value: string;
  /** Expected values in words, for the error of a bad value. */
  readonly accepts: string;
  readonly fallback: T;
  /** @returns undefined when the value is not accepted */
  read(text: string): T | undefined;
}

export interface Setting<T> extends ValueSetting<T> {
  readonly flag: string;
  readonly env: string;
  readonly tells: string;
  /** True for a value that error messages must not show. */
  readonly isSecret?: boolean;
  /** The default in words, when it is no constant. */
  readonly shownFallback?: string;
}

const port = (defaultPort: number): ValueSetting<number> => ({
  value: "<port>",
  accepts: "a whole number from 0 to 65535, 0 for any free port",
  fallback: defaultPort,
  read: (text: string) => parseInteger(text, 0, 65_535),
});

const host: ValueSetting<string> = {
  value: "<host>",
  accepts: "a host name or an address, such as 127.0.0.1, 0.0.0.0 or ::",
  fallback: "127.0.0.1",
  read: (text: string) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
};

const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"];

export const settings: { readonly [K in SettingName]: Setting<Config[K]> } = {
  port: { flag: "--port", env: "PORT", tells: "port of the public service", ...port(8080) },
  host: { flag: "--host", env: "HOST", tells: "address the public service listens on", ...host },
  opsPort: {
    flag: "--ops-port",
    env: "OPS_PORT",
    tells: "port of health, readiness, metrics",
    ...port(9090),
  },
  opsHost: {
    flag: "--ops-host",
    env: "OPS_HOST",
    tells: "address the ops port listens on",
    ...host,
  },
  baseUrl: {
    flag: "--base-url",
    env: "BASE_URL",
    value: "<url>",
    tells: "address clients know the service by",
    accepts: "an http or https address without query or fragment, such as https://shop.example",
    fallback: undefined,
    shownFallback: "http://localhost:<port>",
    read: parseBaseUrl,
  },
  dataDir: {
    flag: "--data-dir",
    env: "DATA_DIR",
    value: "<dir>",
    tells: "directory of the read model and the journal",
    accepts: "the path of a directory",
    fallback: "./data",
    read: (text) => (text.includes("\0") ? undefined : text),
  },
  events: {
    flag: "--events",
    env: "EVENTS",
    value: "<log>",
    tells: "the event log",
    accepts:
      "journal: (inside the data directory), journal:/some/directory, nats://host:port or tls://host:port, several with commas between",
    fallback: "journal:",
    read: (text) =>
      /^journal:|^(nats|tls):\/\/[^\s/,]+\/?(,\s*((nats|tls):\/\/)?[^\s/,]+\/?)*$/.test(text)
        ? text
        : undefined,
  },
  natsStream: {
    flag: "--nats-stream",
    env: "NATS_STREAM",
    value: "<name>",
    tells: "stream of a nats:// event log",
    accepts: "a stream's name, without spaces, dots, slashes, * and >",
    fallback: "SHOP",
    read: (text) => (/^[^\s.*>/\\]+$/.test(text) ? text : undefined),
  },
  workers: {
    flag: "--workers",
    env: "WORKERS",
    value: "<n>",
    tells: "number of HTTP processes",
    accepts: "a whole number from 1 to 128",
    fallback: 1,
    read: (text) => parseInteger(text, 1, 128),
  },
  rateLimit: {
    flag: "--rate-limit",
    env: "RATE_LIMIT",
    value: "<n>",
    tells: "requests a minute for each client address (IPv6: each /64)",
    accepts: "a whole number from 1 to 1000000000",
    fallback: 600,
    read: (text) => parseInteger(text, 1, 1_000_000_000),
  },
  trustProxy: {
    flag: "--trust-proxy",
    env: "TRUST_PROXY",
    value: "<n>",
    tells: "number of proxies in front whose X-Forwarded-For is believed",
    accepts: "a whole number from 0 to 32, 0 to believe none",
    fallback: 0,
    read: (text) => parseInteger(text, 0, 32),
  },
  allowedOrigins: {
    flag: "--allowed-origins",
    env: "ALLOWED_ORIGINS",
    value: "<origins>",
    tells: "web pages that may call the tools, besides the service's own",
    accepts: "origins with commas between, such as https://chat.example,http://localhost:3000",
    fallback: [],
    shownFallback: "none",
    read: parseOrigins,
  },
  maxLag: {
    flag: "--max-lag",
    env: "MAX_LAG",
    value: "<seconds>",
    tells: "lag past which /readyz fails; reads go on",
    accepts: "a number of seconds above 0",
    fallback: 60,
    read: (text) => (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : undefined),
  },
  onDivergence: {
    flag: "--on-divergence",
    env: "ON_DIVERGENCE",
    value: "<what>",
    tells: "rebuild or stop: what to do when the log no longer continues the model",
    accepts: "rebuild or stop",
    fallback: "rebuild",
    read: (text) => (text === "rebuild" || text === "stop" ? text : undefined),
  },
  registration: {
    flag: "--registration",
    env: "REGISTRATION",
    value: "<mode>",
    tells: "open: agents get a token at /v1/register; closed: from you, by vitrine token issue",
    accepts: "open or closed",
    fallback: "open",
    read: (text) => (text === "open" || text === "closed" ? text : undefined),
  },
  tokenSecret: {
    flag: "--token-secret",
    env: "TOKEN_SECRET",
    value: "<secret>",
    tells: "what tokens are signed with, the same on every replica",
    accepts: "a text of 16 to 1024 characters, such as openssl rand -base64 32 prints",
    isSecret: true,
    fallback: undefined,
    shownFallback: "made at the first start, kept in the data directory",
    // Surrounding white space does not count, as in the secret file of the data directory.
    read: (text) => (/^[^\0]{16,1024}$/.test(text) && text.trim().length >= 16 ? text : undefined),
  },
  synonyms: {
    flag: "--synonyms",
    env: "SYNONYMS",
    value: "<file>",
    tells: "synonyms for searches, one rule a line: a, b, c or a => b",
    accepts: "the path of a text file",
    fallback: undefined,
    shownFallback: "none",
    read: (text) => (text === "" || text.includes("\0") ? undefined : text),
  },
  logLevel: {
    flag: "--log-level",
    env: "LOG_LEVEL",
    value: "<level>",
    tells: `least severe log line written to standard error: ${logLevels.join(", ")}`,
    accepts: `one of ${logLevels.join(", ")}`,
    fallback: "info",
    read: (text) => (logLevels.includes(text) ? text : undefined),
  },
};

function parseInteger(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

function parseBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username !== "") return undefined;
  return /[?#\s]/.test(text) ? undefined : text.replace(/\/+$/, "");
}

/** Parses a list of origins as browsers write them: no path, no default port. */
function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(",").map((origin) => origin.trim().toLowerCase());
  const isOrigin = (origin: string): boolean =>
    /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}
