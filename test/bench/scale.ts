import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type CloudEvent, toMessage } from "../../src/events/envelope.ts";
import { childrenOf, startVitrine } from "../helpers/vitrine.ts";
import { pageRequest, productRequest, type SentRequest } from "./exchanges.ts";
import {
  type Comparison,
  interleave,
  type Measure,
  median,
  type Report,
  sampleOf,
  toComparison,
} from "./figures.ts";
import { cpuSecondsOf, measureRequests, sendRequest } from "./http-load.ts";
import { importBuilt } from "./import-built.ts";
import { generateProducts, readShopEvents } from "./search/corpus.ts";
import { toProductEvent } from "./search/vitrine.ts";
import { seeded } from "./seeded.ts";
import { type ServeModel, type ServerProcess, withServers } from "./server-process.ts";

const { openEventLog } =
  await importBuilt<typeof import("../../src/event-log/open.ts")>("event-log/open");
const { openDataDirectory } = await importBuilt<
  typeof import("../../src/read-model/generations/data-directory.ts")
>("read-model/generations/data-directory");
const { encodeCursor } = await importBuilt<typeof import("../../src/read-model/reader/cursor.ts")>(
  "read-model/reader/cursor",
);

export interface ScaleOptions {
  /** Number of products of the large catalogue. */
  readonly products: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly report: Report;
}

/** Number of products of the small catalogue. */
const smallCount = 10_000;

/** Number of products of a catalogue in between. */
const mediumCount = 100_000;

/** Number of products of the shop whose memory and disk are reported for all processes. */
const usualCount = 20_000;

/** Compares larger catalogues with a small one: first load, reads, memory, start and disk. */
export const benchScale = (options: ScaleOptions): Promise<readonly Comparison[]> =>
  withServers(async (_, directory, serve) => {
    const build = async (products: number, events = generateEvents(products)): Promise<Shop> => {
      options.report(`a first load of ${products.toLocaleString("en")} products`);
      return buildShop(join(directory, String(products)), products, events);
    };
    const usual = await build(usualCount, readShopEvents(usualCount));
    const small = await build(smallCount);
    const sizes = [mediumCount, options.products].filter((size) => size > smallCount);
    const comparisons = [
      compareDiskUsage(usual),
      compareProcessMemory(usual),
      compareDiskUsage(small),
    ];
    for (const size of new Set(sizes.filter((each) => each <= options.products))) {
      const large = await build(size);
      comparisons.push(
        ...compareFirstLoads(small, large),
        ...(await compareReads(small, large, options, serve)),
        await compareStarts(small, large, options),
        compareDiskUsage(large),
      );
    }
    return comparisons;
  });

/** A data directory with its journal, as `vitrine serve` uses it. */
interface Shop {
  readonly directory: string;
  readonly products: number;
  /** Bytes of the JSON of all events. */
  readonly eventBytes: number;
  readonly firstLoad: FirstLoad;
}

/** Figures of the first load by `vitrine serve`, from its start until it is ready. */
interface FirstLoad {
  readonly seconds: number;
  readonly projectorCpuSeconds: number;
  readonly projectorPeakMegabytes: number;
  /** Proportional size (PSS) of all processes, after every product was read. */
  readonly processMegabytes: number;
}

/** Events per append to the journal. */
const chunkSize = 10_000;

const generateEvents = (products: number): readonly CloudEvent[] =>
  generateProducts(products).map(toProductEvent);

const buildShop = async (
  directory: string,
  products: number,
  events: readonly CloudEvent[],
): Promise<Shop> => {
  openDataDirectory(directory);
  const eventLog = await openEventLog("journal:", { dataDir: directory, now: Date.now });
  let eventBytes = 0;
  for (let first = 0; first < events.length; first += chunkSize) {
    const messages = events.slice(first, first + chunkSize).map((event) => toMessage(event));
    for (const { body } of messages) eventBytes += body.length;
    await eventLog.append(messages);
  }
  await eventLog.close();
  return { directory, products, eventBytes, firstLoad: await loadFirst(directory, products) };
};

/** Seconds after which a first load counts as failed. */
const maxLoadSeconds = 3_600;

const loadFirst = async (directory: string, products: number): Promise<FirstLoad> => {
  const start = performance.now();
  const server = await startVitrine(["--workers", "1"], { dataDir: directory });
  await server.ready(maxLoadSeconds);
  const seconds = (performance.now() - start) / 1000;
  for (let id = 0; id < products; id += pageSize) {
    await sendRequest(server.url, pageRequest(encodeCursor({ by: "id", id })));
  }
  const children = await childrenOf(Number(server.child.pid));
  const projector = children.get("vitrine projector");
  const status = readFileSync(`/proc/${projector}/status`, "utf8");
  const figures = {
    seconds,
    projectorCpuSeconds: cpuSecondsOf(Number(projector)),
    projectorPeakMegabytes: kilobytesIn(status, "VmHWM") / 1024,
    processMegabytes: sum([Number(server.child.pid), ...children.values()].map(megabytesOf)),
  };
  await server.stop();
  return figures;
};

/** Products of a page of `pageRequest`. */
const pageSize = 100;

const sum = (figures: readonly number[]): number =>
  figures.reduce((total, each) => total + each, 0);

const megabytesOf = (pid: number | string): number =>
  kilobytesIn(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"), "Pss") / 1024;

const kilobytesIn = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);

const compareFirstLoads = (small: Shop, large: Shop): readonly Comparison[] => {
  const compareFigure = (name: string, unit: string, figure: (shop: Shop) => number): Comparison =>
    toComparison(rowName(name, large), unit, figure(large), {
      name: rowName("", small).trim(),
      figure: figure(small),
    });
  return [
    compareFigure("time to first load", "s", ({ firstLoad }) => firstLoad.seconds),
    compareFigure(
      "events of a first load",
      "events/CPU-s",
      ({ products, firstLoad }) => products / firstLoad.projectorCpuSeconds,
    ),
    compareFigure(
      "peak memory of the projector",
      "MB",
      ({ firstLoad }) => firstLoad.projectorPeakMegabytes,
    ),
  ];
};

/** Number of different requests. */
const maxRequests = { products: 5_000, pages: 3_000 };

const names = {
  product: "lookup of a product",
  page: "page of 100 products",
  memory: "memory of an HTTP process afterwards",
} as const;

const rowName = (name: string, { products }: Shop): string =>
  `${name} among ${products.toLocaleString("en")}`;

const compareReads = async (
  small: Shop,
  large: Shop,
  { seconds, rounds, report }: ScaleOptions,
  serve: ServeModel,
): Promise<readonly Comparison[]> => {
  const measures: Record<string, Measure> = {};
  const servers: [Shop, ServerProcess][] = [];
  for (const shop of [small, large]) {
    const server = await serve(shop.directory);
    servers.push([shop, server]);
    measures[rowName(names.product, shop)] = measureRequests(
      server,
      productRequests(shop),
      seconds,
    );
    measures[rowName(names.page, shop)] = measureRequests(server, pageRequests(shop), seconds);
  }
  const figures = new Map(await interleave(measures, rounds, report));
  for (const [shop, { pid }] of servers) {
    figures.set(rowName(names.memory, shop), { figure: anonymousMegabytes(pid) });
  }
  // Each holds the lock of its data directory, which the next measurement starts a service on.
  for (const [, server] of servers) await server.stop();
  return Object.entries(names).map(([part, name]) => {
    const figure = (shop: Shop): number => sampleOf(figures, rowName(name, shop)).figure;
    const unit = part === "memory" ? "MB" : "requests/CPU-s";
    return toComparison(rowName(name, large), unit, figure(large), {
      name: rowName("", small).trim(),
      figure: figure(small),
    });
  });
};

/** Builds requests for random products. */
export const productRequests = ({ products }: Pick<Shop, "products">): readonly SentRequest[] => {
  const chance = seeded(11);
  return Array.from({ length: maxRequests.products }, () =>
    productRequest(String(1 + chance.below(products))),
  );
};

/** Builds requests for pages after random products, so that few pages are requested twice. */
const pageRequests = ({ products }: Shop): readonly SentRequest[] => {
  const chance = seeded(13);
  const starts = Array.from({ length: maxRequests.pages }, () => chance.below(products - 100));
  return starts.map((id) => pageRequest(encodeCursor({ by: "id", id })));
};

/** Reads the anonymous memory of a process, which excludes the pages of the model that all processes share. */
const anonymousMegabytes = (pid: number): number =>
  kilobytesIn(readFileSync(`/proc/${pid}/status`, "utf8"), "RssAnon") / 1024;

/** Compares the milliseconds from starting `vitrine serve` on an existing model to its first response. */
const compareStarts = async (
  small: Shop,
  large: Shop,
  { rounds, report }: ScaleOptions,
): Promise<Comparison> => {
  const timesByShop = new Map<Shop, number[]>([
    [small, []],
    [large, []],
  ]);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [shop, times] of timesByShop) {
      const start = performance.now();
      const server = await startVitrine(["--workers", "1"], { dataDir: shop.directory });
      await sendRequest(server.url, productRequest("1"));
      const time = performance.now() - start;
      await server.stop();
      report(`${rowName("start", shop)}: ${Math.round(time)} ms`);
      if (round > 0) times.push(time);
    }
  }
  const medianTime = (shop: Shop): number => median(timesByShop.get(shop) ?? []);
  return toComparison(rowName("start to first response", large), "ms", medianTime(large), {
    name: rowName("", small).trim(),
    figure: medianTime(small),
  });
};

export const diskBytes = ({ directory }: Pick<Shop, "directory">): number => {
  const live = openDataDirectory(directory).live() ?? "";
  return sum(readdirSync(live).map((file) => statSync(join(live, file)).blocks * 512));
};

const compareDiskUsage = (shop: Shop): Comparison =>
  toComparison(
    rowName("bytes on disk per product", shop),
    "bytes",
    diskBytes(shop) / shop.products,
    { name: "its events as JSON", figure: shop.eventBytes / shop.products },
  );

/** Compares all processes of a service with the model that they serve. */
const compareProcessMemory = (shop: Shop): Comparison =>
  toComparison(
    rowName("memory of all processes (PSS)", shop),
    "MB",
    shop.firstLoad.processMegabytes,
    {
      name: "its model on disk",
      figure: diskBytes(shop) / 1024 ** 2,
    },
  );
