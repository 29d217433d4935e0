import { AckPolicy, DeliverPolicy, nanos, nuid } from "nats";
import type { LogRecord } from "../event-log.ts";
import type { Broker } from "./connection.ts";
import { isForbidden } from "./errors.ts";
import { ask, lose, newPulling, receive } from "./pull.ts";
import type { Link } from "./session.ts";
import { askJetStream, type Stream } from "./stream.ts";

/** A reading position in the broker's memory, ours alone. Nothing is acknowledged: the checkpoint is elsewhere. */
export interface Consumer {
  /** Sequence it stood at when it was made: not the one asked for when the stream has no such. */
  readonly startedAfter: number;
  /** See `Arrivals.take`. */
  take(idle: number, signal: AbortSignal): Promise<readonly LogRecord[] | undefined>;
  /** True when something waits to be taken. */
  hasArrivals(): boolean;
  /** True when everything the stream holds was handed out by `take`. */
  isDrained(): boolean;
  /** Why it ended; empty while it goes on. */
  why(): string;
  close(): void;
}

/**
 * Milliseconds after which the broker deletes a consumer that is not asked: an account may have few. We ask every few
 * seconds.
 */
const expiryMs = 20_000;

/** Brokers that forbid deleting consumers: each further try would be another error in their logs. */
const brokersForbiddingDelete = new WeakSet<Broker>();

/**
 * Deletes a consumer, so that it does not count until it expires. Nothing waits for this, and a failure is ignored: the
 * account may lack the right. Without a connection it is done over the next one, if that comes before the consumer expires.
 */
async function deleteConsumer(stream: Stream, name: string): Promise<void> {
  const { broker } = stream;
  try {
    if (!(await broker.link(undefined, expiryMs)) || brokersForbiddingDelete.has(broker)) return;
    await askJetStream(stream, (api) => api.consumers.delete(stream.name, name));
  } catch (thrown) {
    if (isForbidden(thrown)) brokersForbiddingDelete.add(broker);
  }
}

/**
 * Makes a consumer that begins after sequence `after`, and asks it for records.
 * @param subject the one subject it is about; all of them without
 * @throws VitrineError event_log
 */
export async function createConsumer(
  stream: Stream,
  link: Link,
  after: number,
  subject?: string,
): Promise<Consumer> {
  const info = await askJetStream(stream, (api) =>
    api.consumers.add(stream.name, {
      name: `vitrine-${nuid.next()}`,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: after + 1,
      ...(subject !== undefined && { filter_subject: subject }),
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: nanos(expiryMs),
    }),
  );
  const pull = newPulling(stream, link, info);
  const subscription = link.connection.subscribe(`${pull.inbox}.*`, {
    callback: (error, msg) => (error ? lose(pull, error.message) : receive(pull, msg)),
  });
  const stop = link.onBreak(() => lose(pull, "connection lost"));
  ask(pull);
  return {
    startedAfter: info.delivered.stream_seq,
    take: async (idle, signal) => {
      const chunk = await pull.arrivals.take(idle, signal);
      ask(pull);
      return chunk;
    },
    hasArrivals: () => !pull.arrivals.isEmpty(),
    isDrained: () => pull.pending === 0 && pull.arrivals.isEmpty(),
    why: () => pull.why,
    close: () => {
      lose(pull, "closed");
      stop();
      subscription.unsubscribe();
      void deleteConsumer(stream, info.name);
    },
  };
}
