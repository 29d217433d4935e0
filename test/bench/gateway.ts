import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createDeliveries, deliverySecret } from "./deliveries.ts";
import type { SentRequest } from "./exchanges.ts";
import {
  type Comparison,
  compare,
  interleave,
  percentile,
  type Report,
  type Sample,
  toComparison,
} from "./figures.ts";
import { cpuSecondsOf, measureOnce } from "./http-load.ts";
import { importBuilt } from "./import-built.ts";
import { type GatewayProcess, type ServerProcess, withServers } from "./server-process.ts";
import { sendSteadily } from "./steady-deliveries.ts";

const { serialised } = await importBuilt<typeof import("../../src/projector/integrity/lock.ts")>(
  "projector/integrity/lock",
);

export interface GatewayOptions {
  /** Duration of one measurement at full load. */
  readonly seconds: number;
  readonly rounds: number;
  readonly report: Report;
}

const names = {
  answered: "deliveries answered",
  published: "deliveries answered, translated, published",
  bare: "Koa, HMAC, body in LMDB",
  rows: "the same, with id and headers",
} as const;

/** Above what any of the servers answers in a second. */
const maxPerSecond = 16_000;

/** The rate of deliveries that is measured longest, and its seconds. */
const steady = { perSecond: 500, seconds: 30 };

/** Rates that are tried one after the other, up to the first at which deliveries wait. */
const triedRates = [500, 750, 1_000, 1_250, 1_500, 1_750, 2_000];
const triedSeconds = 10;

/** Measures `vitrine gateway` with a journal beside a bare Koa app that stores the same deliveries. */
export const benchGateway = (options: GatewayOptions): Promise<readonly Comparison[]> =>
  withServers(async (start, directory, _, gateway) => {
    const startPeer = (name: "bare" | "rows") =>
      start("server-inbox.ts", [join(directory, name), deliverySecret, name]);
    const [bare, rows] = [await startPeer("bare"), await startPeer("rows")];
    const dataDir = join(directory, "data");
    const file = join(directory, "connections.json");
    writeFileSync(file, JSON.stringify({ connections: { main: connection } }));
    const vitrine = await gateway(dataDir, file, { BENCH_SECRET: deliverySecret });
    const create = createDeliveries();
    const inbox = join(dataDir, "connections", "main");
    const figures = await measureAnswers({ bare, rows, vitrine, inbox, create }, options);
    const latencies = await measureSteady({ bare, vitrine, create }, options.report);
    const highestRate = await findHighestRate({ vitrine, create }, options.report);
    await assertNoneRefused(vitrine);
    return [
      compare(figures, "deliveries/CPU-s", names.answered, names.bare),
      compare(figures, "deliveries/CPU-s", names.answered, names.rows),
      compare(figures, "deliveries/CPU-s", names.published, names.bare),
      ...latencies,
      highestRate,
    ];
  });

const connection = {
  ...{ platform: "shopify", url: "https://shop.example", currency: "EUR", locations: 1 },
  secret: { env: "BENCH_SECRET" },
};

interface Measured {
  readonly bare: ServerProcess;
  readonly vitrine: GatewayProcess;
  readonly create: ReturnType<typeof createDeliveries>;
}

interface AnswersMeasured extends Measured {
  readonly rows: ServerProcess;
  /** Directory of the inbox of the gateway. */
  readonly inbox: string;
}

const measureAnswers = (
  { bare, rows, vitrine, inbox, create }: AnswersMeasured,
  { seconds, rounds, report }: GatewayOptions,
) => {
  const load = (server: ServerProcess) =>
    measureOnce(server, create(seconds * maxPerSecond), seconds);
  const measures = {
    // Translation waits for its turn, as it does during an import.
    [names.answered]: async () => {
      const sample = await serialised(join(inbox, "translation"), () => load(vitrine));
      await untilEmpty(vitrine);
      return sample;
    },
    [names.published]: () => measureUntilEmpty(vitrine, () => load(vitrine)),
    [names.bare]: () => load(bare),
    [names.rows]: () => load(rows),
  };
  return interleave(measures, rounds, report);
};

/** Counts also the processor time until the last of the answered deliveries is published. */
const measureUntilEmpty = async (
  gateway: GatewayProcess,
  measure: () => ReturnType<typeof measureOnce>,
): Promise<Sample> => {
  const before = cpuSecondsOf(gateway.pid);
  const { answered, load } = await measure();
  await untilEmpty(gateway);
  const spent = cpuSecondsOf(gateway.pid) - before;
  const cpuMicros = (spent * 1e6) / answered;
  return { figure: answered / spent, load: load && { ...load, cpuMicros } };
};

const pollMs = 20;

const untilEmpty = async (gateway: GatewayProcess): Promise<void> => {
  while ((await readMetric(gateway, "vitrine_gateway_inbox_deliveries")) > 0) await delay(pollMs);
};

const readMetrics = async ({ opsUrl }: GatewayProcess): Promise<string> =>
  (await fetch(`${opsUrl}/metrics`)).text();

const readMetric = async (gateway: GatewayProcess, name: string): Promise<number> => {
  const text = await readMetrics(gateway);
  const [, value] = new RegExp(`^${name}\\{.*\\} (\\S+)$`, "m").exec(text) ?? [];
  if (value === undefined) throw new Error(`the gateway has no ${name}`);
  return Number(value);
};

/** @throws when a delivery was refused. Some are ignored, because an earlier one of their product arrived later. */
const assertNoneRefused = async (gateway: GatewayProcess): Promise<void> => {
  const isRefused = /^vitrine_gateway_deliveries_total\{.*outcome="refused"/m;
  if (isRefused.test(await readMetrics(gateway))) throw new Error("the gateway refused deliveries");
};

interface SteadyResult {
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds from the time at which the last delivery was due until none waits. */
  readonly emptyMs: number;
}

const measureSteady = async (
  { bare, vitrine, create }: Measured,
  report: Report,
): Promise<readonly Comparison[]> => {
  const { perSecond, seconds } = steady;
  report(`${perSecond} deliveries a second for ${seconds} s`);
  const requests = () => create(perSecond * seconds);
  const own = await sendAndTranslate(vitrine, requests(), perSecond);
  const { times } = await sendSteadily(bare.url, requests(), perSecond);
  const name = `at ${perSecond} deliveries/s`;
  return [
    ...([50, 99] as const).map((percent) =>
      toComparison(`answer ${name}, p${percent}`, "µs", own[`p${percent}`] * 1_000, {
        name: names.bare,
        figure: percentile(times, percent) * 1_000,
      }),
    ),
    toComparison(`until the inbox is empty ${name}`, "ms", own.emptyMs, wanted(2_000)),
  ];
};

const sendAndTranslate = async (
  gateway: GatewayProcess,
  requests: readonly SentRequest[],
  perSecond: number,
): Promise<SteadyResult> => {
  const { times, lastDueAt } = await sendSteadily(gateway.url, requests, perSecond);
  await untilEmpty(gateway);
  const emptyMs = performance.now() - lastDueAt;
  return { p50: percentile(times, 50), p99: percentile(times, 99), emptyMs };
};

const wanted = (figure: number): Comparison["peer"] => ({ name: "wanted", figure });

/** Time after which no delivery may wait any more, so that a rate counts. */
const maxEmptyMs = 250;

const findHighestRate = async (
  { vitrine, create }: Omit<Measured, "bare">,
  report: Report,
): Promise<Comparison> => {
  let highest = 0;
  for (const perSecond of triedRates) {
    const requests = create(perSecond * triedSeconds);
    const { p50, p99, emptyMs } = await sendAndTranslate(vitrine, requests, perSecond);
    const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
    report(`${perSecond} deliveries a second: ${times}, empty after ${Math.round(emptyMs)} ms`);
    if (emptyMs > maxEmptyMs) break;
    highest = perSecond;
  }
  return toComparison("highest rate at which none wait", "deliveries/s", highest, wanted(1_000));
};
