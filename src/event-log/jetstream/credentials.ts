import { readFileSync } from "node:fs";
import {
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
  type TlsOptions,
} from "nats";
import type { NatsCredentials } from "../../config.ts";
import { messageOf, VitrineError } from "../../errors.ts";
import type { BrokerAddress } from "./broker-address.ts";

/**
 * Builds the client's options for address and credentials. Files are read at once, so that a wrong path fails first.
 * @throws VitrineError usage
 */
export function readCredentialOptions(
  address: BrokerAddress,
  settings: NatsCredentials,
): ConnectionOptions {
  const user = settings.user ?? address.user;
  const pass = settings.pass ?? address.pass;
  const tls = tlsOptions(address, settings);
  const authenticators = [
    ...(settings.creds ? [credsAuthenticator(readSettingFile("NATS_CREDS", settings.creds))] : []),
    ...(settings.nkey ? [nkeyAuthenticator(readSeed(settings.nkey))] : []),
  ];
  return {
    servers: [...address.servers],
    ...(user !== undefined && { user }),
    ...(pass !== undefined && { pass }),
    ...(settings.token !== undefined && { token: settings.token }),
    ...(settings.inboxPrefix !== undefined && { inboxPrefix: settings.inboxPrefix }),
    ...(authenticators.length > 0 && { authenticator: authenticators }),
    ...(tls && { tls }),
  };
}

function tlsOptions(address: BrokerAddress, settings: NatsCredentials): TlsOptions | undefined {
  const { tlsCa, tlsCert, tlsKey } = settings;
  const options = {
    ...(tlsCa && { ca: readSettingText("NATS_TLS_CA", tlsCa) }),
    ...(tlsCert && { cert: readSettingText("NATS_TLS_CERT", tlsCert) }),
    ...(tlsKey && { key: readSettingText("NATS_TLS_KEY", tlsKey) }),
  };
  return address.tls || Object.keys(options).length > 0 ? options : undefined;
}

const readSeed = (path: string): Uint8Array =>
  Buffer.from(readSettingText("NATS_NKEY", path).trim());

const readSettingText = (name: string, path: string): string =>
  readSettingFile(name, path).toString("utf8");

function readSettingFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (thrown) {
    throw new VitrineError(
      "usage",
      `${name} names a file that cannot be read: ${messageOf(thrown)}`,
      "give the path of a file this user may read",
      thrown,
    );
  }
}
