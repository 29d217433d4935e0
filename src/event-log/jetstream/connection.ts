import { setImmediate as nextTurn } from "node:timers/promises";
import { type ConnectionOptions, createInbox, type NatsConnection, type ServerInfo } from "nats";
import type { VitrineError } from "../../errors.ts";
import { abortAfter, waitForCall } from "../../platform/async.ts";
import { parseBrokerAddress } from "./broker-address.ts";
import { buildConnectionOptions, type ConnectOptions, connectOnce } from "./dial.ts";
import { createSession, notConnectedError, requestOver, type Session } from "./session.ts";
import { type ConnectionState, readClusterAddresses, superviseConnection } from "./supervise.ts";

/** A broker with a connection that is restored after every loss. */
export interface Broker {
  /** `nats://host:port`, without user and password. */
  readonly address: string;
  /** Builds the error for a missing session, with the failure of the latest connection attempt if known. */
  unavailableReason(): VitrineError;
  /**
   * Sends a request over the current session.
   * @throws event_log without a session, or when it ends before the reply
   */
  request<T>(send: (connection: NatsConnection) => Promise<T>): Promise<T>;
  /**
   * Returns the current or the next session.
   * @param timeoutMs limit of the wait
   * @returns undefined when `signal` or the timeout ended the wait
   */
  waitForSession(signal?: AbortSignal, timeoutMs?: number): Promise<Session | undefined>;
  onReconnect(listener: () => void): () => void;
  /** Creates a subject for replies that this account may subscribe to. */
  newInbox(): string;
  /** Aborts when `close` is called. */
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

/**
 * Connects to a broker and keeps it connected.
 * @throws VitrineError event_log, or usage for an invalid setting
 */
export async function connectBroker(options: ConnectOptions): Promise<Broker> {
  const address = parseBrokerAddress(options.url);
  const buildOptions = () => buildConnectionOptions(address, options.settings);
  const first = await connectOnce(buildOptions, address.redacted, options.signal);
  const risk = describeOldCluster(first.info);
  if (risk) options.log?.warn(`${address.redacted}: ${risk}`);
  return maintainConnection(first, buildOptions, address.redacted, options);
}

function maintainConnection(
  connection: NatsConnection,
  buildOptions: () => ConnectionOptions,
  address: string,
  { log, settings }: ConnectOptions,
): Broker {
  const state: ConnectionState = {
    address,
    buildOptions,
    log,
    closing: new AbortController(),
    sessionWaiters: new Set(),
    listeners: new Set(),
    connection,
    session: createSession(connection),
    lastError: undefined,
    clusterAddresses: readClusterAddresses(connection),
  };
  const { closing, listeners } = state;
  const supervision = superviseConnection(state);
  const unavailableReason = (): VitrineError => notConnectedError(address, state.lastError);
  return {
    address,
    closing: closing.signal,
    newInbox: () => createInbox(settings.inboxPrefix),
    unavailableReason,
    request: (send) => requestOver(state.session, address, unavailableReason, send),
    waitForSession: (signal, timeoutMs) =>
      waitForSession(state, buildEndSignal(closing.signal, signal, timeoutMs)),
    onReconnect: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      closing.abort();
      // Reads that end now delete their consumers: their requests leave before the connection closes.
      await nextTurn();
      state.session.break();
      await state.connection.close();
      await supervision;
    },
  };
}

async function waitForSession(
  state: ConnectionState,
  ended: AbortSignal,
): Promise<Session | undefined> {
  while (!state.session.isUp()) {
    if (ended.aborted) return undefined;
    await waitForCall(state.sessionWaiters, ended);
  }
  return state.session;
}

function buildEndSignal(
  closing: AbortSignal,
  signal?: AbortSignal,
  timeoutMs?: number,
): AbortSignal {
  const signals = [closing];
  if (signal !== undefined) signals.push(signal);
  if (timeoutMs !== undefined) signals.push(abortAfter(timeoutMs));
  return AbortSignal.any(signals);
}

/** First measured version whose copies of a stream stay equal when a leader hangs and comes back (deploy/replicas/README.md). */
const minVersion = [2, 10, 27] as const;

/**
 * Describes the risk of a cluster of old servers: their copies of a stream may hold different events at the same sequence.
 * @returns undefined for a single server, and for a version without the risk
 */
export const describeOldCluster = (
  info: Pick<ServerInfo, "version" | "cluster"> | undefined,
): string | undefined => {
  if (!info?.cluster || isAtLeast(info.version)) return undefined;
  return `nats-server ${info.version} in a cluster may keep different events in the copies of a stream: use ${minVersion.join(".")} or later`;
};

/** @param version such as `2.9.10` or `2.11.0-RC.2` */
const isAtLeast = (version: string): boolean => {
  const parts = version.split(/[.-]/, minVersion.length).map(Number);
  const at = minVersion.findIndex((part, index) => part !== parts[index]);
  return at < 0 || (parts[at] ?? 0) > (minVersion[at] ?? 0);
};
