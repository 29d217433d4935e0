import { readFileSync } from "node:fs";
import { messageOf, VitrineError } from "./errors.ts";
import type { Setting } from "./setting-kinds.ts";
import { type SettingName, type SettingValues, settings, toFlag, toVariable } from "./settings.ts";

export type { SettingName } from "./settings.ts";

/** All settings, read once at the start (Contract §1). */
export interface Config extends SettingValues {
  /** Credentials come from the environment only, because process lists show flags. */
  readonly nats: NatsCredentials;
}

/** Credentials for the broker, each with its meaning. The environment variables are derived from the names. */
export const natsCredentials = {
  creds: "path of a credentials file: JWT and seed of a user",
  user: "user",
  pass: "password",
  token: "token",
  nkey: "path of a file that contains an nkey seed",
  tlsCa: "path of the certificate of an authority that the system does not trust",
  tlsCert: "path of the client's certificate",
  tlsKey: "path of the key of the client's certificate",
  inboxPrefix:
    "prefix of reply subjects, for an account that may subscribe only below its own subject",
};

export type NatsCredentials = { readonly [K in keyof typeof natsCredentials]?: string };

/** Values of flags as typed. */
export type Flags = { readonly [K in SettingName]?: string };
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The settings of these names, and the broker's credentials, which every command reads. */
export type ConfigOf<N extends SettingName> = Pick<Config, N | "nats">;

export interface ReadConfigOptions<N extends SettingName> {
  /** Replace the defaults of `settings`. */
  readonly defaults?: Partial<Pick<SettingValues, N>>;
  /** Checks the values further. Its `usage` errors are reported together with the other bad values. */
  readonly check?: ((config: ConfigOf<N>) => void) | undefined;
}

/**
 * Reads settings from flags, else from the environment, else from the defaults. An empty variable counts as absent.
 * @param names the settings to read; the result has no others, so that a caller cannot use a setting it did not list
 * @throws VitrineError `usage` with one line for each bad value
 */
export function readConfig<N extends SettingName>(
  flags: Flags,
  env: EnvironmentVariables,
  names: readonly N[],
  { defaults = {}, check }: ReadConfigOptions<N> = {},
): ConfigOf<N> {
  const problems: string[] = [];
  const read = <K extends N>(name: K): SettingValues[K] => {
    const setting: Setting<SettingValues[K]> = settings[name];
    const defaultValue = defaults[name] ?? setting.defaultValue;
    const input = findInput(name, flags, env);
    if (!input) return defaultValue;
    const value = setting.parse(input.text);
    if (value === undefined) problems.push(`${input.redacted}: give ${setting.expected}`);
    return value ?? defaultValue;
  };
  const values: Partial<SettingValues> = Object.fromEntries(
    names.map((name) => [name, read(name)]),
  );
  const config = Object.freeze({ ...values, nats: readCredentials(env) }) as ConfigOf<N>;
  const { port, opsPort } = values;
  if (port !== undefined && port === opsPort && port !== 0) {
    problems.push(`--ops-port ${opsPort}: is the public port too: give another one`);
  }
  const failedCheck = check && findUsageError(() => check(config));
  if (failedCheck) problems.push(failedCheck.message);
  if (problems.length > 0) {
    throw new VitrineError("usage", problems.join("\n"), failedCheck?.hint);
  }
  return config;
}

const findUsageError = (check: () => void): VitrineError | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof VitrineError && error.code === "usage") return error;
    throw error;
  }
};

interface Input {
  readonly text: string;
  readonly redacted: string;
}

function findInput(name: SettingName, flags: Flags, env: EnvironmentVariables): Input | undefined {
  const redactSecret = (text: string): string => (settings[name].isSecret ? "…" : redact(text));
  const fromFlag = flags[name];
  if (fromFlag !== undefined) {
    return { text: fromFlag, redacted: `${toFlag(name)} ${redactSecret(fromFlag)}` };
  }
  const variable = toVariable(name);
  const text = env[variable];
  if (text) return { text, redacted: `${variable}=${redactSecret(text)}` };
  const file = settings[name].isSecret && env[`${variable}_FILE`];
  return file ? readSecretFile(file, `${variable}_FILE=${redact(file)}`) : undefined;
}

/** Reads a secret as containers pass it. A file that cannot be read holds none. */
const readSecretFile = (path: string, redacted: string): Input => {
  try {
    return { text: readFileSync(path, "utf8"), redacted };
  } catch (error) {
    return { text: "", redacted: `${redacted}: ${messageOf(error)}` };
  }
};

/** Shortens a value to one line and removes the password that an address may contain. */
const redact = (text: string): string => {
  const plain = text.replace(/(\w+:\/\/)?\S*@/g, "$1…@").replace(/[\p{C}\p{Z}]+/gu, " ");
  return plain === "" ? '""' : plain.slice(0, 80);
};

const readCredentials = (env: EnvironmentVariables): NatsCredentials =>
  Object.freeze(
    Object.fromEntries(
      Object.keys(natsCredentials).flatMap((name) => {
        // A variable that is filled from a file may have the line end of the file.
        const value = env[toNatsVariable(name)]?.replace(/[\r\n]+$/, "");
        return value ? [[name, value]] : [];
      }),
    ),
  );

/** `tlsCa` → `NATS_TLS_CA` */
export const toNatsVariable = (name: string): string => `NATS_${toVariable(name)}`;
