import type { EventLog } from "../event-log.ts";
import { append } from "./append.ts";
import { connectBroker } from "./connection.ts";
import type { ConnectOptions } from "./dial.ts";
import { readStream } from "./read-subjects.ts";
import { ensureStream, getRecord, getStreamState, latestOfSubject, type Stream } from "./stream.ts";

export interface JetStreamOptions extends ConnectOptions {
  readonly stream: string;
  /** Subjects of a stream created here: `shop.>` covers every event, also those of agents. */
  readonly subjects: readonly string[];
  /** Creates a missing stream. Without it a missing stream is an error. */
  readonly createStream: boolean;
  readonly timing?: Partial<Stream["timing"]>;
}

/**
 * Opens the event log on NATS JetStream, server 2.9.10 and later, in a cluster 2.10.27 and later. Reads acknowledge
 * nothing and store no position there, so an account that may only read the stream is enough.
 * @throws VitrineError event_log when the broker or the stream is unavailable, usage for an invalid setting
 */
export async function openJetStream(options: JetStreamOptions): Promise<EventLog> {
  const { stream: name, log } = options;
  const broker = await connectBroker(options);
  const address = `${broker.address} stream ${name}`;
  // An idle read checks the stream after this silence, so that another history is detected within five seconds.
  const timing = { idleTimeoutMs: 3_000, unavailableTimeoutMs: 30_000, ...options.timing };
  const stream: Stream = { broker, name, address, timing, log };
  try {
    await (options.createStream ? ensureStream(stream, options.subjects) : getStreamState(stream));
  } catch (thrown) {
    await broker.close();
    throw thrown;
  }
  return {
    address,
    identity: async () => (await getStreamState(stream)).identity,
    bounds: async () => (await getStreamState(stream)).bounds,
    find: async () => undefined,
    append: (messages) => append(stream, messages),
    read: (readOptions) => readStream(stream, readOptions),
    get: (sequence) => getRecord(stream, sequence),
    latestOfSubject: (subject) => latestOfSubject(stream, subject),
    onReconnect: broker.onReconnect,
    // A broker's client keeps no records.
    reopen: async () => undefined,
    close: broker.close,
  };
}
