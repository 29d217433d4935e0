import { join } from "node:path";
import { toMessage } from "../../src/events/envelope.ts";
import { callTool, markdownRequest, productRequest, type SentRequest } from "./exchanges.ts";
import { type Comparison, compare, interleave, type Measure, type Report } from "./figures.ts";
import { connections, cpuSecondsOf } from "./http-load.ts";
import { importBuilt } from "./import-built.ts";
import { projectMessages } from "./project-log.ts";
import { readAllPages } from "./reads.ts";
import { type ServeModel, type ServerProcess, tokenSecret, withServers } from "./server-process.ts";
import { buildShop } from "./variant-shop.ts";

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
  withServers(async (_, directory, serve) => {
    const measures: Record<string, Measure> = {};
    for (const [shop, variants] of [
      ["plain", 0],
      ["varied", 10],
    ] as const) {
      options.report(`a shop of ${options.products} products with ${variants} variants each`);
      const server = await serveShop(join(directory, shop), options.products, variants, serve);
      for (const [surface, requests] of Object.entries(await listRequests(server)))
        measures[names[shop](surface)] = measureFirst(server, requests, options.rounds + 1);
    }
    const figures = await interleave(measures, options.rounds, options.report);
    return surfaces.map((surface) =>
      compare(figures, "req/CPU-s", names.varied(surface), names.plain(surface)),
    );
  });

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
    const before = cpuSecondsOf(server.pid);
    await Promise.all(Array.from({ length: connections }, () => sendAll(server.url, waiting)));
    return count / (cpuSecondsOf(server.pid) - before);
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
  serve: ServeModel,
): Promise<ServerProcess> => {
  const events = buildShop(1, products, variants, () => variants > 0);
  await projectMessages(
    path,
    events.map((event) => toMessage(event)),
  );
  return serve(path);
};

const listRequests = async (
  server: ServerProcess,
): Promise<Readonly<Record<(typeof surfaces)[number], readonly SentRequest[]>>> => {
  const products = (await readAllPages(server)).map(({ node }) => node);
  const token = signToken({ label: "bench", tokenEpoch: 0 }, tokenSecret);
  return {
    GraphQL: products.map(({ id }) => productRequest(id)),
    "Markdown page": products.map(({ url }) => markdownRequest(url)),
    get_product: products.map(({ id }) =>
      callTool(token, Number(id), "get_product", { product_id: id }),
    ),
  };
};
