import { VitrineError } from "./errors.ts";
import {
  type Config,
  type NatsCredentials,
  type Setting,
  type SettingName,
  settings,
} from "./settings.ts";

export type { Config, NatsCredentials, SettingName } from "./settings.ts";

/** Values of flags as they were typed. */
export type Flags = { readonly [K in SettingName]?: string };
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Settings from flags, else the environment, else a default. An empty variable counts as absent.
 * @param names the settings that matter; the others keep their defaults unread.
 * @param defaults instead of the usual ones.
 * @throws VitrineError `usage` with one line for each bad value.
 */
export function readConfig(
  flags: Flags,
  env: Environment,
  names: readonly SettingName[],
  defaults: Partial<Config> = {},
): Config {
  const problems: string[] = [];
  const read = <K extends SettingName>(name: K): Config[K] => {
    const setting: Setting<Config[K]> = settings[name];
    const fallback = name in defaults ? (defaults[name] as Config[K]) : setting.fallback;
    const given = givenFor(name, flags, env);
    if (!given || !names.includes(name)) return fallback;
    const value = setting.read(given.text);
    if (value === undefined) problems.push(`${given.shown}: give ${setting.accepts}`);
    return value ?? fallback;
  };
  const config: Config = {
    port: read("port"),
    host: read("host"),
    opsPort: read("opsPort"),
    opsHost: read("opsHost"),
    baseUrl: read("baseUrl"),
    dataDir: read("dataDir"),
    events: read("events"),
    natsStream: read("natsStream"),
    workers: read("workers"),
    rateLimit: read("rateLimit"),
    trustProxy: read("trustProxy"),
    allowedOrigins: read("allowedOrigins"),
    maxLag: read("maxLag"),
    onDivergence: read("onDivergence"),
    registration: read("registration"),
    tokenSecret: read("tokenSecret"),
    logLevel: read("logLevel"),
    synonyms: read("synonyms"),
    nats: readCredentials(env),
  };
  if (names.includes("port") && config.port === config.opsPort && config.port !== 0) {
    problems.push(`--ops-port ${config.opsPort}: is the public port too: give another one`);
  }
  if (problems.length > 0) throw new VitrineError("usage", problems.join("\n"));
  return Object.freeze(config);
}

interface Given {
  readonly text: string;
  readonly shown: string;
}

function givenFor(name: SettingName, flags: Flags, env: Environment): Given | undefined {
  const { flag, env: variable, isSecret } = settings[name];
  const show = (text: string): string => (isSecret ? "…" : shown(text));
  const flagged = flags[name];
  if (flagged !== undefined) return { text: flagged, shown: `${flag} ${show(flagged)}` };
  const text = env[variable];
  return text ? { text, shown: `${variable}=${show(text)}` } : undefined;
}

/** On one line, short, and without the password an address may hold. */
const shown = (text: string): string => {
  const plain = text.replace(/(\w+:\/\/)?\S*@/g, "$1…@").replace(/[\p{C}\p{Z}]+/gu, " ");
  return plain === "" ? '""' : plain.slice(0, 80);
};

/** The variables that credentials come from. */
export const credentialVariables = (): readonly string[] => Object.values(variables);

const variables: Readonly<Record<keyof NatsCredentials, string>> = {
  creds: "NATS_CREDS",
  user: "NATS_USER",
  pass: "NATS_PASS",
  token: "NATS_TOKEN",
  nkey: "NATS_NKEY",
  tlsCa: "NATS_TLS_CA",
  tlsCert: "NATS_TLS_CERT",
  tlsKey: "NATS_TLS_KEY",
  inboxPrefix: "NATS_INBOX_PREFIX",
};

const readCredentials = (env: Environment): NatsCredentials =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(variables).flatMap(([name, variable]) =>
        env[variable] ? [[name, env[variable]]] : [],
      ),
    ),
  );
