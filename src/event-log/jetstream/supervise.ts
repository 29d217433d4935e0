import { type ConnectionOptions, Events, type NatsConnection } from "nats";
import type { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { connectionTimes, connectWithRetry } from "./dial.ts";
import { type BreakableSession, createSession } from "./session.ts";

/** A connection, its session and its listeners, while both are restored after each loss. */
export interface ConnectionState {
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

/** Reconnects after each loss, and replaces the connection when it closes for good. */
export async function superviseConnection(state: ConnectionState): Promise<void> {
  const { address, closing, log } = state;
  const retryOptions = { signal: closing.signal, log };
  const onFailure = (error: VitrineError): void => {
    state.lastError = error;
  };
  for (;;) {
    void watchStatus(state, state.connection);
    await state.connection.closed();
    state.session.break();
    if (closing.signal.aborted) return;
    const buildOptions = () => reconnectOptions(state);
    const next = await connectWithRetry(buildOptions, address, retryOptions, onFailure);
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
export const readClusterAddresses = ({ info }: NatsConnection): readonly string[] =>
  info?.connect_urls ?? [];

/** Applies the connection's status events. The iterator never ends, not even when the connection closes. */
async function watchStatus(state: ConnectionState, connection: NatsConnection): Promise<void> {
  let libraryReconnectTimer: NodeJS.Timeout | undefined;
  for await (const { type } of connection.status()) {
    if (type === Events.Reconnect) {
      clearTimeout(libraryReconnectTimer);
      libraryReconnectTimer = undefined;
      startSession(state);
    } else if (type === Events.Update) {
      state.clusterAddresses = readClusterAddresses(connection);
    } else if (type === Events.Disconnect) {
      // Each failed reconnect attempt is another Disconnect event.
      if (!libraryReconnectTimer) state.log?.warn(`${state.address}: connection lost`);
      state.session.break();
      libraryReconnectTimer ??= setTimeout(
        () => void connection.close(),
        connectionTimes.libraryReconnectMs,
      ).unref();
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
