import { join } from "node:path";
import { toMessage } from "../../src/events/envelope.ts";
import { readDemoShop } from "./demo-shop.ts";
import {
  acceptIdentity,
  callTool,
  type Edge,
  type Exchange,
  markdownRequest,
  pageRequest,
  productRequest,
  type SentRequest,
} from "./exchanges.ts";
import {
  type Comparison,
  compare,
  type Figures,
  interleave,
  type Measure,
  type Report,
} from "./figures.ts";
import { measureRequests, sendEach, sendRequest } from "./http-load.ts";
import { importBuilt } from "./import-built.ts";
import { projectMessages } from "./project-log.ts";
import { seeded } from "./seeded.ts";
import {
  type ServerProcess,
  type StartServer,
  tokenSecret,
  withServers,
} from "./server-process.ts";

const { signToken } =
  await importBuilt<typeof import("../../src/surfaces/access/bearer.ts")>("surfaces/access/bearer");

export interface ReadOptions {
  /** Duration of one measurement. */
  readonly seconds: number;
  readonly rounds: number;
  readonly report: Report;
}

/** Copies of the demo shop, which make 100,000 products. */
const shopCopies = 54;

/** Maximum number of different requests that a peer gets, because it keeps the recorded response to each in memory. */
const maxRecorded = 20_000;

/** Events per second during the second measurement of reads. */
const eventRate = 1_000;

/** Measures requests per CPU second of one HTTP process over a shop of 100,000 products, and of its peers. */
export const benchReads = (options: ReadOptions): Promise<readonly Comparison[]> =>
  withServers(async (start, directory, serve) => {
    options.report("building the model");
    const model = join(directory, "model");
    const highest = await buildModel(model);
    const vitrine = await serve(model);
    const edges = await readAllPages(vitrine);
    const requests = await buildWorkloads(vitrine, edges);
    const peers = await startPeers(vitrine, requests, edges, start);
    const measures = buildMeasures(vitrine, requests, peers, options.seconds);
    const figures = new Map(await interleave(measures, options.rounds, options.report));
    await start("stock-event-writer.ts", [model, String(eventRate), String(highest)]);
    const busy = await interleave(
      buildBusyMeasures(vitrine, requests, options.seconds),
      1,
      options.report,
    );
    for (const [name, figure] of busy) figures.set(name, figure);
    return compareWithPeers(requests, figures);
  });

/** Projects several copies of the demo shop into a data directory. @returns the highest product id */
const buildModel = async (path: string): Promise<number> => {
  const shop = readDemoShop();
  const idOffset = Math.max(...shop.products.map(({ id }) => id));
  const copies = Array.from({ length: shopCopies - 1 }, (_, copy) => (copy + 1) * idOffset).flatMap(
    (offset) => shop.products.map((product) => ({ ...product, id: product.id + offset })),
  );
  const events = copies.map((data) => ({
    specversion: "1.0" as const,
    id: `copy-${data.id}`,
    source: "/shops/demo",
    type: "shop.product.upserted",
    subject: `product/${data.id}`,
    time: new Date(shop.lastTime).toISOString(),
    datacontenttype: "application/json",
    data: { ...data, url: `${data.url}-${data.id}` },
  }));
  await projectMessages(
    path,
    [...shop.events, ...events].map((event) => toMessage(event)),
  );
  return shopCopies * idOffset;
};

export const readAllPages = async (vitrine: ServerProcess): Promise<readonly Edge[]> => {
  const edges: Edge[] = [];
  for (let after: string | null = null; ; ) {
    const { body } = await sendRequest(vitrine.url, pageRequest(after));
    const page = JSON.parse(body).data.products;
    edges.push(...page.edges);
    if (!page.pageInfo.hasNextPage) return edges;
    after = page.pageInfo.endCursor;
  }
};

const names = {
  same: "product, the same",
  another: "product, another each time",
  page: "page of 100 products, the same",
  pages: "page of 100 products, another each time",
  markdown: "Markdown page, the same",
  markdowns: "Markdown page, another each time",
  unchanged: "Markdown page, another each time, unchanged (304)",
  call: "get_product, another each time",
} as const;

type Workload = keyof typeof names;
type Workloads = Readonly<Record<Workload, readonly SentRequest[]>>;

const buildWorkloads = async (
  vitrine: ServerProcess,
  edges: readonly Edge[],
): Promise<Workloads> => {
  const products = shuffle(edges.map(({ node }) => node));
  const ids = products.map(({ id }) => id);
  const markdowns = products.map(({ url }) => markdownRequest(url));
  const token = signToken({ label: "bench", tokenEpoch: 0 }, tokenSecret);
  const ends = edges.filter((_, index) => index % 100 === 99).map(({ cursor }) => cursor);
  return {
    same: [productRequest(ids[0] ?? "")],
    another: ids.map(productRequest),
    page: [pageRequest(null)],
    pages: shuffle([null, ...ends.slice(0, -1)]).map(pageRequest),
    markdown: markdowns.slice(0, 1),
    markdowns,
    unchanged: await addEtags(vitrine, markdowns.slice(0, maxRecorded)),
    call: ids.map((id) => callTool(token, Number(id), "get_product", { product_id: id })),
  };
};

/** Makes requests conditional on the content that their client already has. */
const addEtags = async (
  vitrine: ServerProcess,
  requests: readonly SentRequest[],
): Promise<readonly SentRequest[]> => {
  const exchanges = await sendEach(vitrine.url, requests);
  return exchanges.map(({ request, headers: { etag = "" } }) => ({
    ...request,
    headers: { ...request.headers, "if-none-match": etag },
  }));
};

/** Shuffles, with the same result in each run (Fisher-Yates). */
const shuffle = <T>(items: readonly T[]): readonly T[] => {
  const chance = seeded(1);
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = chance.below(at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
  }
  return shuffled;
};

/** A server to compare with, and the workloads it can answer. */
interface Peer {
  readonly server: ServerProcess;
  /** Name in the table. */
  readonly name: string;
  readonly workloads: readonly Workload[];
}

const startPeers = async (
  vitrine: ServerProcess,
  requests: Workloads,
  edges: readonly Edge[],
  start: StartServer,
): Promise<readonly Peer[]> => {
  const record = async (...workloads: readonly Workload[]): Promise<readonly Exchange[]> =>
    (
      await Promise.all(
        workloads.map((one) => sendEach(vitrine.url, requests[one].slice(0, maxRecorded))),
      )
    ).flat();
  // A bare server repeats recorded responses, so its cost is the minimum of any server on this runtime.
  const repeated = ["same", "another", "page", "pages", "markdown", "markdowns"] as const;
  const recorded = await record(...repeated);
  // A bare server finds responses by path and body, so the 304 of a page needs a server of its own.
  const unchanged = await record("unchanged");
  const graphql = ["same", "another", "page", "pages"] as const;
  const bare = async (
    name: string,
    server: "node" | "koa",
    workloads: readonly Workload[],
    exchanges: readonly Exchange[],
  ): Promise<Peer> => ({
    name,
    workloads,
    server: await start("server-bare.ts", [server], exchanges),
  });
  const peers: readonly Peer[] = [
    await bare("node:http", "node", repeated, recorded),
    await bare("node:http", "node", ["unchanged"], unchanged),
    await bare("Koa", "koa", repeated, recorded),
    await bare("Koa", "koa", ["unchanged"], unchanged),
    {
      name: "mercurius+JIT in memory",
      workloads: graphql,
      server: await start("server-mercurius.ts", ["memory"], edges),
    },
    {
      name: "mercurius+JIT over LMDB",
      workloads: graphql,
      server: await start("server-mercurius.ts", ["lmdb"], edges),
    },
    {
      name: "MCP SDK, a server per request",
      workloads: ["call"],
      server: await start("server-mcp-sdk.ts", [], await record("call")),
    },
  ];
  for (const peer of peers) await assertSameResponses(vitrine, peer, requests);
  return peers;
};

/** Asserts that a peer's first responses to each workload equal Vitrine's. */
const assertSameResponses = async (
  vitrine: ServerProcess,
  { server, name, workloads }: Peer,
  requests: Workloads,
): Promise<void> => {
  for (const workload of workloads) {
    for (const request of requests[workload].slice(0, 50)) {
      const expected = await sendRequest(vitrine.url, request);
      const actual = await sendRequest(server.url, request);
      if (normalize(actual.body) === normalize(expected.body)) continue;
      throw new Error(`${name} sends another response: ${actual.body.slice(0, 500)}`);
    }
  }
};

const normalize = (text: string): string =>
  text.startsWith("{") ? JSON.stringify(sortMembers(JSON.parse(text))) : text;

const sortMembers = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortMembers);
  const entries = Object.entries(value).map(([name, one]) => [name, sortMembers(one)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
};

const allWorkloads = Object.keys(names) as readonly Workload[];

const buildMeasures = (
  vitrine: ServerProcess,
  requests: Workloads,
  peers: readonly Peer[],
  seconds: number,
): Record<string, Measure> => {
  const measures: Record<string, Measure> = {};
  for (const workload of allWorkloads) {
    measures[names[workload]] = measureRequests(vitrine, requests[workload], seconds);
    measures[identityName(workload)] = measureRequests(
      vitrine,
      requests[workload].map(acceptIdentity),
      seconds,
    );
    for (const { server, name } of peers.filter(({ workloads }) => workloads.includes(workload))) {
      measures[`${name}: ${names[workload]}`] = measureRequests(
        server,
        requests[workload].slice(0, maxRecorded),
        seconds,
      );
    }
  }
  return measures;
};

const identityName = (workload: Workload): string => `${names[workload]}, without Accept-Encoding`;

const busyName = (workload: Workload): string =>
  `${names[workload]}, under ${eventRate.toLocaleString("en")} events/s`;

const buildBusyMeasures = (vitrine: ServerProcess, requests: Workloads, seconds: number) =>
  Object.fromEntries(
    allWorkloads.map((workload) => [
      busyName(workload),
      measureRequests(vitrine, requests[workload], seconds),
    ]),
  );

const compareWithPeers = (requests: Workloads, figures: Figures) =>
  (Object.keys(requests) as Workload[]).flatMap((workload) => {
    const peers = [...figures.keys()].filter((name) => name.endsWith(`: ${names[workload]}`));
    const compareTo = (name: string, peer: string): Comparison =>
      compare(figures, "requests/CPU-s", name, peer);
    return [
      ...peers.map((peer) => compareTo(names[workload], peer)),
      compareTo(identityName(workload), names[workload]),
      compareTo(busyName(workload), names[workload]),
    ];
  });
