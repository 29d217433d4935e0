import { join } from "node:path";
import type { EventLog } from "../../src/event-log/log.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { type NatsServer, startNats } from "../helpers/nats.ts";
import { built } from "./built.ts";
import { readDemoShop } from "./demo-shop.ts";
import { type Comparison, compare, interleave, perSecond, type Tell } from "./figures.ts";
import { lifeOf } from "./life.ts";
import { project } from "./projecting.ts";
import { consumeOnly, putOnly, readOnly } from "./raw-limits.ts";

const { openEventLog } =
  await built<typeof import("../../src/event-log/open.ts")>("event-log/open");

export interface ReplayOptions {
  /** Events of the shop's life, after the demo shop's own history. */
  readonly events: number;
  readonly rounds: number;
  readonly tell: Tell;
}

/** Events per second of a first replay, from either log, beside the raw limits of log and store. */
export const benchReplay = async (options: ReplayOptions): Promise<readonly Comparison[]> => {
  const directory = temporaryDirectory();
  const nats = await startNats();
  try {
    return await measure(await fill(directory, nats, options), options);
  } finally {
    await nats.remove();
    directory.remove();
  }
};

const stream = "SHOP";

/** The same events in both logs. */
interface Filled {
  readonly nats: NatsServer;
  readonly journal: EventLog;
  readonly jetStream: EventLog;
  readonly count: number;
  /** Mean size of an event's body, in bytes. */
  readonly meanBytes: number;
}

const fill = async (
  directory: TemporaryDirectory,
  nats: NatsServer,
  { events, tell }: ReplayOptions,
): Promise<Filled> => {
  const world = { dataDir: directory.path, now: Date.now, stream };
  const journal = await openEventLog(`journal:${join(directory.path, "journal")}`, world);
  const jetStream = await openEventLog(nats.url, world);
  const shop = readDemoShop();
  const messages = [...shop.events, ...lifeOf(shop, events)].map((event) => toMessage(event));
  const bytes = messages.reduce((sum, { body }) => sum + body.length, 0);
  const meanBytes = Math.round(bytes / messages.length);
  tell(`appending ${messages.length} events of ${meanBytes} bytes each to both logs`);
  await journal.append(messages);
  await jetStream.append(messages);
  return { nats, journal, jetStream, count: messages.length, meanBytes };
};

const measure = async (filled: Filled, options: ReplayOptions): Promise<readonly Comparison[]> => {
  const { nats, journal, jetStream, count, meanBytes } = filled;
  const timed = (work: (directory: string) => Promise<void>) => () => anew(count, work);
  const figures = await interleave(
    {
      "replay of the journal": timed((directory) => project(directory, journal, count)),
      "journal, only read": timed(() => readOnly(journal, count)),
      "replay of JetStream": timed((directory) => project(directory, jetStream, count)),
      "JetStream consumer, only reading": timed(() => consumeOnly(nats.url, stream, count)),
      "LMDB puts, only writing": timed((directory) => putOnly(directory, count, meanBytes)),
    },
    options.rounds,
    options.tell,
  );
  await journal.close();
  await jetStream.close();
  const beside = (name: string, peer: string) => compare(figures, "events/s", name, peer);
  return [
    beside("replay of the journal", "journal, only read"),
    beside("replay of the journal", "LMDB puts, only writing"),
    beside("replay of JetStream", "JetStream consumer, only reading"),
    beside("replay of JetStream", "LMDB puts, only writing"),
  ];
};

/** Each time in an empty directory. */
const anew = async (count: number, work: (directory: string) => Promise<void>): Promise<number> => {
  const directory = temporaryDirectory();
  try {
    return await perSecond(count, () => work(directory.path));
  } finally {
    directory.remove();
  }
};
