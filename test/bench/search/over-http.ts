import { join } from "node:path";
import { toMessage } from "../../../src/events/envelope.ts";
import { callTool, type SentRequest } from "../exchanges.ts";
import { type Comparison, compare, interleave, type Measure, type Report } from "../figures.ts";
import { measureRequests, sendRequest } from "../http-load.ts";
import { importBuilt } from "../import-built.ts";
import { projectMessages } from "../project-log.ts";
import { type ServerProcess, tokenSecret, withServers } from "../server-process.ts";
import { drawQueries, type ProductText } from "./corpus.ts";
import { toProductEvent } from "./vitrine.ts";

const { signToken } =
  await importBuilt<typeof import("../../../src/surfaces/access/bearer.ts")>(
    "surfaces/access/bearer",
  );

/** Number of different queries, so that no query repeats while its response may be cached. */
const maxQueries = 20_000;

const names = { page: "search page of 20 products", call: "search_products" } as const;

/** Compares search over HTTP, by GraphQL and by the tool, with servers of other engines. */
export const benchSearchOverHttp = (
  texts: readonly ProductText[],
  options: { readonly seconds: number; readonly rounds: number; readonly report: Report },
): Promise<readonly Comparison[]> =>
  withServers(async (start, directory, serve) => {
    const count = String(texts.length);
    const vitrine = await serve(await buildModel(directory, texts));
    const queries = drawQueries(texts, maxQueries);
    const [pages, calls] = [queries.map(searchRequest), queries.map(toolRequest)];
    const peers = [
      [
        "mercurius+JIT, MiniSearch",
        pages,
        await start("search/server-graphql.ts", ["memory", count]),
      ],
      [
        "mercurius+JIT, LMDB, FTS5",
        pages,
        await start("search/server-graphql.ts", ["lmdb", count]),
      ],
      ["MCP SDK, MiniSearch", calls, await start("search/server-mcp.ts", [count])],
    ] as const;
    for (const [, requests, server] of peers) {
      await assertSimilarResults(vitrine, server, requests.slice(0, 20));
    }
    const measures: Record<string, Measure> = {
      [names.page]: measureRequests(vitrine, pages, options.seconds),
      [names.call]: measureRequests(vitrine, calls, options.seconds),
    };
    for (const [name, requests, server] of peers) {
      measures[name] = measureRequests(server, requests, options.seconds);
    }
    const figures = await interleave(measures, options.rounds, options.report);
    return peers.map(([name, requests]) =>
      compare(figures, "requests/CPU-s", requests === pages ? names.page : names.call, name),
    );
  });

const buildModel = async (path: string, texts: readonly ProductText[]): Promise<string> => {
  const model = join(path, "model");
  await projectMessages(
    model,
    texts.map((text) => toMessage(toProductEvent(text))),
  );
  return model;
};

const json = { "content-type": "application/json" };

const searchRequest = (query: string): SentRequest => ({
  method: "POST",
  path: "/graphql",
  headers: json,
  body: JSON.stringify({
    query: `query Search($query: String!) {
  products(query: $query, first: 20, relax: true) {
    totalCount
    nodes {
      id name description url reference gtin brand price { amount currency } availability updatedAt
    }
    userErrors { code field message }
  }
}`,
    variables: { query },
  }),
});

const token = signToken({ label: "bench", tokenEpoch: 0 }, tokenSecret);

const toolRequest = (query: string, id: number): SentRequest =>
  callTool(token, id + 1, "search_products", { query });

/** Asserts that a peer finds as many products as Vitrine for at least half of the requests. Ranking may differ. */
const assertSimilarResults = async (
  vitrine: ServerProcess,
  peer: ServerProcess,
  requests: readonly SentRequest[],
): Promise<void> => {
  let equal = 0;
  for (const request of requests) {
    const [expected, actual] = await Promise.all(
      [vitrine, peer].map(async ({ url }) => countProducts((await sendRequest(url, request)).body)),
    );
    if (actual === expected) equal += 1;
  }
  if (equal < requests.length / 2) {
    throw new Error(`${equal} of ${requests.length} responses have as many products as Vitrine's`);
  }
};

const countProducts = (body: string): number => {
  const { data, result } = JSON.parse(body);
  const products = data?.products.nodes ?? result?.structuredContent.products;
  if (!products) throw new Error(`no products in ${body.slice(0, 200)}`);
  return products.length;
};
