import { readFileSync } from "node:fs";
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
  type TlsOptions,
} from "nats";
import type { NatsCredentials } from "../../config.ts";
import { messageOf, VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { raceAbort } from "../../platform/async.ts";
import { retry } from "../../platform/retry.ts";
import type { BrokerAddress } from "./broker-address.ts";
import { toVitrineError } from "./errors.ts";

export interface ConnectOptions {
  /** `nats://host:port` or `tls://host:port`, several separated by commas. */
  readonly url: string;
  readonly settings: NatsCredentials;
  readonly log?: Logger;
  /** Aborts the first connection attempt. */
  readonly signal?: AbortSignal;
}

/**
 * Delays and connectionTimes in milliseconds. First the library reconnects, with the credentials it began with, by the wall
 * clock. After `libraryReconnectMs` Vitrine reconnects, with fresh ones, by a monotonic clock.
 */
export const connectionTimes = {
  connectMs: 4000,
  pingMs: 5000,
  reconnectMs: 250,
  jitterMs: 250,
  libraryReconnectMs: 5000,
  maxRetryDelayMs: 1000,
};

/**
 * Builds the client's options for each attempt, because the credentials may have changed.
 * @throws VitrineError usage for an invalid setting
 */
export const buildConnectionOptions = (
  address: BrokerAddress,
  settings: NatsCredentials,
): ConnectionOptions => ({
  ...readCredentialOptions(address, settings),
  name: "vitrine",
  timeout: connectionTimes.connectMs,
  // The library's defaults give up after ten attempts, and detect a dead peer after minutes.
  maxReconnectAttempts: -1,
  reconnectTimeWait: connectionTimes.reconnectMs,
  reconnectJitter: connectionTimes.jitterMs,
  reconnectJitterTLS: connectionTimes.jitterMs,
  ignoreAuthErrorAbort: true,
  pingInterval: connectionTimes.pingMs,
  noAsyncTraces: true,
});

/**
 * Connects once.
 * @throws VitrineError event_log, or usage for an invalid setting
 */
export async function connectOnce(
  buildOptions: () => ConnectionOptions,
  address: string,
  signal?: AbortSignal,
): Promise<NatsConnection> {
  try {
    return await connectOrAbort(buildOptions(), address, signal);
  } catch (thrown) {
    throw toVitrineError(thrown, address);
  }
}

/**
 * Connects, and retries for ever.
 * @param buildOptions called before each attempt
 * @param onFailure called with the error of each attempt
 * @returns undefined when the signal aborts first
 */
export function connectWithRetry(
  buildOptions: () => ConnectionOptions,
  address: string,
  { log, signal }: { readonly log: Logger | undefined; readonly signal: AbortSignal },
  onFailure: (error: VitrineError) => void,
): Promise<NatsConnection | undefined> {
  let lastMessage = "";
  return retry(() => connectOnce(buildOptions, address, signal), {
    firstDelayMs: connectionTimes.reconnectMs,
    maxDelayMs: connectionTimes.maxRetryDelayMs,
    isRetryable: () => true,
    onFailure(thrown, retryInMs) {
      const error = toVitrineError(thrown, address);
      onFailure(error);
      if (signal.aborted) return;
      // Repeated failures are logged once as a warning.
      const level = error.message === lastMessage ? "debug" : "warn";
      lastMessage = error.message;
      log?.[level]({ hint: error.hint, retryInMs }, error.message);
    },
    signal,
  });
}

/**
 * Connects or aborts, because a peer that accepts the connection and stays silent would delay the end of the process.
 */
async function connectOrAbort(
  options: ConnectionOptions,
  address: string,
  signal: AbortSignal | undefined,
): Promise<NatsConnection> {
  const connecting = connect(options);
  const connection = await (signal ? raceAbort(connecting, signal) : connecting);
  if (connection) return connection;
  connecting.then(
    (late) => late.close(),
    () => undefined,
  );
  throw new VitrineError("event_log", `${address}: not connected`, "the wait was aborted");
}

/**
 * Builds the client's options for address and credentials. Files are read at once, so that a wrong path fails first.
 * @throws VitrineError usage
 */
function readCredentialOptions(
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
