import { cpSync } from "node:fs";
import { join } from "node:path";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { type NatsServer, startNats } from "../helpers/nats.ts";
import { built } from "./built.ts";
import { readDemoShop } from "./demo-shop.ts";
import {
  type Comparison,
  compare,
  type Figures,
  interleave,
  perCpuSecond,
  type Report,
} from "./figures.ts";
import { lifeOf } from "./life.ts";
import { project } from "./projecting.ts";
import { consumeOnly, putOnly, readOnly } from "./raw-limits.ts";

const { openEventLog } =
  await built<typeof import("../../src/event-log/open.ts")>("event-log/open");

export interface ReplayOptions {
  /** Events of the shop's life, after the demo shop's own history. */
  readonly events: number;
  readonly rounds: number;
  readonly tell: Report;
}

/** Events per second of CPU of a replay of a shop's life, from either log, beside the raw limits of log and store. */
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

/** The same events in both logs, and of each a model that holds the shop's history, without the life after it. */
interface Filled {
  readonly nats: NatsServer;
  readonly journal: EventInput;
  readonly jetStream: EventInput;
  /** Events of the history. */
  readonly history: number;
  /** Events of the life: those that are timed. */
  readonly count: number;
  /** Mean size of an event's body, in bytes. */
  readonly meanBytes: number;
  readonly products: number;
}

interface EventInput {
  readonly log: EventLog;
  /** Data directory of the model of its history. */
  readonly model: string;
}

const fill = async (
  directory: TemporaryDirectory,
  nats: NatsServer,
  { events, tell }: ReplayOptions,
): Promise<Filled> => {
  const context = { dataDir: directory.path, now: Date.now, stream };
  const shop = readDemoShop();
  const history = shop.events.map((event) => toMessage(event));
  const life = [...lifeOf(shop, events)].map((event) => toMessage(event));
  const meanBytes = Math.round(life.reduce((sum, { body }) => sum + body.length, 0) / life.length);
  tell(`appending ${life.length} events of ${meanBytes} bytes each to both logs`);
  const told = async (address: string, name: string): Promise<EventInput> => {
    const log = await openEventLog(address, context);
    await log.append(history);
    const model = join(directory.path, name);
    await project(model, log, history.length);
    await log.append(life);
    return { log, model };
  };
  return {
    nats,
    journal: await told(`journal:${join(directory.path, "journal")}`, "of-journal"),
    jetStream: await told(nats.url, "of-jetstream"),
    history: history.length,
    count: life.length,
    meanBytes,
    products: shop.products.length,
  };
};

const [ofJournal, ofJetStream] = ["replay of the journal", "replay of JetStream"] as const;
const raw = {
  journal: "journal, only read",
  jetStream: "JetStream consumer, only reading",
  rising: "LMDB puts under rising keys",
  entity: "LMDB puts under the entity's key",
} as const;

const measure = async (filled: Filled, options: ReplayOptions): Promise<readonly Comparison[]> => {
  const { nats, journal, jetStream, history, count, meanBytes, products } = filled;
  const last = history + count;
  const timed = (work: (directory: string) => Promise<void>, model?: string) => () =>
    rebuilt(count, model, work);
  const figures = await interleave(
    {
      [ofJournal]: timed((directory) => project(directory, journal.log, last), journal.model),
      [raw.journal]: timed(() => readOnly(journal.log, history, count)),
      [ofJetStream]: timed((directory) => project(directory, jetStream.log, last), jetStream.model),
      [raw.jetStream]: timed(() => consumeOnly(nats.url, stream, history, count)),
      [raw.rising]: timed((directory) => putOnly(directory, count, meanBytes, count)),
      [raw.entity]: timed((directory) => putOnly(directory, count, meanBytes, products)),
    },
    options.rounds,
    options.tell,
  );
  await journal.log.close();
  await jetStream.log.close();
  const together = withSums(figures);
  const beside = (name: string, peer: string) => compare(together, "events/CPU-s", name, peer);
  return [
    beside(ofJournal, raw.journal),
    beside(ofJournal, sumOf(raw.journal, raw.rising)),
    beside(ofJournal, sumOf(raw.journal, raw.entity)),
    beside(ofJetStream, raw.jetStream),
    beside(ofJetStream, sumOf(raw.jetStream, raw.rising)),
    beside(ofJetStream, sumOf(raw.jetStream, raw.entity)),
  ];
};

/** First all is read, then all is put: what a replay would take that does nothing of its own. */
const sumOf = (read: string, put: string): string =>
  `${read.startsWith("journal") ? "journal" : "JetStream"} read, then ${put.replace("LMDB ", "")}`;

const withSums = (figures: Figures): Figures => {
  const sums = [raw.journal, raw.jetStream].flatMap((read) =>
    [raw.rising, raw.entity].map((put): [string, number] => {
      const seconds = 1 / (figures.get(read) ?? 0) + 1 / (figures.get(put) ?? 0);
      return [sumOf(read, put), 1 / seconds];
    }),
  );
  return new Map([...figures, ...sums]);
};

/** Each time in a directory of its own: empty, or a copy of a model. */
const rebuilt = async (
  count: number,
  model: string | undefined,
  work: (directory: string) => Promise<void>,
): Promise<number> => {
  const directory = temporaryDirectory();
  try {
    if (model) cpSync(model, directory.path, { recursive: true, verbatimSymlinks: true });
    return await perCpuSecond(count, () => work(directory.path));
  } finally {
    directory.remove();
  }
};
