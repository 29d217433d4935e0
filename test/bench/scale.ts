import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { toMessage } from "../../src/events/envelope.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { startVitrine } from "../helpers/vitrine.ts";
import { built } from "./built.ts";
import { type ServerProcess, startServer } from "./child.ts";
import { askPage, askProduct, type SentRequest } from "./exchanges.ts";
import { type Comparison, interleave, type Measure, median, type Report } from "./figures.ts";
import { ask, loaded } from "./load.ts";
import { project } from "./projecting.ts";
import { generated } from "./search/corpus.ts";
import { eventOf } from "./search/vitrine.ts";
import { seeded } from "./seeded.ts";

const { openEventLog } =
  await built<typeof import("../../src/event-log/open.ts")>("event-log/open");
const { openDataDirectory } = await built<
  typeof import("../../src/read-model/generations/data-directory.ts")
>("read-model/generations/data-directory");
const { encodeCursor } = await built<typeof import("../../src/read-model/reader/cursor.ts")>(
  "read-model/reader/cursor",
);

export interface ScaleOptions {
  /** Products of the large catalogue, beside the small one. */
  readonly products: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly tell: Report;
}

const small = 10_000;

/** What a large catalogue costs beside a small one: reads, memory, the start and the disk. */
export const benchScale = async (options: ScaleOptions): Promise<readonly Comparison[]> => {
  const directory = temporaryDirectory();
  const running: ServerProcess[] = [];
  try {
    const shops: Shop[] = [];
    for (const products of [small, options.products]) {
      options.tell(`projecting ${products.toLocaleString("en")} products`);
      shops.push(await makeShop(join(directory.path, String(products)), products));
    }
    const [few, many] = shops as [Shop, Shop];
    return [
      ...(await reads(few, many, options, running)),
      await starts(few, many, options),
      footprint(many),
    ];
  } finally {
    for (const server of running) await server.stop();
    directory.remove();
  }
};

/** A data directory as `vitrine serve` has it, with its journal. */
interface Shop {
  readonly directory: string;
  readonly products: number;
  /** Bytes of all events, as JSON. */
  readonly eventBytes: number;
}

/** Events that are appended to the journal in one go. */
const appended = 10_000;

const makeShop = async (directory: string, products: number): Promise<Shop> => {
  openDataDirectory(directory);
  const eventLog = await openEventLog("journal:", { dataDir: directory, now: Date.now });
  const texts = generated(products);
  let eventBytes = 0;
  for (let first = 0; first < products; first += appended) {
    const events = texts.slice(first, first + appended).map(eventOf);
    const messages = events.map((event) => toMessage(event));
    for (const { body } of messages) eventBytes += body.length;
    await eventLog.append(messages);
  }
  await project(directory, eventLog, products);
  await eventLog.close();
  return { directory, products, eventBytes };
};

/** So many products, and pages, are asked for in turn. */
const most = { products: 5_000, pages: 3_000 };

const names = {
  product: "look-up of a product",
  page: "page of 100 products",
  memory: "memory of an HTTP process after these",
} as const;

const among = (name: string, { products }: Shop): string =>
  `${name} among ${products.toLocaleString("en")}`;

const reads = async (
  few: Shop,
  many: Shop,
  { seconds, rounds, tell }: ScaleOptions,
  running: ServerProcess[],
): Promise<readonly Comparison[]> => {
  const measures: Record<string, Measure> = {};
  const servers: [Shop, ServerProcess][] = [];
  for (const shop of [few, many]) {
    const server = await startServer("server-vitrine.ts", [shop.directory]);
    running.push(server);
    servers.push([shop, server]);
    measures[among(names.product, shop)] = loaded(server, productsOf(shop), seconds);
    measures[among(names.page, shop)] = loaded(server, pagesOf(shop), seconds);
  }
  const figures = new Map(await interleave(measures, rounds, tell));
  for (const [shop, { pid }] of servers) {
    figures.set(among(names.memory, shop), anonymousMegabytes(pid));
  }
  return Object.entries(names).map(([part, name]) => {
    const [figure, its] = [many, few].map((shop) => figures.get(among(name, shop)) ?? 0);
    return {
      name: among(name, many),
      figure: figure ?? 0,
      unit: part === "memory" ? "MB" : "requests/CPU-s",
      beside: { name: among("", few).trim(), figure: its ?? 0 },
      ratio: (figure ?? 0) / (its ?? 0),
    };
  });
};

/** Of ids all over the catalogue, as chance has it. */
const productsOf = ({ products }: Shop): readonly SentRequest[] => {
  const chance = seeded(11);
  return Array.from({ length: most.products }, () =>
    askProduct(String(1 + chance.below(products))),
  );
};

/** Pages that begin anywhere, so that hardly one is asked for twice. */
const pagesOf = ({ products }: Shop): readonly SentRequest[] => {
  const chance = seeded(13);
  const starts = Array.from({ length: most.pages }, () => chance.below(products - 100));
  return starts.map((id) => askPage(encodeCursor({ by: "id", id })));
};

/** Memory that is the process's own: pages of the model that the system keeps for all processes are not counted. */
const anonymousMegabytes = (pid: number): number => {
  const [, kilobytes] =
    /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
};

/** Milliseconds from starting `vitrine serve` on what is there to its first answer. */
const starts = async (
  few: Shop,
  many: Shop,
  { rounds, tell }: ScaleOptions,
): Promise<Comparison> => {
  const taken = new Map<Shop, number[]>([
    [few, []],
    [many, []],
  ]);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [shop, times] of taken) {
      const begun = performance.now();
      const service = await startVitrine(["--workers", "1"], { dataDir: shop.directory });
      await ask(service.url, askProduct("1"));
      const time = performance.now() - begun;
      await service.stop();
      tell(`${among("start", shop)}: ${Math.round(time)} ms`);
      if (round > 0) times.push(time);
    }
  }
  const [figure, its] = [median(taken.get(many) ?? []), median(taken.get(few) ?? [])];
  return {
    name: among("start to first answer", many),
    figure,
    unit: "ms",
    beside: { name: among("", few).trim(), figure: its },
    ratio: figure / its,
  };
};

const footprint = ({ directory, products, eventBytes }: Shop): Comparison => {
  const live = openDataDirectory(directory).live() ?? "";
  const bytes = readdirSync(live)
    .map((file) => statSync(join(live, file)).blocks * 512)
    .reduce((sum, size) => sum + size, 0);
  return {
    name: `bytes on disk a product, of ${products.toLocaleString("en")}`,
    figure: bytes / products,
    unit: "bytes",
    beside: { name: "its events as JSON", figure: eventBytes / products },
    ratio: bytes / eventBytes,
  };
};
