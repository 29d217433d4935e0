import { join } from "node:path";
import { toMessage } from "../../src/events/envelope.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { built } from "./built.ts";
import { type ServerProcess, startServer } from "./child.ts";
import { readDemoShop } from "./demo-shop.ts";
import { type Exchange, workloads } from "./exchanges.ts";
import { type Comparison, compare, interleave, type Measure, type Tell } from "./figures.ts";
import { askEach, load } from "./load.ts";
import { project } from "./projecting.ts";

const { openEventLog } =
  await built<typeof import("../../src/event-log/open.ts")>("event-log/open");

export interface ReadOptions {
  /** Length of one measurement. */
  readonly seconds: number;
  readonly rounds: number;
  readonly tell: Tell;
}

/** Requests per second of CPU of one Vitrine process over the demo shop, beside bare `node:http` with the same bytes. */
export const benchReads = async (options: ReadOptions): Promise<readonly Comparison[]> => {
  const directory = temporaryDirectory();
  const servers: ServerProcess[] = [];
  try {
    const bodies = workloads(await makeModel(directory.path));
    const vitrine = await startServer("server-vitrine.ts", [join(directory.path, "model")]);
    servers.push(vitrine);
    const exchanges = await askEach(vitrine.url, Object.values(bodies).flat());
    const bare = await startServer("server-bare.ts", [], exchanges);
    servers.push(bare);
    await mustAnswerAlike(bare, exchanges);
    return await measure(vitrine, bare, bodies, options);
  } finally {
    for (const server of servers) await server.stop();
    directory.remove();
  }
};

/** The demo shop in `model`; returns the ids of some of its products. */
const makeModel = async (path: string): Promise<readonly number[]> => {
  const shop = readDemoShop();
  const eventLog = await openEventLog(`journal:${join(path, "journal")}`, {
    dataDir: path,
    now: Date.now,
  });
  await eventLog.append(shop.events.map((event) => toMessage(event)));
  await project(join(path, "model"), eventLog, shop.events.length);
  await eventLog.close();
  const visible = shop.products.filter(({ active }) => active !== false);
  return visible.slice(0, 1_000).map(({ id }) => id);
};

const mustAnswerAlike = async (
  server: ServerProcess,
  exchanges: readonly Exchange[],
): Promise<void> => {
  const alike = await askEach(
    server.url,
    exchanges.map(({ body }) => body),
  );
  const differing = alike.findIndex(({ answer }, at) => answer !== exchanges[at]?.answer);
  if (differing !== -1) throw new Error(`the peer answers otherwise: ${alike[differing]?.answer}`);
};

const measure = async (
  vitrine: ServerProcess,
  bare: ServerProcess,
  bodies: ReturnType<typeof workloads>,
  { seconds, rounds, tell }: ReadOptions,
): Promise<readonly Comparison[]> => {
  const measures: Record<string, Measure> = {};
  for (const [name, asked] of Object.entries(bodies)) {
    measures[name] = loaded(vitrine, asked, seconds);
    measures[peer(name)] = loaded(bare, asked, seconds);
  }
  const figures = await interleave(measures, rounds, tell);
  return Object.keys(bodies).map((name) => compare(figures, "requests/CPU-s", name, peer(name)));
};

const peer = (name: string): string => `node:http, ${name}`;

/**
 * Requests per second of CPU time: what a core gives when it does nothing else. Per second of the clock the peer's
 * figure would be the load's, which is no faster than it.
 */
const loaded =
  (server: ServerProcess, bodies: readonly string[], seconds: number): Measure =>
  async () => {
    const before = await server.cpuSeconds();
    const answered = await load(server.url, bodies, seconds);
    return answered / ((await server.cpuSeconds()) - before);
  };
