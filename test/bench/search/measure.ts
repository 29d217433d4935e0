import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { recordOf } from "../../helpers/events.ts";
import { built } from "../built.ts";
import { type Comparison, cpuSeconds, median } from "../figures.ts";
import { indexAlone } from "../index-alone.ts";
import {
  dataVariable,
  generated,
  queriesFor,
  readJudged,
  readLarge,
  type Text,
  textsOf,
} from "./corpus.ts";
import { benchPages } from "./pages.ts";
import { type Engine, fts5, miniSearch, miniSearchExact, orama } from "./peers.ts";
import { eventOf, vitrine } from "./vitrine.ts";

const { buildWorkerEnvironment } =
  await built<typeof import("../../../src/cli/supervisor/fork.ts")>("cli/supervisor/fork");

/** Run in a process of its own, under a Node that has SQLite. Arguments: products of the large catalogue; one part alone. */

const scale = Number(process.argv[2]);
const comparisons: Comparison[] = [];
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

const beside = (
  name: string,
  unit: string,
  figure: number,
  peers: readonly (readonly [name: string, figure: number])[],
): void => {
  for (const [peer, its] of peers) {
    const ratio = figure / its;
    comparisons.push({ name, figure, unit, beside: { name: peer, figure: its }, ratio });
  }
};

const enginesOf = async (texts: readonly Text[]): Promise<readonly Engine[]> => {
  const engines: Engine[] = [];
  for (const open of [vitrine, miniSearch, miniSearchExact, orama, fts5]) {
    const engine = await open(texts);
    if (engine) engines.push(engine);
  }
  return engines;
};

const closeAll = async (engines: readonly Engine[]): Promise<void> => {
  for (const engine of engines) await engine.close();
};

const gain = (labels: readonly number[]): number =>
  labels.reduce((sum, label, at) => sum + (2 ** label - 1) / Math.log2(at + 2), 0);

/** Mean over the queries of how near the first ten results are to the best order of what was judged. */
const relevance = async (): Promise<void> => {
  const judged = readJudged();
  if (!judged) {
    return tell(`relevance is left out: ${dataVariable} names no folder with the judged catalogue`);
  }
  const engines = await enginesOf(judged.texts);
  const scores = engines.map((engine) => {
    const each = judged.queries.map(({ query, labels }) => {
      const ideal = gain([...labels.values()].sort((a, b) => b - a).slice(0, 10));
      const told = engine.find(query, 10).ids.map((id) => labels.get(id) ?? 0);
      return ideal === 0 ? 0 : gain(told) / ideal;
    });
    return [engine.name, (1_000 * each.reduce((sum, one) => sum + one, 0)) / each.length] as const;
  });
  const [own, ...peers] = scores;
  beside("relevance of judged queries", "nDCG@10 in 1/1000", own?.[1] ?? 0, peers);
  await closeAll(engines);
};

/** Rounds of a query; the first warms up and does not count. */
const rounds = 4;

/** Microseconds of CPU time. */
const timed = (engine: Engine, asked: string): number => {
  const before = process.cpuUsage();
  engine.find(asked, 20);
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/**
 * Queries answered per second of CPU time at the median query, of each query the least time of its rounds, as a
 * machine that is busy with other things only ever adds to it.
 * @param inTurn whether all engines are asked each query before the next, so that none finds the processor's caches as
 * it left them; else each is asked all queries in a row, as in a service that has no other engine
 */
const medians = (
  engines: readonly Engine[],
  queries: readonly string[],
  inTurn = false,
): readonly (readonly [string, number])[] => {
  const least = engines.map(() => queries.map(() => Number.POSITIVE_INFINITY));
  const measure = (at: number, query: number): void => {
    const times = least[at] as number[];
    const time = timed(engines[at] as Engine, queries[query] as string);
    times[query] = Math.min(times[query] as number, time);
  };
  const [everyEngine, everyQuery] = [[...engines.keys()], [...queries.keys()]];
  const pairs = inTurn
    ? everyQuery.flatMap((query) => everyEngine.map((at) => ({ at, query })))
    : everyEngine.flatMap((at) => everyQuery.map((query) => ({ at, query })));
  for (let round = 0; round < rounds; round += 1) {
    if (round === 1) for (const times of least) times.fill(Number.POSITIVE_INFINITY);
    for (const { at, query } of pairs) measure(at, query);
  }
  return engines.map(({ name }, at) => [name, 1e6 / median(least[at] ?? [])] as const);
};

const latency = async (): Promise<void> => {
  const large = readLarge();
  if (!large) tell(`${dataVariable} names no folder with the PC parts: 45,000 generated products`);
  const texts = large ?? generated(45_000);
  const engines = await enginesOf(texts);
  const queries = queriesFor(texts, 300);
  const name = `search in ${texts.length.toLocaleString("en")} products`;
  for (const inTurn of [false, true]) {
    const [own, ...peers] = medians(engines, queries, inTurn);
    const how = inTurn ? ", caches cold" : "";
    beside(name + how, "queries/CPU-s at the median", own?.[1] ?? 0, peers);
  }
  await closeAll(engines);
};

/** The most anonymous memory, in megabytes, of a process that searches a model all the while. */
const memoryOf = async (directory: string): Promise<number> => {
  const script = fileURLToPath(new URL("memory.ts", import.meta.url));
  const child = fork(script, [directory], {
    env: buildWorkerEnvironment(process.env),
    execArgv: ["--expose-gc", "--import", "tsx"],
  });
  const [told] = await once(child, "message");
  await once(child, "exit");
  return (told as { readonly most: number }).most;
};

const pages = async (): Promise<void> => {
  const texts = textsOf(47_551);
  comparisons.push(...(await benchPages(texts, { seconds: 5, rounds: 2, tell })));
};

const growth = async (): Promise<void> => {
  const small = generated(100_000);
  const one = await vitrine(small);
  const [peer, peerSeconds] = await cpuSeconds(() => miniSearch(small));
  const addAll = ["MiniSearch, addAll", 100_000 / peerSeconds] as const;
  beside("first load of 100,000 products", "products/CPU-s", 100_000 / one.projecting, [addAll]);
  await peer.close();
  const alone = await indexAlone(small.map((text, at) => recordOf(eventOf(text), at + 1)));
  const [, indexing] = await cpuSeconds(alone.run);
  beside("… of which indexing, by itself", "products/CPU-s", 100_000 / indexing, [addAll]);
  const queries = queriesFor(small, 300);
  const [before] = medians([one], queries);
  await one.close();
  tell(`projecting ${scale.toLocaleString("en")} products`);
  const many = await vitrine(generated(scale));
  const few = await vitrine(generated(10_000));
  const [after] = medians([many], queries);
  const shown = scale.toLocaleString("en");
  beside(`search in ${shown} products`, "queries/CPU-s at the median", after?.[1] ?? 0, [
    ["in 100,000 products", before?.[1] ?? 0],
  ]);
  beside(`memory of a process that searches ${shown}`, "MB", await memoryOf(many.store.directory), [
    ["that searches 10,000", await memoryOf(few.store.directory)],
  ]);
  await few.close();
  await many.close();
};

const parts = { relevance, latency, pages, growth };
const only = process.argv[3] as keyof typeof parts | undefined;
for (const part of only ? [parts[only]] : Object.values(parts)) await part();
process.send?.(comparisons);
