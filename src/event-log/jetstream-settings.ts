import { readFileSync } from "node:fs";
import {
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
  type TlsOptions,
} from "nats";
import type { NatsCredentials } from "../config.ts";
import { messageOf, VitrineError } from "../errors.ts";

/** A broker's address as given, taken apart. */
export interface BrokerAddress {
  /** Safe to show: without user and password. */
  readonly shown: string;
  readonly servers: readonly string[];
  readonly tls: boolean;
  readonly user?: string;
  readonly pass?: string;
}

/**
 * Takes `nats://host:port` or `tls://user:pass@host:port`, several with commas between, apart.
 * @throws VitrineError usage
 */
export function parseBrokerAddress(address: string): BrokerAddress {
  const [first = "", ...others] = address.split(",").map((part) => part.trim());
  const scheme = first.slice(0, first.indexOf("//") + 2);
  const urls = [first, ...others.map((part) => (part.includes("//") ? part : scheme + part))].map(
    parseUrl,
  );
  const user = urls.find((url) => url.username !== "");
  return {
    shown: urls.map((url) => `${url.protocol}//${url.host}`).join(","),
    servers: urls.map((url) => url.host),
    tls: urls.some((url) => url.protocol === "tls:"),
    ...(user && { user: decoded(user.username), pass: decoded(user.password) }),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (thrown) {
    throw new VitrineError(
      "usage",
      "the user or password in the address of the broker cannot be read",
      "write each % in it as %25; or give them as NATS_USER and NATS_PASS",
      thrown,
    );
  }
}

function parseUrl(part: string): URL {
  const url = URL.canParse(part) ? new URL(part) : undefined;
  if (url !== undefined && url.hostname !== "" && ["nats:", "tls:"].includes(url.protocol))
    return url;
  throw new VitrineError(
    "usage",
    "the address of the broker cannot be read",
    "give nats://host:port or tls://host:port, several with commas between",
  );
}

/** What the client library wants. Files are read now, so that a wrong path is told before anything else. */
export function connectionOptions(
  address: BrokerAddress,
  settings: NatsCredentials,
): ConnectionOptions {
  const user = settings.user ?? address.user;
  const pass = settings.pass ?? address.pass;
  const tls = tlsOptions(address, settings);
  const authenticators = [
    ...(settings.creds ? [credsAuthenticator(fileOf("NATS_CREDS", settings.creds))] : []),
    ...(settings.nkey ? [nkeyAuthenticator(seedOf(settings.nkey))] : []),
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
    ...(tlsCa && { ca: textOf("NATS_TLS_CA", tlsCa) }),
    ...(tlsCert && { cert: textOf("NATS_TLS_CERT", tlsCert) }),
    ...(tlsKey && { key: textOf("NATS_TLS_KEY", tlsKey) }),
  };
  return address.tls || Object.keys(options).length > 0 ? options : undefined;
}

const seedOf = (path: string): Uint8Array => Buffer.from(textOf("NATS_NKEY", path).trim());

const textOf = (name: string, path: string): string => fileOf(name, path).toString("utf8");

function fileOf(name: string, path: string): Buffer {
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
