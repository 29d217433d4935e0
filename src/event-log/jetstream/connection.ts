import { setImmediate as nextTurn } from "node:timers/promises";
import { type ConnectionOptions, createInbox, Events, type NatsConnection } from "nats";
import type { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { parseBrokerAddress } from "./broker-address.ts";
import { type ConnectOptions, dial, dialledWith, patience } from "./dial.ts";
import { askOver, type BreakableLink, type Link, newLink, notConnected } from "./session.ts";

/** A broker one stays connected to, whatever happens to it. */
export interface Broker {
  /** `nats://host:port`, without user and password. */
  readonly address: string;
  /** Why nothing can be asked while there is no link, as far as that is known: what the newest try to connect ended by. */
  away(): VitrineError;
  /** Asks over the link there is. Throws event_log at once when there is none, or when it breaks meanwhile. */
  ask<T>(question: (connection: NatsConnection) => Promise<T>): Promise<T>;
  /** The link there is, or the next one; undefined when `signal` or `patience` (milliseconds) ended the wait. */
  link(signal?: AbortSignal, patience?: number): Promise<Link | undefined>;
  onReconnect(listener: () => void): () => void;
  /** A subject for answers that this account may listen to. */
  newInbox(): string;
  /** Aborts when `close` is called. */
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

/** @throws VitrineError event_log, or usage when a setting cannot be used */
export async function connectBroker(options: ConnectOptions): Promise<Broker> {
  const address = parseBrokerAddress(options.url);
  const dialled = () => dialledWith(address, options.settings);
  const first = await dial(dialled, address.shown, options);
  return keepConnected(first, dialled, address.shown, options);
}

interface Connected {
  readonly address: string;
  readonly dialled: () => ConnectionOptions;
  readonly log: Logger | undefined;
  readonly closing: AbortController;
  /** Told of every new link: those who wait for one, and those who asked to be told of each. */
  readonly waiting: Set<() => void>;
  readonly listeners: Set<() => void>;
  connection: NatsConnection;
  link: BreakableLink;
  /** What the newest try to connect ended by, while there is no link. */
  refused: VitrineError | undefined;
  /** Addresses of the same cluster. */
  others: readonly string[];
}

function keepConnected(
  connection: NatsConnection,
  dialled: () => ConnectionOptions,
  address: string,
  { log, settings }: ConnectOptions,
): Broker {
  const connected: Connected = {
    address,
    dialled,
    log,
    closing: new AbortController(),
    waiting: new Set(),
    listeners: new Set(),
    connection,
    link: newLink(connection),
    refused: undefined,
    others: othersOf(connection),
  };
  const { closing, listeners } = connected;
  const supervision = supervise(connected);
  const away = (): VitrineError => notConnected(address, connected.refused);
  return {
    address,
    closing: closing.signal,
    newInbox: () => createInbox(settings.inboxPrefix),
    away,
    ask: (question) => askOver(connected.link, address, away, question),
    link: (signal, longest) => nextLink(connected, endOf(closing.signal, signal, longest)),
    onReconnect: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      closing.abort();
      // Readings that end by this delete their consumers: their requests leave before the connection closes.
      await nextTurn();
      connected.link.break();
      await connected.connection.close();
      await supervision;
    },
  };
}

/** Follows a connection through its breaks, and replaces it if it ever closes for good. */
async function supervise(connected: Connected): Promise<void> {
  const { address, closing, log } = connected;
  const again = { waitForBroker: true, signal: closing.signal, ...(log && { log }) };
  const onRefused = (refused: VitrineError): void => {
    connected.refused = refused;
  };
  for (;;) {
    void watch(connected, connected.connection);
    await connected.connection.closed();
    connected.link.break();
    if (closing.signal.aborted) return;
    const dialled = () => dialledOf(connected);
    const next = await dial(dialled, address, again, onRefused).catch(() => undefined);
    if (closing.signal.aborted) return next?.close();
    if (next === undefined) continue;
    connected.connection = next;
    restore(connected);
  }
}

/** The broker's others, as it told them while it was there, will do as well. */
const dialledOf = ({ dialled, others }: Connected): ConnectionOptions => {
  const options = dialled();
  return { ...options, servers: [...new Set([options.servers ?? [], others].flat())] };
};

/** A connection that is closed tells none any more. */
const othersOf = ({ info }: NatsConnection): readonly string[] => info?.connect_urls ?? [];

/** The statuses of a connection never end, not even when it is closed. */
async function watch(connected: Connected, connection: NatsConnection): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  for await (const { type } of connection.status()) {
    if (type === Events.Reconnect) {
      clearTimeout(late);
      late = undefined;
      restore(connected);
    } else if (type === Events.Update) {
      connected.others = othersOf(connection);
    } else if (type === Events.Disconnect) {
      // Each try that is refused is another disconnection.
      if (!late) connected.log?.warn(`${connected.address}: connection lost`);
      connected.link.break();
      late ??= setTimeout(() => void connection.close(), patience.redial).unref();
    }
  }
}

function restore(connected: Connected): void {
  connected.link = newLink(connected.connection);
  connected.refused = undefined;
  connected.others = othersOf(connected.connection);
  connected.log?.info(`${connected.address}: connected again`);
  for (const listener of [...connected.waiting, ...connected.listeners]) listener();
}

async function nextLink(connected: Connected, ended: AbortSignal): Promise<Link | undefined> {
  while (!connected.link.isUp()) {
    if (ended.aborted) return undefined;
    await nextCall(connected.waiting, ended);
  }
  return connected.link;
}

function endOf(closing: AbortSignal, signal?: AbortSignal, longest?: number): AbortSignal {
  const signals = [closing];
  if (signal !== undefined) signals.push(signal);
  if (longest !== undefined) signals.push(after(longest));
  return AbortSignal.any(signals);
}

/** `AbortSignal.timeout` may be collected before its time where only `AbortSignal.any` knows it (Node 20), and never come. */
function after(milliseconds: number): AbortSignal {
  const timed = new AbortController();
  setTimeout(() => timed.abort(), Math.ceil(milliseconds)).unref();
  return timed.signal;
}

/** Resolves when one of the listeners is called, or at abort. */
function nextCall(listeners: Set<() => void>, ended: AbortSignal): Promise<void> {
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
