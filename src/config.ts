import { VitrineError } from "./errors.ts";
import {
  type Config,
  type NatsCredentials,
  type Setting,
  type SettingName,
  settings,
} from "./settings.ts";

export type { Config, NatsCredentials, SettingName } from "./settings.ts";

/** Values of flags as typed. */
export type Flags = { readonly [K in SettingName]?: string };
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The settings of these names, and the broker's credentials, which every command reads. */
export type ConfigOf<N extends SettingName> = Pick<Config, N | "nats">;

/**
 * Reads settings from flags, else from the environment, else from the defaults. An empty variable counts as absent.
 * @param names the settings to read; the result has no others, so that a caller cannot use a setting it did not list
 * @param defaults replace the defaults of `settings`
 * @throws VitrineError `usage` with one line for each bad value
 */
export function readConfig<N extends SettingName>(
  flags: Flags,
  env: EnvironmentVariables,
  names: readonly N[],
  defaults: Partial<Pick<Config, N>> = {},
): ConfigOf<N> {
  const problems: string[] = [];
  const read = <K extends N>(name: K): Config[K] => {
    const setting: Setting<Config[K]> = settings[name];
    const defaultValue = defaults[name] ?? setting.defaultValue;
    const input = findInput(name, flags, env);
    if (!input) return defaultValue;
    const value = setting.parse(input.text);
    if (value === undefined) problems.push(`${input.redacted}: give ${setting.expected}`);
    return value ?? defaultValue;
  };
  const values: Partial<Config> = Object.fromEntries(names.map((name) => [name, read(name)]));
  const { port, opsPort } = values;
  if (port !== undefined && port === opsPort && port !== 0) {
    problems.push(`--ops-port ${opsPort}: is the public port too: give another one`);
  }
  if (problems.length > 0) throw new VitrineError("usage", problems.join("\n"));
  return Object.freeze({ ...values, nats: readCredentials(env) }) as ConfigOf<N>;
}

interface Input {
  readonly text: string;
  readonly redacted: string;
}

function findInput(name: SettingName, flags: Flags, env: EnvironmentVariables): Input | undefined {
  const { flag, env: variable, isSecret } = settings[name];
  const redactSecret = (text: string): string => (isSecret ? "…" : redact(text));
  const flagText = flags[name];
  if (flagText !== undefined)
    return { text: flagText, redacted: `${flag} ${redactSecret(flagText)}` };
  const text = env[variable];
  return text ? { text, redacted: `${variable}=${redactSecret(text)}` } : undefined;
}

/** Shortens a value to one line and removes the password that an address may contain. */
const redact = (text: string): string => {
  const plain = text.replace(/(\w+:\/\/)?\S*@/g, "$1…@").replace(/[\p{C}\p{Z}]+/gu, " ");
  return plain === "" ? '""' : plain.slice(0, 80);
};

/** Lists the environment variables that credentials are read from. */
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

const readCredentials = (env: EnvironmentVariables): NatsCredentials =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(variables).flatMap(([name, variable]) =>
        env[variable] ? [[name, env[variable]]] : [],
      ),
    ),
  );
