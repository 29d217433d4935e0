import { join } from "node:path";
import { toMessage } from "../../../src/events/envelope.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { built } from "../built.ts";
import { type ServerProcess, startServer } from "../child.ts";
import { callTool, type SentRequest } from "../exchanges.ts";
import { type Comparison, compare, interleave, type Measure, type Report } from "../figures.ts";
import { ask, load } from "../load.ts";
import { project } from "../projecting.ts";
import { queriesFor, type Text } from "./corpus.ts";
import { eventOf } from "./vitrine.ts";

const { openEventLog } =
  await built<typeof import("../../../src/event-log/open.ts")>("event-log/open");
const { signToken } =
  await built<typeof import("../../../src/surfaces/access/bearer.ts")>("surfaces/access/bearer");

/** Enough that none is asked again while its answer may still be kept. */
const mostRequested = 20_000;

const names = { page: "search page of 20 products", call: "search_products" } as const;

/** Searches over HTTP, as GraphQL and as a tool, beside servers with an engine a shop would take. */
export const benchPages = async (
  texts: readonly Text[],
  options: { readonly seconds: number; readonly rounds: number; readonly tell: Report },
): Promise<readonly Comparison[]> => {
  const directory = temporaryDirectory();
  const running: ServerProcess[] = [];
  const start = async (...args: Parameters<typeof startServer>): Promise<ServerProcess> => {
    const server = await startServer(...args);
    running.push(server);
    return server;
  };
  try {
    const count = String(texts.length);
    const vitrine = await start("server-vitrine.ts", [await makeModel(directory.path, texts)]);
    const queries = queriesFor(texts, mostRequested);
    const [pages, calls] = [queries.map(askPage), queries.map(searchTool)];
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
    for (const [, asked, server] of peers) await mustFindAlike(vitrine, server, asked.slice(0, 20));
    const measures: Record<string, Measure> = {
      [names.page]: loaded(vitrine, pages, options.seconds),
      [names.call]: loaded(vitrine, calls, options.seconds),
    };
    for (const [name, asked, server] of peers) {
      measures[name] = loaded(server, asked, options.seconds);
    }
    const figures = await interleave(measures, options.rounds, options.tell);
    return peers.map(([name, asked]) =>
      compare(figures, "requests/CPU-s", asked === pages ? names.page : names.call, name),
    );
  } finally {
    for (const server of running) await server.stop();
    directory.remove();
  }
};

const makeModel = async (path: string, texts: readonly Text[]): Promise<string> => {
  const eventLog = await openEventLog(`journal:${join(path, "journal")}`, {
    dataDir: path,
    now: Date.now,
  });
  await eventLog.append(texts.map((text) => toMessage(eventOf(text))));
  const model = join(path, "model");
  await project(model, eventLog, texts.length);
  await eventLog.close();
  return model;
};

const json = { "content-type": "application/json" };

const askPage = (query: string): SentRequest => ({
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

const token = signToken({ label: "bench", generation: 0 }, "a secret of the bench");

const searchTool = (query: string, id: number): SentRequest =>
  callTool(token, id + 1, "search_products", { query });

/** Engines rank and forgive otherwise, but what finds nothing here and a page there is no peer. */
const mustFindAlike = async (
  vitrine: ServerProcess,
  peer: ServerProcess,
  asked: readonly SentRequest[],
): Promise<void> => {
  let alike = 0;
  for (const one of asked) {
    const [mine, theirs] = await Promise.all(
      [vitrine, peer].map(async ({ url }) => productsIn((await ask(url, one)).answer)),
    );
    if (mine === theirs) alike += 1;
  }
  if (alike < asked.length / 2) throw new Error(`of ${asked.length} answers ${alike} are alike`);
};

const productsIn = (answer: string): number => {
  const { data, result } = JSON.parse(answer);
  const products = data?.products.nodes ?? result?.structuredContent.products;
  if (!products) throw new Error(`no products in ${answer.slice(0, 200)}`);
  return products.length;
};

const loaded =
  (server: ServerProcess, asked: readonly SentRequest[], seconds: number): Measure =>
  async () => {
    const before = await server.cpuSeconds();
    const answered = await load(server.url, asked, seconds);
    return answered / ((await server.cpuSeconds()) - before);
  };
