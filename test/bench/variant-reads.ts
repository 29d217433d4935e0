import { join } from "node:path";
import { toMessage } from "../../src/events/envelope.ts";
import { callTool, markdownRequest, productRequest, type SentRequest } from "./exchanges.ts";
import { type Comparison, compare, interleave, type Measure, type Report } from "./figures.ts";
import { importBuilt } from "./import-built.ts";
import { projectLog } from "./project-log.ts";
import { readAllPages } from "./reads.ts";
import type { ServerProcess, StartServer } from "./server-process.ts";
import { withServers } from "./server-process.ts";
import { buildShop } from "./variant-shop.ts";

const { openEventLog } =
  await importBuilt<typeof import("../../src/event-log/open.ts")>("event-log/open");
const { signToken } =
  await importBuilt<typeof import("../../src/surfaces/access/bearer.ts")>("surfaces/access/bearer");

interface VariantReadsOptions {
  /** Products of each shop. */
  readonly products: number;
  readonly rounds: number;
  readonly report: Report;
}

/**
 * Measures requests per CPU second of one HTTP process for products with a sale and 10 variants, and of another one for plain products.
 * Each surface is asked once for each product, because a second answer may come from a cache.
 */
export const benchVariantReads = (options: VariantReadsOptions): Promise<readonly Comparison[]> =>
  withServers(async (start, directory) => {
    const measures: Record<string, Measure> = {};
    for (const [shop, variants] of [
      ["plain", 0],
      ["varied", 10],
    ] as const) {
      options.report(`a shop of ${options.products} products with ${variants} variants each`);
      const server = await serveShop(join(directory, shop), options.products, variants, start);
      for (const [surface, requests] of Object.entries(await listRequests(server)))
        measures[names[shop](surface)] = measureFirst(server, requests, options.rounds + 1);
    }
    const figures = await interleave(measures, options.rounds, options.report);
    return surfaces.map((surface) =>
      compare(figures, "req/CPU-s", names.varied(surface), names.plain(surface)),
    );
  });

/** Enough to keep a server of one core busy. */
const connections = 16;

/** Sends another part of the requests at each call. */
const measureFirst = (
  server: ServerProcess,
  requests: readonly SentRequest[],
  calls: number,
): Measure => {
  const count = Math.floor(requests.length / calls);
  let sent = 0;
  return async () => {
    const waiting = requests.slice(sent, sent + count);
    sent += count;
    const before = await server.cpuSeconds();
    await Promise.all(Array.from({ length: connections }, () => sendAll(server.url, waiting)));
    return count / ((await server.cpuSeconds()) - before);
  };
};

/** @param waiting requests to send, which are removed: several connections share them */
const sendAll = async (url: string, waiting: SentRequest[]): Promise<void> => {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { method, path, headers, body = null } = next;
    const response = await fetch(url + path, { method, headers, body });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
  }
};

const names = {
  plain: (surface: string) => `a plain product, ${surface}`,
  varied: (surface: string) => `sale and 10 variants, ${surface}`,
};

const surfaces = ["GraphQL", "Markdown page", "get_product"] as const;

const serveShop = async (
  path: string,
  products: number,
  variants: number,
  start: StartServer,
): Promise<ServerProcess> => {
  const eventLog = await openEventLog(`journal:${join(path, "journal")}`, {
    dataDir: path,
    now: Date.now,
  });
  const events = buildShop(1, products, variants, () => variants > 0);
  await eventLog.append(events.map((event) => toMessage(event)));
  await projectLog(join(path, "model"), eventLog, events.length);
  await eventLog.close();
  return start("server-vitrine.ts", [join(path, "model")]);
};

const listRequests = async (
  server: ServerProcess,
): Promise<Readonly<Record<(typeof surfaces)[number], readonly SentRequest[]>>> => {
  const products = (await readAllPages(server)).map(({ node }) => node);
  const token = signToken({ label: "bench", tokenEpoch: 0 }, "a secret of the bench");
  return {
    GraphQL: products.map(({ id }) => productRequest(id)),
    "Markdown page": products.map(({ url }) => markdownRequest(url)),
    get_product: products.map(({ id }) =>
      callTool(token, Number(id), "get_product", { product_id: id }),
    ),
  };
};
