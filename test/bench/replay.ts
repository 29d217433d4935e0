import { cpSync } from "node:fs";
import { join } from "node:path";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { type NatsServer, startNats } from "../helpers/nats.ts";
import { consumeStreamOnly, putValuesOnly, readLogOnly } from "./baselines.ts";
import { readDemoShop } from "./demo-shop.ts";
import {
  type Comparison,
  compare,
  type Figures,
  interleave,
  perCpuSecond,
  type Report,
  type Sample,
  sampleOf,
} from "./figures.ts";
import { importBuilt } from "./import-built.ts";
import { projectLog } from "./project-log.ts";
import { generateShopEvents } from "./shop-events.ts";

const { openEventLog } =
  await importBuilt<typeof import("../../src/event-log/open.ts")>("event-log/open");

export interface ReplayOptions {
  /** Replayed events after the history of the demo shop. */
  readonly events: number;
  readonly rounds: number;
  readonly report: Report;
}

/** Measures replayed events per CPU second from both logs, and the baselines of log and store. */
export const benchReplay = async (options: ReplayOptions): Promise<readonly Comparison[]> => {
  const directory = temporaryDirectory();
  const nats = await startNats();
  try {
    return await measure(await prepareLogs(directory, nats, options), options);
  } finally {
    await nats.remove();
    directory.remove();
  }
};

const stream = "SHOP";

/** Both logs with the same events, and for each a model that includes only the history. */
interface PreparedLogs {
  readonly nats: NatsServer;
  readonly journal: EventInput;
  readonly jetStream: EventInput;
  /** Number of events in the history. */
  readonly history: number;
  /** Number of events after the history, which are timed. */
  readonly count: number;
  /** Mean size of an event's body, in bytes. */
  readonly meanBytes: number;
  readonly products: number;
}

interface EventInput {
  readonly log: EventLog;
  /** Data directory of a model that includes the history. */
  readonly model: string;
}

const prepareLogs = async (
  directory: TemporaryDirectory,
  nats: NatsServer,
  { events, report }: ReplayOptions,
): Promise<PreparedLogs> => {
  const context = { dataDir: directory.path, now: Date.now, stream };
  const shop = readDemoShop();
  const history = shop.events.map((event) => toMessage(event));
  const replayed = [...generateShopEvents(shop, events)].map((event) => toMessage(event));
  const meanBytes = Math.round(
    replayed.reduce((sum, { body }) => sum + body.length, 0) / replayed.length,
  );
  report(`appending ${replayed.length} events of ${meanBytes} bytes each to both logs`);
  const prepare = async (address: string, name: string): Promise<EventInput> => {
    const log = await openEventLog(address, context);
    await log.append(history);
    const model = join(directory.path, name);
    await projectLog(model, log, history.length);
    await log.append(replayed);
    return { log, model };
  };
  return {
    nats,
    journal: await prepare(`journal:${join(directory.path, "journal")}`, "of-journal"),
    jetStream: await prepare(nats.url, "of-jetstream"),
    history: history.length,
    count: replayed.length,
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

const measure = async (
  logs: PreparedLogs,
  options: ReplayOptions,
): Promise<readonly Comparison[]> => {
  const { nats, journal, jetStream, history, count, meanBytes, products } = logs;
  const last = history + count;
  const timed = (work: (directory: string) => Promise<void>, model?: string) => () =>
    measureInDirectory(count, model, work);
  const figures = await interleave(
    {
      [ofJournal]: timed((directory) => projectLog(directory, journal.log, last), journal.model),
      [raw.journal]: timed(() => readLogOnly(journal.log, history, count)),
      [ofJetStream]: timed(
        (directory) => projectLog(directory, jetStream.log, last),
        jetStream.model,
      ),
      [raw.jetStream]: timed(() => consumeStreamOnly(nats.url, stream, history, count)),
      [raw.rising]: timed((directory) => putValuesOnly(directory, count, meanBytes, count)),
      [raw.entity]: timed((directory) => putValuesOnly(directory, count, meanBytes, products)),
    },
    options.rounds,
    options.report,
  );
  await journal.log.close();
  await jetStream.log.close();
  const allFigures = withSums(figures);
  const compareTo = (name: string, peer: string) => compare(allFigures, "events/CPU-s", name, peer);
  return [
    compareTo(ofJournal, raw.journal),
    compareTo(ofJournal, sumName(raw.journal, raw.rising)),
    compareTo(ofJournal, sumName(raw.journal, raw.entity)),
    compareTo(ofJetStream, raw.jetStream),
    compareTo(ofJetStream, sumName(raw.jetStream, raw.rising)),
    compareTo(ofJetStream, sumName(raw.jetStream, raw.entity)),
  ];
};

/** Names the sum of reading and putting, which is the cost of a replay without any work of its own. */
const sumName = (read: string, put: string): string =>
  `${read.startsWith("journal") ? "journal" : "JetStream"} read, then ${put.replace("LMDB ", "")}`;

const withSums = (figures: Figures): Figures => {
  const sums = [raw.journal, raw.jetStream].flatMap((read) =>
    [raw.rising, raw.entity].map((put): [string, Sample] => {
      const seconds = 1 / sampleOf(figures, read).figure + 1 / sampleOf(figures, put).figure;
      return [sumName(read, put), { figure: 1 / seconds }];
    }),
  );
  return new Map([...figures, ...sums]);
};

/** Runs work in a new directory, empty or with a copy of a model, and returns items per CPU second. */
const measureInDirectory = async (
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
