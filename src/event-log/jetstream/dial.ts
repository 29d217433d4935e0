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
  /** true: try for ever, with growing pauses; false: a broker that is not there is an error in seconds. */
  readonly waitForBroker: boolean;
  readonly log?: Logger;
  /** Gives up waiting. */
  readonly signal?: AbortSignal;
}

/**
 * Milliseconds. The library dials again by itself at first, by the wall clock, with the credentials it was given: after
 * `redial` we do, by a clock that nobody sets, with those that are there now.
 */
export const patience = {
  connect: 4000,
  ping: 5000,
  reconnect: 250,
  jitter: 250,
  redial: 5000,
  longestPause: 1000,
};

/** Read anew for each try: credentials may be other ones by then. @throws VitrineError usage when a setting cannot be used */
export const dialledWith = (
  address: BrokerAddress,
  settings: NatsCredentials,
): ConnectionOptions => ({
  ...connectionOptions(address, settings),
  name: "vitrine",
  timeout: patience.connect,
  // The library's own defaults give up after ten attempts, and see a dead peer after minutes.
  maxReconnectAttempts: -1,
  reconnectTimeWait: patience.reconnect,
  reconnectJitter: patience.jitter,
  reconnectJitterTLS: patience.jitter,
  ignoreAuthErrorAbort: true,
  pingInterval: patience.ping,
  noAsyncTraces: true,
});

/**
 * Connects, again and again where it may.
 * @param buildOptions asked before each try
 * @param onFailure told what each try ended by
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
      // Tried again and again, it is told once.
      const level = error.message === lastMessage ? "debug" : "warn";
      lastMessage = error.message;
      log?.[level]({ hint: error.hint, retryInMs: delayMs }, error.message);
      await pause(delayMs, signal);
      if (aborted(signal)) throw error;
    }
  }
}

/** An address that takes connections and says nothing takes its time: whoever is told to end does not wait for it. */
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
  throw new VitrineError("event_log", `${address}: not connected`, "it was told to end");
}
