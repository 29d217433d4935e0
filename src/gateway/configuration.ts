import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EnvironmentVariables } from "../config.ts";
import type { CommercetoolsConnection } from "../connectors/commercetools/state.ts";
import type { Connection } from "../connectors/delivery.ts";
import type { ShopifyConnection } from "../connectors/shopify/state.ts";
import { messageOf, VitrineError } from "../errors.ts";
import { createCompiler, readSchemas } from "../events/schemas.ts";
import { packageRoot } from "../package-info.ts";
import { isObject } from "../platform/json-file.ts";

/** Members of a connection that the file states, without its secret. */
export type ConnectionSettings = WebhookSettings | FilesConnection;

/** Settings of a platform that sends deliveries. */
export type WebhookSettings = Sourced &
  (
    | ({ readonly platform: "shopify" } & ShopifyConnection)
    | ({ readonly platform: "woocommerce" } & Connection)
    | ({ readonly platform: "commercetools"; readonly header?: string } & CommercetoolsConnection)
  );

/** A shop whose goods come in files alone. */
export interface FilesConnection extends Sourced, Connection {
  readonly platform: "files";
  /** Column by the word of a header, as `--header` names it. */
  readonly columns?: Readonly<Record<string, string>>;
}

interface Sourced {
  /** `source` of its events. */
  readonly source?: string;
}

export interface ConnectionEntry {
  readonly name: string;
  readonly settings: ConnectionSettings;
  /** Where its secrets are; none for a connection of files. */
  readonly secretSources: readonly SecretSource[];
}

/** A connection that takes deliveries, with what its secrets are. */
export interface WebhookEntry {
  readonly name: string;
  readonly settings: WebhookSettings;
  /** One, or two while a secret is rotated. */
  readonly secrets: readonly string[];
}

const platforms = Object.keys({
  shopify: true,
  woocommerce: true,
  commercetools: true,
  files: true,
} satisfies Record<ConnectionSettings["platform"], true>);

/**
 * Reads the file of connections.
 * @throws VitrineError `usage` with the path of what is wrong
 */
export const readConnections = (file: string): readonly ConnectionEntry[] => {
  const content = readFile(file);
  const connections = isObject(content) ? content["connections"] : undefined;
  if (!isObject(content) || Object.keys(content).length !== 1 || !isObject(connections)) {
    throw wrong('the file must be {"connections": {"NAME": {…}}}');
  }
  const compile = createCompiler({ ...readSchemas(), ...readConnectionSchemas() });
  return Object.entries(connections).map(([name, members]) => {
    const path = `connections.${name}`;
    if (!connectionName.test(name)) {
      throw wrong(`${path} must have a name of small letters, digits and -, at most 40`);
    }
    const platform = String(isObject(members) ? members["platform"] : "");
    if (!platforms.includes(platform)) {
      throw wrong(`${path}.platform must be one of ${platforms.join(", ")}`);
    }
    const violation = compile(`${platform}.json`, path)(members);
    if (violation) throw wrong(violation.reason);
    // The schema of the platform accepted the members.
    const { secret = [], ...settings } = members as ConnectionSettings & {
      readonly secret?: SecretSource | readonly SecretSource[];
    };
    return { name, settings, secretSources: [secret].flat() };
  });
};

/**
 * Reads the secrets of the connections that take deliveries.
 * @throws VitrineError `usage` for one that is empty, or cannot be read
 */
export const readSecrets = (
  entries: readonly ConnectionEntry[],
  env: EnvironmentVariables,
): readonly WebhookEntry[] =>
  entries.flatMap(({ name, settings, secretSources }) => {
    if (settings.platform === "files") return [];
    const path = `connections.${name}.secret`;
    return { name, settings, secrets: secretSources.map((each) => readSecret(each, path, env)) };
  });

const wrong = (reason: string): VitrineError =>
  new VitrineError("usage", reason, "correct the file of connections (--connections, CONNECTIONS)");

/** It stands in addresses, in names of directories and in event ids. */
const connectionName = /^[a-z0-9][a-z0-9-]{0,39}$/;

const readConnectionSchemas = () => {
  const folder = join(packageRoot, "schema", "connections");
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8"))]),
  );
};

const readFile = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw wrong(`${file} cannot be read: ${messageOf(error)}`);
  }
};

export interface SecretSource {
  readonly env?: string;
  readonly file?: string;
}

const readSecret = (
  { env: variable, file = "" }: SecretSource,
  path: string,
  env: EnvironmentVariables,
): string => {
  const text = variable === undefined ? readSecretFile(file, path) : env[variable];
  const secret = text?.trim() ?? "";
  if (secret !== "") return secret;
  throw wrong(
    `${path}: ${variable === undefined ? `the file ${file}` : `the variable ${variable}`} is empty`,
  );
};

const readSecretFile = (file: string, path: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw wrong(`${path}: ${messageOf(error)}`);
  }
};
