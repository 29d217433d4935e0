import { join } from "node:path";
import { toMessage } from "../../src/events/envelope.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { built } from "./built.ts";
import { type ServerProcess, startServer } from "./child.ts";
import { readDemoShop } from "./demo-shop.ts";
import {
  askMarkdown,
  askPage,
  askProduct,
  callTool,
  type Edge,
  type Exchange,
  type SentRequest,
} from "./exchanges.ts";
import { type Comparison, compare, interleave, type Measure, type Report } from "./figures.ts";
import { ask, askEach, loaded } from "./load.ts";
import { project } from "./projecting.ts";

const { openEventLog } =
  await built<typeof import("../../src/event-log/open.ts")>("event-log/open");
const { signToken } =
  await built<typeof import("../../src/surfaces/access/bearer.ts")>("surfaces/access/bearer");
const { openDataDirectory } = await built<
  typeof import("../../src/read-model/generations/data-directory.ts")
>("read-model/generations/data-directory");

export interface ReadOptions {
  /** Length of one measurement. */
  readonly seconds: number;
  readonly rounds: number;
  readonly tell: Report;
}

/** So many demo shops in one: more products than answers are kept of. */
const shops = 16;

/** Of what is another each time: enough that nothing is asked again while it may still be kept. */
const most = { products: 20_000, calls: 5_000 };

/** Events a second while reads are measured beside them. */
const eventRate = 1_000;

/** Requests per second of CPU of one Vitrine process over a shop of 30,000 products, each beside its peers. */
export const benchReads = async (options: ReadOptions): Promise<readonly Comparison[]> => {
  const directory = temporaryDirectory();
  const running: ServerProcess[] = [];
  const start = async (...args: Parameters<typeof startServer>): Promise<ServerProcess> => {
    const server = await startServer(...args);
    running.push(server);
    return server;
  };
  try {
    options.tell("making the model");
    const model = join(directory.path, "model");
    const highest = await makeModel(directory.path);
    const vitrine = await start("server-vitrine.ts", [model]);
    const edges = await walk(vitrine);
    const asked = await workloads(vitrine, edges);
    const peers = await startPeers(vitrine, asked, edges, start);
    const measures = measuresOf(vitrine, asked, peers, options.seconds);
    const figures = new Map(await interleave(measures, options.rounds, options.tell));
    const live = openDataDirectory(model).live() ?? "";
    await start("server-events.ts", [live, String(eventRate), String(highest)]);
    const busy = await interleave(busyMeasures(vitrine, asked, options.seconds), 1, options.tell);
    for (const [name, figure] of busy) figures.set(name, figure);
    return comparisons(asked, figures);
  } finally {
    for (const server of running) await server.stop();
    directory.remove();
  }
};

/** Several demo shops as one, in `model`; returns the highest product id. */
const makeModel = async (path: string): Promise<number> => {
  const shop = readDemoShop();
  const eventLog = await openEventLog(`journal:${join(path, "journal")}`, {
    dataDir: path,
    now: Date.now,
  });
  const step = Math.max(...shop.products.map(({ id }) => id));
  const more = Array.from({ length: shops - 1 }, (_, at) => (at + 1) * step).flatMap((offset) =>
    shop.products.map((product) => ({ ...product, id: product.id + offset })),
  );
  const events = more.map((data) => ({
    specversion: "1.0" as const,
    id: `more-${data.id}`,
    source: "/shops/demo",
    type: "shop.product.upserted",
    subject: `product/${data.id}`,
    time: new Date(shop.lastTime).toISOString(),
    datacontenttype: "application/json",
    data: { ...data, url: `${data.url}-${data.id}` },
  }));
  const messages = [...shop.events, ...events].map((event) => toMessage(event));
  await eventLog.append(messages);
  await project(join(path, "model"), eventLog, messages.length);
  await eventLog.close();
  return shops * step;
};

const walk = async (vitrine: ServerProcess): Promise<readonly Edge[]> => {
  const edges: Edge[] = [];
  for (let after: string | null = null; ; ) {
    const { answer } = await ask(vitrine.url, askPage(after));
    const page = JSON.parse(answer).data.products;
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
  markdown: "Markdown page",
  unchanged: "Markdown page, unchanged (304)",
  call: "get_product, another each time",
} as const;

type Workload = keyof typeof names;
type Workloads = Readonly<Record<Workload, readonly SentRequest[]>>;

const workloads = async (vitrine: ServerProcess, edges: readonly Edge[]): Promise<Workloads> => {
  const ids = edges.map(({ node }) => node.id);
  const url = edges[100]?.node.url ?? "";
  const { etag } = await ask(vitrine.url, askMarkdown(url));
  const token = signToken({ label: "bench", generation: 0 }, "a secret of the bench");
  const ends = edges.filter((_, at) => at % 100 === 99).map(({ cursor }) => cursor);
  return {
    same: [askProduct(ids[0] ?? "")],
    another: ids.slice(0, most.products).map(askProduct),
    page: [askPage(null)],
    pages: [null, ...ends.slice(0, -1)].map(askPage),
    markdown: [askMarkdown(url)],
    unchanged: [askMarkdown(url, etag)],
    call: ids
      .slice(0, most.calls)
      .map((id) => callTool(token, Number(id), "get_product", { product_id: id })),
  };
};

/** Peers by what they are called in the table, and what each is asked. */
interface Peer {
  readonly server: ServerProcess;
  readonly name: string;
  readonly asked: readonly Workload[];
}

const startPeers = async (
  vitrine: ServerProcess,
  asked: Workloads,
  edges: readonly Edge[],
  start: typeof startServer,
): Promise<readonly Peer[]> => {
  const answers = async (...workloads: readonly Workload[]): Promise<readonly Exchange[]> =>
    (await Promise.all(workloads.map((one) => askEach(vitrine.url, asked[one])))).flat();
  // A bare server repeats what it is given: what it takes is the least that any server on this runtime takes.
  const repeated = ["same", "another", "page", "markdown"] as const;
  const bytes = await answers(...repeated);
  // A bare server knows requests by address and body: one that answers 304 to a page answers nothing else there.
  const unchanged = await answers("unchanged");
  const graphql = ["same", "another", "page", "pages"] as const;
  const bare = async (
    name: string,
    server: "node" | "koa",
    what: "whole" | "body",
    asked: readonly Workload[],
    exchanges: readonly Exchange[],
  ): Promise<Peer> => ({
    name,
    asked,
    server: await start("server-bare.ts", [server, what], exchanges),
  });
  const peers: readonly Peer[] = [
    await bare("node:http", "node", "whole", repeated, bytes),
    await bare("Koa", "koa", "whole", repeated, bytes),
    await bare("Koa", "koa", "whole", ["unchanged"], unchanged),
    await bare("Koa without these headers", "koa", "body", repeated, bytes),
    await bare("Koa without these headers", "koa", "body", ["unchanged"], unchanged),
    {
      name: "mercurius+JIT in memory",
      asked: graphql,
      server: await start("server-mercurius.ts", ["memory"], edges),
    },
    {
      name: "mercurius+JIT over LMDB",
      asked: ["page", "pages"],
      server: await start("server-mercurius.ts", ["lmdb"], edges),
    },
    {
      name: "MCP SDK, a server per request",
      asked: ["call"],
      server: await start("server-mcp-sdk.ts", [], await answers("call")),
    },
  ];
  for (const peer of peers) await mustAnswerAlike(vitrine, peer, asked);
  return peers;
};

/** What a peer says has to be what Vitrine says, or it is no peer. */
const mustAnswerAlike = async (
  vitrine: ServerProcess,
  { server, name, asked: workloads }: Peer,
  asked: Workloads,
): Promise<void> => {
  for (const workload of workloads) {
    for (const one of asked[workload].slice(0, 50)) {
      const [mine, theirs] = [await ask(vitrine.url, one), await ask(server.url, one)];
      if (plain(mine.answer) === plain(theirs.answer)) continue;
      throw new Error(`${name} answers otherwise: ${theirs.answer.slice(0, 500)}`);
    }
  }
};

const plain = (text: string): string =>
  text.startsWith("{") ? JSON.stringify(sorted(JSON.parse(text))) : text;

const sorted = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([name, one]) => [name, sorted(one)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
};

const every = Object.keys(names) as readonly Workload[];

const measuresOf = (
  vitrine: ServerProcess,
  asked: Workloads,
  peers: readonly Peer[],
  seconds: number,
): Record<string, Measure> => {
  const measures: Record<string, Measure> = {};
  for (const workload of every) {
    measures[names[workload]] = loaded(vitrine, asked[workload], seconds);
    for (const { server, name } of peers.filter(({ asked }) => asked.includes(workload))) {
      measures[`${name}: ${names[workload]}`] = loaded(server, asked[workload], seconds);
    }
  }
  return measures;
};

const busily = (workload: Workload): string =>
  `${names[workload]}, under ${eventRate.toLocaleString("en")} events/s`;

const busyMeasures = (vitrine: ServerProcess, asked: Workloads, seconds: number) =>
  Object.fromEntries(
    every.map((workload) => [busily(workload), loaded(vitrine, asked[workload], seconds)]),
  );

const comparisons = (asked: Workloads, figures: ReadonlyMap<string, number>) =>
  (Object.keys(asked) as Workload[]).flatMap((workload) => {
    const peers = [...figures.keys()].filter((name) => name.endsWith(`: ${names[workload]}`));
    const beside = (name: string, peer: string): Comparison =>
      compare(figures, "requests/CPU-s", name, peer);
    return [
      ...peers.map((peer) => beside(names[workload], peer)),
      beside(busily(workload), names[workload]),
    ];
  });
