import { join } from "node:path";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { type JetStreamOptions, openJetStream } from "../../src/event-log/jetstream/index.ts";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { natsOperator, startNats } from "../helpers/nats.ts";

/** An implementation of the event log port: creates empty logs, each of which can be opened several times. */
export interface Implementation {
  /** Creates a log that replaces the previous one. */
  newLog(): Promise<() => Promise<EventLog>>;
  remove(): Promise<void>;
}

export async function journals(): Promise<Implementation> {
  const directory = temporaryDirectory();
  let count = 0;
  return {
    newLog: async () => {
      count += 1;
      const path = join(directory.path, `journal-${count}`);
      return async () => openJournal({ directory: path, now: Date.now });
    },
    remove: async () => directory.remove(),
  };
}

export async function streams(): Promise<Implementation> {
  const server = await startNats();
  const operator = await natsOperator(server.url);
  return {
    newLog: async () => {
      for await (const stream of operator.streams.list()) {
        await operator.streams.delete(stream.config.name);
      }
      return () => openShop(server.url);
    },
    remove: async () => {
      await operator.disconnect();
      await server.remove();
    },
  };
}

/** Opens the stream `SHOP` as the service does. */
export const openShop = (url: string, over: Partial<JetStreamOptions> = {}): Promise<EventLog> =>
  openJetStream({
    url,
    stream: "SHOP",
    subjects: ["shop.>"],
    createStream: true,
    settings: {},
    ...over,
  });
