import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { recordOf } from "../../helpers/events.ts";
import { type Comparison, cpuSeconds, median, toComparison } from "../figures.ts";
import { importBuilt } from "../import-built.ts";
import { prepareSearchIndexing } from "../search-index-only.ts";
import {
  dataVariable,
  drawQueries,
  generateProducts,
  type ProductText,
  readJudgedCatalogue,
  readLargeCatalogue,
  readOrGenerateProducts,
} from "./corpus.ts";
import { benchSearchOverHttp } from "./over-http.ts";
import { type Engine, fts5, miniSearch, miniSearchExact, orama } from "./peers.ts";
import { toProductEvent, vitrine } from "./vitrine.ts";

const { buildWorkerEnvironment } =
  await importBuilt<typeof import("../../../src/cli/supervisor/fork.ts")>("cli/supervisor/fork");

/**
 * The process that runs the search benchmark, on a Node with SQLite.
 * Arguments: number of products of the large catalogue; optionally the name of one part.
 */

const scale = Number(process.argv[2]);
const comparisons: Comparison[] = [];
const report = (line: string): void => void process.stderr.write(`${line}\n`);

const addRows = (
  name: string,
  unit: string,
  figure: number,
  peers: readonly (readonly [name: string, figure: number])[],
): void => {
  for (const [peerName, peerFigure] of peers) {
    comparisons.push(toComparison(name, unit, figure, { name: peerName, figure: peerFigure }));
  }
};

const openEngines = async (texts: readonly ProductText[]): Promise<readonly Engine[]> => {
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

/** Computes the discounted cumulative gain of results with these labels. */
const gain = (labels: readonly number[]): number =>
  labels.reduce((sum, label, index) => sum + (2 ** label - 1) / Math.log2(index + 2), 0);

/** Measures nDCG@10: the mean gain of the first ten results, divided by the gain of the best order of judged products. */
const relevance = async (): Promise<void> => {
  const judged = readJudgedCatalogue();
  if (!judged) {
    return report(
      `relevance is skipped: ${dataVariable} names no folder with the judged catalogue`,
    );
  }
  const engines = await openEngines(judged.texts);
  const scores = engines.map((engine) => {
    const each = judged.queries.map(({ query, labels }) => {
      const ideal = gain([...labels.values()].sort((a, b) => b - a).slice(0, 10));
      const found = engine.find(query, 10).ids.map((id) => labels.get(id) ?? 0);
      return ideal === 0 ? 0 : gain(found) / ideal;
    });
    return [engine.name, (1_000 * each.reduce((sum, one) => sum + one, 0)) / each.length] as const;
  });
  const [own, ...peers] = scores;
  addRows("relevance of judged queries", "nDCG@10 in 1/1000", own?.[1] ?? 0, peers);
  await closeAll(engines);
};

/** Rounds of each query. The first warms up and is not counted. */
const rounds = 4;

/** Runs a query and returns the microseconds of CPU time. */
const timeQuery = (engine: Engine, query: string): number => {
  const before = process.cpuUsage();
  engine.find(query, 20);
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/**
 * Computes queries per CPU second of the median query. The time of a query is the minimum of its rounds, because other
 * load on the machine only adds to it.
 * @param alternating whether all engines run a query before the next query, so that the processor's caches are cold;
 * else an engine runs all queries in a row, as in a server with one engine
 */
const medianRates = (
  engines: readonly Engine[],
  queries: readonly string[],
  alternating = false,
): readonly (readonly [string, number])[] => {
  const minTimes = engines.map(() => queries.map(() => Number.POSITIVE_INFINITY));
  const measure = (engine: number, query: number): void => {
    const times = minTimes[engine] as number[];
    const time = timeQuery(engines[engine] as Engine, queries[query] as string);
    times[query] = Math.min(times[query] as number, time);
  };
  const [engineIndexes, queryIndexes] = [[...engines.keys()], [...queries.keys()]];
  const pairs = alternating
    ? queryIndexes.flatMap((query) => engineIndexes.map((engine) => ({ engine, query })))
    : engineIndexes.flatMap((engine) => queryIndexes.map((query) => ({ engine, query })));
  for (let round = 0; round < rounds; round += 1) {
    if (round === 1) for (const times of minTimes) times.fill(Number.POSITIVE_INFINITY);
    for (const { engine, query } of pairs) measure(engine, query);
  }
  return engines.map(({ name }, index) => [name, 1e6 / median(minTimes[index] ?? [])] as const);
};

const latency = async (): Promise<void> => {
  const large = readLargeCatalogue();
  if (!large)
    report(`${dataVariable} names no folder with the PC parts: using 45,000 generated products`);
  const texts = large ?? generateProducts(45_000);
  const engines = await openEngines(texts);
  const queries = drawQueries(texts, 300);
  const name = `search in ${texts.length.toLocaleString("en")} products`;
  for (const alternating of [false, true]) {
    const [own, ...peers] = medianRates(engines, queries, alternating);
    const suffix = alternating ? ", caches cold" : "";
    addRows(name + suffix, "queries/CPU-s at the median", own?.[1] ?? 0, peers);
  }
  await closeAll(engines);
};

/** Measures the maximum of anonymous memory, in megabytes, of a process that searches a model repeatedly. */
const measureMemory = async (directory: string): Promise<number> => {
  const script = fileURLToPath(new URL("memory.ts", import.meta.url));
  const child = fork(script, [directory], {
    env: buildWorkerEnvironment(process.env, "http"),
    execArgv: ["--expose-gc", "--import", "tsx"],
  });
  const [message] = await once(child, "message");
  await once(child, "exit");
  return (message as { readonly maxMegabytes: number }).maxMegabytes;
};

const http = async (): Promise<void> => {
  const texts = readOrGenerateProducts(47_551);
  comparisons.push(...(await benchSearchOverHttp(texts, { seconds: 5, rounds: 2, report })));
};

const growth = async (): Promise<void> => {
  const texts = generateProducts(100_000);
  const medium = await vitrine(texts);
  const [peer, peerSeconds] = await cpuSeconds(() => miniSearch(texts));
  const addAll = ["MiniSearch, addAll", 100_000 / peerSeconds] as const;
  addRows("first load of 100,000 products", "products/CPU-s", 100_000 / medium.cpuSeconds, [
    addAll,
  ]);
  await peer.close();
  const index = await prepareSearchIndexing(
    texts.map((text, position) => recordOf(toProductEvent(text), position + 1)),
  );
  const [, indexing] = await cpuSeconds(index.run);
  addRows("… of which indexing, by itself", "products/CPU-s", 100_000 / indexing, [addAll]);
  const queries = drawQueries(texts, 300);
  const [before] = medianRates([medium], queries);
  await medium.close();
  report(`projecting ${scale.toLocaleString("en")} products`);
  const large = await vitrine(generateProducts(scale));
  const small = await vitrine(generateProducts(10_000));
  const [after] = medianRates([large], queries);
  const count = scale.toLocaleString("en");
  addRows(`search in ${count} products`, "queries/CPU-s at the median", after?.[1] ?? 0, [
    ["in 100,000 products", before?.[1] ?? 0],
  ]);
  addRows(
    `memory of a process that searches ${count}`,
    "MB",
    await measureMemory(large.store.directory),
    [["that searches 10,000", await measureMemory(small.store.directory)]],
  );
  await small.close();
  await large.close();
};

const parts = { relevance, latency, http, growth };
const only = process.argv[3] as keyof typeof parts | undefined;
for (const part of only ? [parts[only]] : Object.values(parts)) await part();
process.send?.(comparisons);
