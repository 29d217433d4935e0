import { setImmediate as nextTurn } from "node:timers/promises";
import { type ConnectionOptions, createInbox, Events, type NatsConnection } from "nats";
import type { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { parseBrokerAddress } from "./broker-address.ts";
import { buildConnectionOptions, type ConnectOptions, connectWithRetry, timeouts } from "./dial.ts";
import {
  type BreakableSession,
  createSession,
  notConnectedError,
  requestOver,
  type Session,
} from "./session.ts";

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
  const first = await connectWithRetry(buildOptions, address.redacted, options);
  return maintainConnection(first, buildOptions, address.redacted, options);
}

interface ConnectionState {
  readonly address: string;
  readonly buildOptions: () => ConnectionOptions;
  readonly log: Logger | undefined;
  readonly closing: AbortController;
  /** Callbacks for every new session: of waiting calls, and of `onReconnect`. */
  readonly sessionWaiters: Set<() => void>;
  readonly listeners: Set<() => void>;
  connection: NatsConnection;
  session: BreakableSession;
  /** Failure of the latest connection attempt, while there is no session. */
  lastError: VitrineError | undefined;
  /** Servers of the same cluster. */
  clusterAddresses: readonly string[];
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

/** Reconnects after each loss, and replaces the connection when it closes for good. */
async function superviseConnection(state: ConnectionState): Promise<void> {
  const { address, closing, log } = state;
  const retryOptions = { waitForBroker: true, signal: closing.signal, ...(log && { log }) };
  const onFailure = (error: VitrineError): void => {
    state.lastError = error;
  };
  for (;;) {
    void watchStatus(state, state.connection);
    await state.connection.closed();
    state.session.break();
    if (closing.signal.aborted) return;
    const buildOptions = () => reconnectOptions(state);
    const next = await connectWithRetry(buildOptions, address, retryOptions, onFailure).catch(
      () => undefined,
    );
    if (closing.signal.aborted) return next?.close();
    if (next === undefined) continue;
    state.connection = next;
    startSession(state);
  }
}

/** Adds the servers of the cluster that the broker announced while it was connected. */
const reconnectOptions = ({
  buildOptions,
  clusterAddresses,
}: ConnectionState): ConnectionOptions => {
  const options = buildOptions();
  return { ...options, servers: [...new Set([options.servers ?? [], clusterAddresses].flat())] };
};

/** Reads the announced servers. A closed connection has none. */
const readClusterAddresses = ({ info }: NatsConnection): readonly string[] =>
  info?.connect_urls ?? [];

/** Applies the connection's status events. The iterator never ends, not even when the connection closes. */
async function watchStatus(state: ConnectionState, connection: NatsConnection): Promise<void> {
  let redialTimer: NodeJS.Timeout | undefined;
  for await (const { type } of connection.status()) {
    if (type === Events.Reconnect) {
      clearTimeout(redialTimer);
      redialTimer = undefined;
      startSession(state);
    } else if (type === Events.Update) {
      state.clusterAddresses = readClusterAddresses(connection);
    } else if (type === Events.Disconnect) {
      // Each failed reconnect attempt is another Disconnect event.
      if (!redialTimer) state.log?.warn(`${state.address}: connection lost`);
      state.session.break();
      redialTimer ??= setTimeout(() => void connection.close(), timeouts.redialMs).unref();
    }
  }
}

function startSession(state: ConnectionState): void {
  state.session = createSession(state.connection);
  state.lastError = undefined;
  state.clusterAddresses = readClusterAddresses(state.connection);
  state.log?.info(`${state.address}: connected again`);
  for (const listener of [...state.sessionWaiters, ...state.listeners]) listener();
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

/**
 * Workaround for Node 20: `AbortSignal.timeout` may be collected before it fires when only `AbortSignal.any` refers
 * to it.
 */
function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), Math.ceil(ms)).unref();
  return controller.signal;
}

/** Resolves when one of the listeners is called, or at abort. */
function waitForCall(listeners: Set<() => void>, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      listeners.delete(done);
      ended.removeEventListener("abort", done);
      resolve();
    };
    listeners.add(done);
    ended.addEventListener("abort", done);
    if (ended.aborted) done();
  });
}
