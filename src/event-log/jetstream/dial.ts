import { type ConnectionOptions, connect, type NatsConnection } from "nats";
import type { NatsCredentials } from "../../config.ts";
import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { isAborted, raceAbort, sleep } from "../../platform/async.ts";
import type { BrokerAddress } from "./broker-address.ts";
import { readCredentialOptions } from "./credentials.ts";
import { toVitrineError } from "./errors.ts";

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
export const timeouts = {
  connectMs: 4000,
  pingMs: 5000,
  reconnectMs: 250,
  jitterMs: 250,
  redialMs: 5000,
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
  timeout: timeouts.connectMs,
  // The library's defaults give up after ten attempts, and detect a dead peer after minutes.
  maxReconnectAttempts: -1,
  reconnectTimeWait: timeouts.reconnectMs,
  reconnectJitter: timeouts.jitterMs,
  reconnectJitterTLS: timeouts.jitterMs,
  ignoreAuthErrorAbort: true,
  pingInterval: timeouts.pingMs,
  noAsyncTraces: true,
});

/**
 * Connects, and retries if `waitForBroker` is set.
 * @param buildOptions called before each attempt
 * @param onFailure called with the error of each attempt
 * @throws VitrineError event_log
 */
export async function connectWithRetry(
  buildOptions: () => ConnectionOptions,
  address: string,
  { waitForBroker, log, signal }: Pick<ConnectOptions, "waitForBroker" | "log" | "signal">,
  onFailure: (error: VitrineError) => void = () => undefined,
): Promise<NatsConnection> {
  let lastMessage = "";
  for (
    let delayMs = timeouts.reconnectMs;
    ;
    delayMs = Math.min(delayMs * 2, timeouts.maxRetryDelayMs)
  ) {
    try {
      return await connectOrAbort(buildOptions(), address, signal);
    } catch (thrown) {
      const error = toVitrineError(thrown, address);
      onFailure(error);
      if (!waitForBroker || isAborted(signal)) throw error;
      // Repeated failures are logged once as a warning.
      const level = error.message === lastMessage ? "debug" : "warn";
      lastMessage = error.message;
      log?.[level]({ hint: error.hint, retryInMs: delayMs }, error.message);
      await sleep(delayMs, signal);
      if (isAborted(signal)) throw error;
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
  const connection = await (signal ? raceAbort(connecting, signal) : connecting);
  if (connection) return connection;
  connecting.then(
    (late) => late.close(),
    () => undefined,
  );
  throw new VitrineError("event_log", `${address}: not connected`, "the wait was aborted");
}
