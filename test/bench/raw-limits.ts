import { open } from "lmdb";
import { AckPolicy, connect, DeliverPolicy } from "nats";
import type { EventLog } from "../../src/event-log/log.ts";

/** What a log gives when nobody looks at what it gave. */
export const readOnly = async (eventLog: EventLog, count: number): Promise<void> => {
  let read = 0;
  for await (const chunk of eventLog.read({ after: 0, follow: false })) read += chunk.length;
  if (read !== count) throw new Error(`read ${read} of ${count} events`);
};

/** A JetStream pull consumer, through the client library alone: it counts the messages, no more. */
export const consumeOnly = async (url: string, stream: string, count: number): Promise<void> => {
  const connection = await connect({ servers: url });
  try {
    const manager = await connection.jetstreamManager();
    const { name } = await manager.consumers.add(stream, {
      name: "bench",
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.All,
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
    await manager.consumers.delete(stream, name);
  } finally {
    await connection.close();
  }
};

/** Events of one transaction, as many as the projector folds in one. */
const transactionSize = 500;

/** LMDB with the read model's settings: one put an event, under rising keys, and durable commits. */
export const putOnly = async (directory: string, count: number, bytes: number): Promise<void> => {
  const env = open<Buffer, number>({
    path: directory,
    noSubdir: false,
    overlappingSync: false,
    maxReaders: 2048,
    maxDbs: 40,
    encoding: "binary",
  });
  const values = env.openDB({ name: "values", encoding: "binary" });
  const value = Buffer.alloc(bytes, "v");
  for (let first = 0; first < count; first += transactionSize) {
    env.transactionSync(() => {
      const end = Math.min(first + transactionSize, count);
      for (let key = first; key < end; key += 1) values.putSync(key, value);
    });
  }
  await env.flushed;
  await env.close();
};
