import { open } from "lmdb";
import { AckPolicy, connect, DeliverPolicy } from "nats";
import type { EventLog } from "../../src/event-log/event-log.ts";

/** Reads a log after a sequence and only counts the events. */
export const readLogOnly = async (
  eventLog: EventLog,
  after: number,
  count: number,
): Promise<void> => {
  let read = 0;
  for await (const chunk of eventLog.read({ after, follow: false })) read += chunk.length;
  if (read !== count) throw new Error(`read ${read} of ${count} events`);
};

/** Reads a stream with a JetStream pull consumer of the client library and only counts the messages. */
export const consumeStreamOnly = async (
  url: string,
  stream: string,
  after: number,
  count: number,
): Promise<void> => {
  const connection = await connect({ servers: url });
  try {
    const jetStream = await connection.jetstreamManager();
    const { name } = await jetStream.consumers.add(stream, {
      name: "bench",
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: after + 1,
      mem_storage: true,
    });
    const consumer = await connection.jetstream().consumers.get(stream, name);
    let read = 0;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const callback = (): void => {
      read += 1;
      if (read === count) finish();
    };
    const messages = await consumer.consume({ max_messages: 5_000, callback });
    await finished;
    await messages.close();
    await jetStream.consumers.delete(stream, name);
  } finally {
    await connection.close();
  }
};

/** Spreads indexes uniformly and without a pattern over the keys, as events are spread over entities. */
const spread = (index: number, keys: number): number => (index * 7919) % keys;

const eventsPerTransaction = 500;

/**
 * Puts one value per event into LMDB, with the read model's settings and durable commits.
 * @param bytes size of a value
 * @param keys number of different keys: the number of events for rising keys, the number of entities for entity keys
 */
export const putValuesOnly = async (
  directory: string,
  count: number,
  bytes: number,
  keys: number,
): Promise<void> => {
  const env = open<Buffer, number>({
    path: directory,
    noSubdir: false,
    overlappingSync: false,
    maxReaders: 2048,
    maxDbs: 64,
    encoding: "binary",
  });
  const values = env.openDB({ name: "values", encoding: "binary" });
  const value = Buffer.alloc(bytes, "v");
  for (let first = 0; first < count; first += eventsPerTransaction) {
    env.transactionSync(() => {
      const end = Math.min(first + eventsPerTransaction, count);
      for (let index = first; index < end; index += 1)
        values.putSync(index < keys ? index : spread(index, keys), value);
    });
  }
  await env.flushed;
  await env.close();
};
