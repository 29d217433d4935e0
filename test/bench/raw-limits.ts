import { open } from "lmdb";
import { AckPolicy, connect, DeliverPolicy } from "nats";
import type { EventLog } from "../../src/event-log/event-log.ts";

/** What a log gives after a sequence, when nobody looks at what it gave. */
export const readOnly = async (eventLog: EventLog, after: number, count: number): Promise<void> => {
  let read = 0;
  for await (const chunk of eventLog.read({ after, follow: false })) read += chunk.length;
  if (read !== count) throw new Error(`read ${read} of ${count} events`);
};

/** A JetStream pull consumer, through the client library alone: it counts the messages, no more. */
export const consumeOnly = async (
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

/** Entities as events name them: each as often as any other, in no order. */
const spread = (at: number, keys: number): number => (at * 7919) % keys;

/** Events of one transaction. */
const transactionSize = 500;

/**
 * LMDB with the read model's settings: one put an event, and durable commits.
 * @param keys how many there are, used in turn: as many as events for rising keys, as many as entities for theirs
 */
export const putOnly = async (
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
  for (let first = 0; first < count; first += transactionSize) {
    env.transactionSync(() => {
      const end = Math.min(first + transactionSize, count);
      for (let at = first; at < end; at += 1)
        values.putSync(at < keys ? at : spread(at, keys), value);
    });
  }
  await env.flushed;
  await env.close();
};
