import { AckPolicy, DeliverPolicy, nanos, nuid } from "nats";
import type { LogRecord } from "../event-log.ts";
import type { Broker } from "./connection.ts";
import { isPermissionDenied } from "./errors.ts";
import { createPullState, fail, handleMessage, requestMore } from "./pull.ts";
import type { Session } from "./session.ts";
import { requestJetStream, type Stream } from "./stream.ts";

/**
 * An ephemeral consumer in the broker's memory, for one reader. It acknowledges nothing, because the checkpoint is
 * stored in the model.
 */
export interface Consumer {
  /** Sequence of its creation: differs from the requested one when the stream does not have that. */
  readonly startedAfter: number;
  /** See `RecordBuffer.take`. */
  take(idle: number, signal: AbortSignal): Promise<readonly LogRecord[] | undefined>;
  hasBufferedRecords(): boolean;
  /** True when `take` returned every record of the stream. False after a failure, which drops records. */
  isExhausted(): boolean;
  /** Reason of its end; empty while it runs. */
  failure(): string;
  close(): void;
}

/**
 * Time after which the broker deletes a consumer without requests, because an account may have few consumers.
 * Requests are sent every few seconds.
 */
const expiryMs = 20_000;

/** Brokers that forbid deleting consumers: each further attempt would log another error there. */
const brokersForbiddingDelete = new WeakSet<Broker>();

/**
 * Deletes a consumer, so that it does not count until it expires. No call waits for the deletion, and a failure is
 * ignored, because the account may lack the right. Without a session the next one is used, if it comes before the
 * consumer expires.
 */
async function deleteConsumer(stream: Stream, name: string): Promise<void> {
  const { broker } = stream;
  try {
    if (!(await broker.waitForSession(undefined, expiryMs)) || brokersForbiddingDelete.has(broker))
      return;
    await requestJetStream(stream, (api) => api.consumers.delete(stream.name, name));
  } catch (thrown) {
    if (isPermissionDenied(thrown)) brokersForbiddingDelete.add(broker);
  }
}

/**
 * Creates a consumer that begins after sequence `after`, and requests records.
 * @param subject filter; undefined reads all subjects
 * @throws VitrineError event_log
 */
export async function createConsumer(
  stream: Stream,
  link: Session,
  after: number,
  subject?: string,
): Promise<Consumer> {
  const info = await requestJetStream(stream, (api) =>
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
  const pull = createPullState(stream, link, info);
  const subscription = link.connection.subscribe(`${pull.inbox}.*`, {
    callback: (error, msg) => (error ? fail(pull, error.message) : handleMessage(pull, msg)),
  });
  const stop = link.onBreak(() => fail(pull, "connection lost"));
  requestMore(pull);
  return {
    startedAfter: info.delivered.stream_seq,
    take: async (idle, signal) => {
      const chunk = await pull.buffer.take(idle, signal);
      requestMore(pull);
      return chunk;
    },
    hasBufferedRecords: () => !pull.buffer.isEmpty(),
    isExhausted: () => pull.failure === "" && pull.pending === 0 && pull.buffer.isEmpty(),
    failure: () => pull.failure,
    close: () => {
      fail(pull, "closed");
      stop();
      subscription.unsubscribe();
      void deleteConsumer(stream, info.name);
    },
  };
}
