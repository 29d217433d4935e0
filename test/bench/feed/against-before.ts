import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { EventLog } from "../../../src/event-log/event-log.ts";
import { type CloudEvent, toMessage } from "../../../src/events/envelope.ts";
import { until } from "../../helpers/vitrine.ts";
import { type Comparison, compare, interleave, type Measure, type Report } from "../figures.ts";
import { cpuSecondsOf, measureRequests } from "../http-load.ts";
import { appendMessages } from "../project-log.ts";
import { diskBytes, productRequests } from "../scale.ts";
import { mainFile, type VitrineProcess, withServers } from "../server-process.ts";
import { generateShopEvents } from "../shop-events.ts";
import { generateShop, laterStock } from "./shop.ts";

export interface BeforeOptions {
  /** Folder of the version before the feed, with its build. */
  readonly before: string;
  /** Replayed events after the first load. */
  readonly events: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly report: Report;
}

const products = 20_000;

/** Stock events: each concerns the next of `stocked` products, which are spread over all. */
const [perSecond, stocked] = [1_000, 1_000];

/** Units of the rows. */
const units = {
  "first load of 20,000 products": "products/CPU-s",
  "replay of later events": "events/CPU-s",
  "model on disk afterwards": "KB",
  "1,000 changes of shown stock/s": "ns of CPU each",
  "their bytes written": "bytes each",
  "1,000 changes of hidden quantities/s": "ns of CPU each",
  "bytes written of these": "bytes each",
  "product, another each time": "requests/CPU-s",
} as const;

type Row = keyof typeof units;
const names = Object.keys(units) as readonly Row[];

const beforeName = (name: Row): string => `${name}, the build before`;

/** Measures `vitrine serve` of this build and of the one before in turn. */
export const compareWithBefore = (options: BeforeOptions): Promise<readonly Comparison[]> =>
  withServers(async (_, directory, serve) => {
    const shop = generateShop(products);
    const later = [...generateShopEvents(shop, options.events)].map((event) => toMessage(event));
    const events = { first: shop.events.map((event) => toMessage(event)), later };
    const before = join(resolve(options.before), "dist", "src", "main.js");
    const measuresOf = (program: string, name: string): BuildMeasures =>
      buildMeasures({
        ...{ events, seconds: options.seconds, directory: join(directory, name) },
        serve: (dataDir) => serve(dataDir, { program }),
      });
    const [old, current] = [measuresOf(before, "before"), measuresOf(mainFile, "now")];
    const pairs = names.flatMap((name): [string, Measure][] => [
      [beforeName(name), old[name]],
      [name, current[name]],
    ]);
    const figures = await interleave(Object.fromEntries(pairs), options.rounds, options.report);
    return names.map((name) => compare(figures, units[name], name, beforeName(name)));
  });

type BuildMeasures = Readonly<Record<Row, Measure>>;

interface BuildOptions {
  readonly serve: (dataDir: string) => Promise<VitrineProcess>;
  readonly directory: string;
  /** Those of the first load, and those that are replayed after it. */
  readonly events: Readonly<Record<"first" | "later", Parameters<EventLog["append"]>[0]>>;
  readonly seconds: number;
}

/** Builds the measures of one build. They run in the sequence of the rows: each load begins with a new data directory. */
const buildMeasures = ({ serve, directory, events, seconds }: BuildOptions): BuildMeasures => {
  const { first, later } = events;
  let [dataDir, loads] = ["", 0];
  let shop: Shop | undefined;
  let bytes = 0;
  const opened = (): Shop => {
    if (shop) return shop;
    throw new Error("no shop is loaded");
  };
  const stock = async (quantity: (turn: number) => number): Promise<number> => {
    await writeSteadily(opened(), stocked, quantity);
    const [cpu, written] = [projectorSeconds(opened()), writtenBytes(opened())];
    await writeSteadily(opened(), seconds * perSecond, quantity);
    bytes = (writtenBytes(opened()) - written) / (seconds * perSecond);
    return ((projectorSeconds(opened()) - cpu) * 1e9) / (seconds * perSecond);
  };
  const readBytes = async (): Promise<number> => bytes;
  return {
    async "first load of 20,000 products"() {
      await shop?.service.stop();
      await shop?.log.close();
      loads += 1;
      dataDir = join(directory, String(loads));
      const log = await appendMessages(dataDir, first);
      shop = { log, last: first.length, service: await serve(dataDir) };
      return products / projectorSeconds(shop);
    },
    async "replay of later events"() {
      const { log, service } = opened();
      await service.stop();
      await log.append(later);
      shop = { log, last: first.length + later.length, service: await serve(dataDir) };
      await untilApplied(shop);
      return later.length / projectorSeconds(shop);
    },
    "model on disk afterwards": async () => diskBytes({ directory: dataDir }) / 1_024,
    "1,000 changes of shown stock/s": () => stock((turn) => turn % 2),
    "their bytes written": readBytes,
    "1,000 changes of hidden quantities/s": () => stock((turn) => 100 + turn),
    "bytes written of these": readBytes,
    async "product, another each time"() {
      const measure = measureRequests(opened().service, productRequests({ products }), seconds);
      // The first one warms up the process.
      await measure();
      return measure();
    },
  };
};

/** A service that reads a journal. */
interface Shop {
  readonly log: EventLog;
  readonly service: VitrineProcess;
  /** Log sequence of the last event. */
  last: number;
}

const projectorSeconds = ({ service }: Shop): number => cpuSecondsOf(service.projectorPid);

/** Reads the bytes that the projector caused to be written to disks. */
const writtenBytes = ({ service }: Shop): number =>
  Number(
    /^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${service.projectorPid}/io`, "utf8"))?.[1],
  );

const untilApplied = async ({ service, last }: Shop): Promise<void> => {
  const read = async () => (await fetch(`${service.opsUrl}/metrics`)).text();
  const checkpoint = /^vitrine_checkpoint_sequence (\d+)/m;
  await until(read, (metrics) => Number(checkpoint.exec(metrics)?.[1]) >= last, 600);
};

/** Writes stock events at a steady rate, and waits until they are applied. @param quantity of a product at its next event */
const writeSteadily = async (
  shop: Shop,
  count: number,
  quantity: (turn: number) => number,
): Promise<void> => {
  const begin = performance.now();
  for (let done = 0; done < count; await delay(10)) {
    const due = Math.min(count, ((performance.now() - begin) * perSecond) / 1_000);
    const events: CloudEvent[] = [];
    for (; done < due; done += 1) {
      const number = shop.last + events.length;
      const id = 1 + (number % stocked) * (products / stocked);
      events.push(laterStock(id, quantity(Math.floor(number / stocked)), number));
    }
    if (events.length > 0) await shop.log.append(events.map((event) => toMessage(event)));
    shop.last += events.length;
  }
  await untilApplied(shop);
};
