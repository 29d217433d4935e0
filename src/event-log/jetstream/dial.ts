import { type ConnectionOptions, connect, type NatsConnection } from "nats";
import type { NatsCredentials } from "../../config.ts";
import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { aborted, pause, unlessAborted } from "../../platform/async.ts";
import type { BrokerAddress } from "./broker-address.ts";
import { connectionOptions } from "./credentials.ts";
import { refusal } from "./errors.ts";

export interface ConnectOptions {
  readonly url: string;
  readonly settings: NatsCredentials;
  /** true: retry for ever with growing delays; false: fail within seconds when the broker is unavailable. */
  readonly waitForBroker: boolean;
  readonly log?: Logger;
  /** Aborts the wait. */
  readonly signal?: AbortSignal;
}

/**
 * Times in milliseconds. The client library reconnects by itself first, by the wall clock and with its first
 * credentials; after `redialMs` this module reconnects, by a monotonic clock and with the current credentials.
 */
export const patience = {
  connect: 4000,
  ping: 5000,
  reconnect: 250,
  jitter: 250,
  redial: 5000,
  longestPause: 1000,
};

/**
 * Builds the client's options for each attempt, because the credentials may have changed.
 * @throws VitrineError usage for an invalid setting
 */
export const dialledWith = (
  address: BrokerAddress,
  settings: NatsCredentials,
): ConnectionOptions => ({
  ...connectionOptions(address, settings),
  name: "vitrine",
  timeout: patience.connect,
  // The library's defaults give up after ten attempts, and detect a dead peer after minutes.
  maxReconnectAttempts: -1,
  reconnectTimeWait: patience.reconnect,
  reconnectJitter: patience.jitter,
  reconnectJitterTLS: patience.jitter,
  ignoreAuthErrorAbort: true,
  pingInterval: patience.ping,
  noAsyncTraces: true,
});

/**
 * Connects, and retries if `waitForBroker` is set.
 * @param buildOptions called before each attempt
 * @param onFailure called with the error of each attempt
 * @throws VitrineError event_log
 */
export async function dial(
  buildOptions: () => ConnectionOptions,
  address: string,
  { waitForBroker, log, signal }: Pick<ConnectOptions, "waitForBroker" | "log" | "signal">,
  onFailure: (error: VitrineError) => void = () => undefined,
): Promise<NatsConnection> {
  let lastMessage = "";
  for (let delayMs = patience.reconnect; ; delayMs = Math.min(delayMs * 2, patience.longestPause)) {
    try {
      return await connectOrAbort(buildOptions(), address, signal);
    } catch (thrown) {
      const error = refusal(thrown, address);
      onFailure(error);
      if (!waitForBroker || aborted(signal)) throw error;
      // Repeated failures are logged once as a warning.
      const level = error.message === lastMessage ? "debug" : "warn";
      lastMessage = error.message;
      log?.[level]({ hint: error.hint, retryInMs: delayMs }, error.message);
      await pause(delayMs, signal);
      if (aborted(signal)) throw error;
    }
  }
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
  const connection = await (signal ? unlessAborted(connecting, signal) : connecting);
  if (connection) return connection;
  connecting.then(
    (late) => late.close(),
    () => undefined,
  );
  throw new VitrineError("event_log", `${address}: not connected`, "the wait was aborted");
}
