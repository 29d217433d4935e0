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
  readonly placeholder: string;
  /** Expected values in words, for the error of a bad value. */
  readonly expected: string;
  readonly defaultValue: T;
  /** @returns undefined when the value is not accepted */
  parse(text: string): T | undefined;
}

export interface Setting<T> extends ValueSetting<T> {
  readonly flag: string;
  readonly env: string;
  readonly description: string;
  /** True for a value that error messages must not show. */
  readonly isSecret?: boolean;
  /** The default in words, when it is no constant. */
  readonly defaultLabel?: string;
}

const port = (defaultPort: number): ValueSetting<number> => ({
  placeholder: "<port>",
  expected: "a whole number from 0 to 65535, 0 for any free port",
  defaultValue: defaultPort,
  parse: (text: string) => parseInteger(text, 0, 65_535),
});

const host: ValueSetting<string> = {
  placeholder: "<host>",
  expected: "a host name or an address, such as 127.0.0.1, 0.0.0.0 or ::",
  defaultValue: "127.0.0.1",
  parse: (text: string) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
};

const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"];

export const settings: { readonly [K in SettingName]: Setting<Config[K]> } = {
  port: { flag: "--port", env: "PORT", description: "port of the public service", ...port(8080) },
  host: {
    flag: "--host",
    env: "HOST",
    description: "address the public service listens on",
    ...host,
  },
  opsPort: {
    flag: "--ops-port",
    env: "OPS_PORT",
    description: "port of health, readiness, metrics",
    ...port(9090),
  },
  opsHost: {
    flag: "--ops-host",
    env: "OPS_HOST",
    description: "address the ops port listens on",
    ...host,
  },
  baseUrl: {
    flag: "--base-url",
    env: "BASE_URL",
    placeholder: "<url>",
    description: "address clients know the service by",
    expected: "an http or https address without query or fragment, such as https://shop.example",
    defaultValue: undefined,
    defaultLabel: "http://localhost:<port>",
    parse: parseBaseUrl,
  },
  dataDir: {
    flag: "--data-dir",
    env: "DATA_DIR",
    placeholder: "<dir>",
    description: "directory of the read model and the journal",
    expected: "the path of a directory",
    defaultValue: "./data",
    parse: (text) => (text.includes("\0") ? undefined : text),
  },
  events: {
    flag: "--events",
    env: "EVENTS",
    placeholder: "<log>",
    description: "the event log",
    expected:
      "journal: (inside the data directory), journal:/some/directory, nats://host:port or tls://host:port, several with commas between",
    defaultValue: "journal:",
    parse: (text) =>
      /^journal:|^(nats|tls):\/\/[^\s/,]+\/?(,\s*((nats|tls):\/\/)?[^\s/,]+\/?)*$/.test(text)
        ? text
        : undefined,
  },
  natsStream: {
    flag: "--nats-stream",
    env: "NATS_STREAM",
    placeholder: "<name>",
    description: "stream of a nats:// event log",
    expected: "a stream's name, without spaces, dots, slashes, * and >",
    defaultValue: "SHOP",
    parse: (text) => (/^[^\s.*>/\\]+$/.test(text) ? text : undefined),
  },
  workers: {
    flag: "--workers",
    env: "WORKERS",
    placeholder: "<n>",
    description: "number of HTTP processes",
    expected: "a whole number from 1 to 128",
    defaultValue: 1,
    parse: (text) => parseInteger(text, 1, 128),
  },
  rateLimit: {
    flag: "--rate-limit",
    env: "RATE_LIMIT",
    placeholder: "<n>",
    description: "requests a minute for each client address (IPv6: each /64)",
    expected: "a whole number from 1 to 1000000000",
    defaultValue: 600,
    parse: (text) => parseInteger(text, 1, 1_000_000_000),
  },
  trustProxy: {
    flag: "--trust-proxy",
    env: "TRUST_PROXY",
    placeholder: "<n>",
    description: "number of proxies in front whose X-Forwarded-For is believed",
    expected: "a whole number from 0 to 32, 0 to believe none",
    defaultValue: 0,
    parse: (text) => parseInteger(text, 0, 32),
  },
  allowedOrigins: {
    flag: "--allowed-origins",
    env: "ALLOWED_ORIGINS",
    placeholder: "<origins>",
    description: "web pages that may call the tools, besides the service's own",
    expected: "origins with commas between, such as https://chat.example,http://localhost:3000",
    defaultValue: [],
    defaultLabel: "none",
    parse: parseOrigins,
  },
  maxLag: {
    flag: "--max-lag",
    env: "MAX_LAG",
    placeholder: "<seconds>",
    description: "lag past which /readyz fails; reads go on",
    expected: "a number of seconds above 0",
    defaultValue: 60,
    parse: (text) => (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : undefined),
  },
  onDivergence: {
    flag: "--on-divergence",
    env: "ON_DIVERGENCE",
    placeholder: "<what>",
    description: "rebuild or stop: what to do when the log no longer continues the model",
    expected: "rebuild or stop",
    defaultValue: "rebuild",
    parse: (text) => (text === "rebuild" || text === "stop" ? text : undefined),
  },
  registration: {
    flag: "--registration",
    env: "REGISTRATION",
    placeholder: "<mode>",
    description:
      "open: agents get a token at /v1/register; closed: from you, by vitrine token issue",
    expected: "open or closed",
    defaultValue: "open",
    parse: (text) => (text === "open" || text === "closed" ? text : undefined),
  },
  tokenSecret: {
    flag: "--token-secret",
    env: "TOKEN_SECRET",
    placeholder: "<secret>",
    description: "what tokens are signed with, the same on every replica",
    expected: "a text of 16 to 1024 characters, such as openssl rand -base64 32 prints",
    isSecret: true,
    defaultValue: undefined,
    defaultLabel: "made at the first start, kept in the data directory",
    // Surrounding white space does not count, as in the secret file of the data directory.
    parse: (text) => (/^[^\0]{16,1024}$/.test(text) && text.trim().length >= 16 ? text : undefined),
  },
  synonyms: {
    flag: "--synonyms",
    env: "SYNONYMS",
    placeholder: "<file>",
    description: "synonyms for searches, one rule a line: a, b, c or a => b",
    expected: "the path of a text file",
    defaultValue: undefined,
    defaultLabel: "none",
    parse: (text) => (text === "" || text.includes("\0") ? undefined : text),
  },
  logLevel: {
    flag: "--log-level",
    env: "LOG_LEVEL",
    placeholder: "<level>",
    description: `least severe log line written to standard error: ${logLevels.join(", ")}`,
    expected: `one of ${logLevels.join(", ")}`,
    defaultValue: "info",
    parse: (text) => (logLevels.includes(text) ? text : undefined),
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
