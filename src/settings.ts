import {
  choice,
  host,
  integer,
  parseBaseUrl,
  parseNames,
  parseOrigins,
  port,
  type Setting,
  setting,
} from "./setting-kinds.ts";

const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

/** All settings. The name of a setting gives its flag and its environment variable. */
const definitions = {
  port: port("port of the public service", 8080),
  host: host("address the public service listens on"),
  opsPort: port("port of health, readiness, metrics", 9090),
  opsHost: host("address the ops port listens on"),
  opsNames: setting<readonly string[]>({
    placeholder: "<names>",
    description: "host names of the console, besides IP addresses, localhost and --ops-host",
    expected: "host names without ports, separated by commas, such as ops.shop.example,vitrine-1",
    defaultValue: [],
    defaultLabel: "none",
    parse: parseNames,
  }),
  /** Has no slash at the end. */
  baseUrl: setting<string | undefined>({
    placeholder: "<url>",
    description: "public address of the service, with which every published link begins",
    expected:
      "an http or https address without query, fragment, quotes or signs of a shell, such as https://shop.example",
    defaultValue: undefined,
    defaultLabel: "http://localhost:<port>",
    parse: parseBaseUrl,
  }),
  dataDir: setting<string>({
    placeholder: "<dir>",
    description: "directory of the read model and the journal",
    expected: "the path of a directory",
    defaultValue: "./data",
    parse: (text) => (text.includes("\0") ? undefined : text),
  }),
  events: setting<string>({
    placeholder: "<log>",
    description: "the event log",
    expected:
      "journal: (inside the data directory), journal:/some/directory, nats://host:port or tls://host:port; separate several brokers with commas",
    defaultValue: "journal:",
    parse: (text) =>
      /^journal:|^(nats|tls):\/\/[^\s/,]+\/?(,\s*((nats|tls):\/\/)?[^\s/,]+\/?)*$/.test(text)
        ? text
        : undefined,
  }),
  natsStream: setting<string>({
    placeholder: "<name>",
    description: "stream of a nats:// event log",
    expected: "a stream's name, without spaces, dots, slashes, * and >",
    defaultValue: "SHOP",
    parse: (text) => (/^[^\s.*>/\\]+$/.test(text) ? text : undefined),
  }),
  workers: integer("number of HTTP processes", 1, [1, 128]),
  rateLimit: integer(
    "requests a minute for each client address (IPv6: each /64)",
    600,
    [1, 1_000_000_000],
  ),
  trustProxy: integer(
    "number of proxies in front whose X-Forwarded-For is trusted",
    0,
    [0, 32],
    ", 0 to trust none",
  ),
  maxFollowers: integer(
    "streams and waits of the change feed that one HTTP process keeps open",
    1_000,
    [1, 1_000_000],
  ),
  sharedMaxAge: integer(
    "seconds for which a shared cache, such as that of a proxy or CDN, may answer with a public reply",
    0,
    [0, 3_600],
    ", 0 to 2 for none",
  ),
  allowedOrigins: setting<readonly string[]>({
    placeholder: "<origins>",
    description: "origins of web pages that may call the tools, besides the service's own",
    expected: "origins, separated by commas, such as https://chat.example,http://localhost:3000",
    defaultValue: [],
    defaultLabel: "none",
    parse: parseOrigins,
  }),
  maxLag: setting<number>({
    placeholder: "<seconds>",
    description: "lag past which /readyz fails; reads go on",
    expected: "a number of seconds above 0",
    defaultValue: 60,
    parse: (text) => (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : undefined),
  }),
  onDivergence: choice(["rebuild", "stop"], "rebuild", [
    "<action>",
    "rebuild or stop: action when the log no longer continues the model",
    "rebuild or stop",
  ]),
  registration: choice(["open", "closed"], "open", [
    "<mode>",
    "open: agents get a token at /v1/register; closed: from you, by vitrine token issue",
    "open or closed",
  ]),
  selfIssuedTokens: choice(["refused", "accepted"], "refused", [
    "<state>",
    "whether tokens that agents gave themselves are refused or accepted while --registration is closed",
    "refused or accepted",
  ]),
  toolsAccess: choice(["token", "open"], "token", [
    "<access>",
    "token: the tools need a bearer token; open: any client may call them, also web pages",
    "token or open",
  ]),
  tokenSecret: setting<string | undefined>({
    placeholder: "<secret>",
    description:
      "secret that signs tokens, the same on every replica; TOKEN_SECRET_FILE names a file of it",
    expected: "a text of 16 to 1024 characters, such as openssl rand -base64 32 prints",
    isSecret: true,
    defaultValue: undefined,
    defaultLabel: "created at the first start, kept in the data directory",
    // Surrounding white space does not count, as in a file of the secret.
    parse: (text) => (/^[^\0]{16,1024}$/.test(text.trim()) ? text.trim() : undefined),
  }),
  synonyms: setting<string | undefined>({
    placeholder: "<file>",
    description: "file of synonyms for searches, one rule a line: a, b, c or a => b",
    expected: "the path of a text file",
    defaultValue: undefined,
    defaultLabel: "none",
    parse: (text) => (text === "" || text.includes("\0") ? undefined : text),
  }),
  connections: setting<string>({
    placeholder: "<file>",
    description: "file of the connections to platforms (schema/contract.md, Contract 10)",
    expected: "the path of a file",
    defaultValue: "connections.json",
    parse: (text) => (text === "" || text.includes("\0") ? undefined : text),
  }),
  gatewayPort: port("port of the gateway, for the webhooks of platforms", 8090),
  gatewayHost: host("address the gateway listens on"),
  gatewayOpsPort: port("port of health, readiness and metrics of the gateway", 9091),
  logLevel: choice<string>(logLevels, "info", [
    "<level>",
    `least severe log line written to standard error: ${logLevels.join(", ")}`,
    `one of ${logLevels.join(", ")}`,
  ]),
};

export type SettingName = keyof typeof definitions;

type ValueOf<S> = S extends Setting<infer T> ? T : never;

export type SettingValues = {
  readonly [K in SettingName]: ValueOf<(typeof definitions)[K]>;
};

export const settings: { readonly [K in SettingName]: Setting<SettingValues[K]> } = definitions;

/** `dataDir` → `--data-dir` */
export const toFlag = (name: string): string => `--${separate(name, "-").toLowerCase()}`;

/** `dataDir` → `DATA_DIR` */
export const toVariable = (name: string): string => separate(name, "_").toUpperCase();

const separate = (name: string, separator: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => separator + letter);
