import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { openEnvironment } from "../../src/lmdb/environment.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { signToken } from "../../src/surfaces/access/bearer.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { amount, effort, isLong, reportDone, reportMeasured } from "../helpers/effort.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { childrenOf, type RunningVitrine, startVitrine, until } from "../helpers/vitrine.ts";
import { openMemoryScale } from "./memory.ts";
import { connections, keepAsking, mixOf, peakOf, send } from "./traffic.ts";

const test = suite("soak");
const products = effort(300, 20_000);
const eventsPerSecond = effort(500, 1_000);
const seconds = amount(8);
/**
 * Share of the peak that the service is loaded with, next to the events. The peak is measured first, and
 * again and again: the speed of a machine varies by a half, and 80 % of its best peak is more than its peak
 * at other times.
 */
const share = 0.8;
const remembered = 5;
const clients = 16;
const secret = "a secret of sixteen or more";

interface Third {
  readonly times: number[];
  /** Peak in requests a second. */
  readonly peaks: number[];
  /** Bytes that all processes hold after a collection, and that they took from the system. */
  readonly held: number[];
  readonly taken: number[];
  /** Open descriptors of all processes, without those of client connections. */
  readonly descriptors: number[];
  /** Bytes of the model's file, and those of its pages that hold rows. */
  readonly file: { readonly size: number; readonly live: number }[];
  readonly readers: number[];
}

const newThird = (): Third => ({
  times: [],
  peaks: [],
  held: [],
  taken: [],
  descriptors: [],
  file: [],
  readers: [],
});

const observe = async (
  service: RunningVitrine,
  generation: string,
  third: Third,
): Promise<void> => {
  const pids = await processesOf(service);
  // Connections change with the load: everything is counted at one time.
  const open = pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0);
  third.descriptors.push(open - connections());
  const { size } = statSync(join(generation, "data.mdb"));
  third.file.push({ size, live: await bytesInUse(generation) });
  const env = openEnvironment({ path: generation, readOnly: true, maxDbs: 64 });
  third.readers.push(env.root.readerList().trim().split("\n").length);
  await env.close();
};

const bytesInUse = async (generation: string): Promise<number> => {
  const store = openStore(generation, { readOnly: true });
  const sizes = Object.values(store.sizes());
  await store.close();
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
};

/**
 * Number of measurements of memory and peak in each third: a collection takes a while, and requests wait for
 * it.
 */
const weighings = effort(1, 10);

/**
 * Sends every request of the traffic this often, so that the caches do not grow later. A response is cached
 * when it comes again to the same process, so each is sent four times in the long form.
 */
const fillCaches = async (ask: (turn: number) => Promise<void>): Promise<void> => {
  const times = effort(2, 4);
  let requested = 0;
  const client = async (): Promise<void> => {
    for (; requested < products * times; requested += 1) await ask(Math.floor(requested / times));
  };
  await Promise.all(Array.from({ length: clients }, client));
};

/** Publishes events at a constant rate until it is stopped; returns their number. */
const publish = (log: EventLog, life: Iterator<unknown>): { stop(): Promise<number> } => {
  let isOver = false;
  let published = 0;
  const begun = performance.now();
  const publishing = async (): Promise<void> => {
    while (!isOver) {
      const due = Math.floor(((performance.now() - begun) / 1_000) * eventsPerSecond) - published;
      const events = Array.from({ length: due }, () => life.next().value as never);
      await append(log, ...events);
      published += due;
      await delay(50);
    }
  };
  const done = publishing();
  return {
    async stop() {
      isOver = true;
      await done;
      return published;
    },
  };
};

const processesOf = async ({ child: { pid = 0 } }: RunningVitrine): Promise<readonly number[]> => [
  pid,
  ...(await childrenOf(pid)).values(),
];

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;

/** A service at the end of the log of a shop that publishes meanwhile. */
const startShop = async () => {
  const home = temporaryDirectory();
  const journal = join(home.path, "journal");
  const log = openJournal({ directory: journal, now: Date.now });
  const life = shopAtWork(products, 100_000_000);
  const begin = Array.from({ length: products }, () => life.next().value);
  await append(log, settingsUpdated(), ...begin);
  const scale = openMemoryScale();
  const service = await startVitrine(["--events", `journal:${journal}`, "--workers", "2"], {
    env: { TOKEN_SECRET: secret, ...scale.env },
  });
  await service.ready();
  return {
    service,
    log,
    life,
    generation: openDataDirectory(service.dataDir).live() ?? "",
    weigh: async () => scale.weigh(await processesOf(service)),
    async stop() {
      const { code } = await service.stop();
      await log.close();
      home.remove();
      return code;
    },
  };
};

type Shop = Awaited<ReturnType<typeof startShop>>;

/** Observes the service during the traffic, in three parts. */
const observeTraffic = async (
  { service, generation, weigh }: Shop,
  ask: () => Promise<void>,
): Promise<readonly [Third, Third, Third]> => {
  const peaks = [await peakOf(ask, clients, effort(1, 20))];
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const thirds = [newThird(), newThird(), newThird()] as const;
  const now = (): Third => {
    const at = Math.floor(((performance.now() - begun) / (seconds * 1_000)) * 3);
    return thirds[Math.min(2, at)] ?? thirds[2];
  };
  now().peaks.push(...peaks);
  let isResting = false;
  const timed = async (due: number): Promise<void> => {
    await ask();
    now().times.push(performance.now() - due);
  };
  const watching = async (): Promise<void> => {
    while (performance.now() < end) {
      await observe(service, generation, now());
      reportDone(Math.floor((performance.now() - begun) / 1_000));
      await delay(effort(500, 5_000));
    }
  };
  const weighing = async (): Promise<void> => {
    for (let at = 0.5; at < 3 * weighings; at += 1) {
      await delay(begun + (at * seconds * 1_000) / (3 * weighings) - performance.now());
      const third = now();
      isResting = true;
      const { held, taken } = await weigh();
      const peak = await peakOf(ask, clients, effort(0.5, 2));
      isResting = false;
      third.held.push(held);
      third.taken.push(taken);
      third.peaks.push(peak);
      peaks.push(peak);
    }
  };
  const perSecond = (): number => share * middle(peaks.slice(-remembered));
  const traffic = keepAsking(timed, perSecond, { end, rests: () => isResting });
  await Promise.all([traffic, watching(), weighing()]);
  return thirds;
};

/** Tolerance in descriptors and readers, for files and readers that are just opened or closed. */
const few = 3;

/**
 * Maximum size of the file: pages in use, as many for each of the two commits before when batches change most
 * of the model, and a little for the list of free pages and short readers.
 */
const largestFile = (live: number): number => 3 * live + 2 ** 21;

/**
 * Computes the growth factor of memory between two thirds: by their minima, which contain least garbage, or by their
 * medians, whichever is larger. A third of the long form has 200,000 events and as many requests. 4 % of the 200 to 400 MB
 * of all processes is 40 to 80 bytes for each of these, about one small leaked object.
 */
const growthOf = (before: readonly number[], after: readonly number[]): number => {
  const least = Math.min(...after) / Math.min(...before);
  // In the short form a third lasts seconds, so that its median is random.
  return isLong ? Math.max(least, middle(after) / middle(before)) : least;
};

const mustNotGrow = (what: string, before: readonly (readonly number[])[], now: number): void => {
  const most = Math.min(...before.map((each) => Math.max(...each)));
  assert.ok(now <= most + few, `${what} grew from ${most} to ${now}`);
};

/** Checks that nothing grew from the second third to the last. The first third is a warm-up. */
const mustBeSteady = ([first, before, after]: readonly [Third, Third, Third]): void => {
  const held = growthOf(before.held, after.held);
  assert.ok(held < 1.04, `what the processes hold grew ${held} times`);
  const taken = growthOf(before.taken, after.taken);
  // A single measurement, as in the short form, varies by a tenth.
  assert.ok(taken < effort(1.2, 1.08), `what they took from the system grew ${taken} times`);
  const earlier = [first, before];
  // A client counts a connection before the server accepts it, so a single measurement may be too low.
  const descriptors = earlier.map((third) => third.descriptors);
  mustNotGrow("descriptors", descriptors, middle(after.descriptors));
  const readers = earlier.map((third) => third.readers);
  mustNotGrow("readers", readers, Math.max(...after.readers));
  for (const { size, live } of after.file) {
    assert.ok(size <= largestFile(live), `the file has ${size} bytes, of which ${live} in use`);
  }
  const late = p99(after.times);
  const early = p99([...first.times, ...before.times]);
  assert.ok(late <= effort(3, 2) * early + 50, `p99: ${early} ms, then ${late}`);
  assert.ok(late < 3 * p99(before.times) + 50, `p99: ${p99(before.times)} ms, then ${late}`);
  const [bore, bears] = [middle(before.peaks), middle(after.peaks)];
  assert.ok(bears > 0.5 * bore, `it bore ${bore} requests a second, then ${bears}`);
};

const fileOf = ({ size, live } = { size: 0, live: 0 }): string =>
  `${Math.round(size / 1_024)} and ${Math.round(live / 1_024)}`;

const figuresOf = (thirds: readonly Third[]): string => {
  const peaks = thirds.flatMap((third) => third.peaks).map(Math.round);
  const late = thirds.map(({ times }) => p99(times).toFixed(0)).join(", ");
  const [least, most] = [Math.min(...peaks), Math.max(...peaks)];
  const files = thirds
    .map(({ file }) => file.at(-1))
    .map((seen) => fileOf(seen))
    .join(", ");
  return `peaks ${least} to ${most} requests/s; p99 in ms, by thirds: ${late}; file and its pages in use, in KB: ${files}`;
};

test(`${seconds} seconds of traffic at ${100 * share} % of the peak with ${eventsPerSecond} events a second: no error, no growth`, async () => {
  const shop = await startShop();
  const { service } = shop;
  const mix = mixOf(products, signToken({ label: "soak", tokenEpoch: 0 }, secret));
  const wrong: string[] = [];
  const ask = async (turn: number): Promise<void> => {
    const answer = await send(service.url, mix(turn)).catch(String);
    if (typeof answer === "string") wrong.push(answer);
    else if (answer.status !== 200) wrong.push(`${answer.status} ${answer.text.slice(0, 200)}`);
  };
  try {
    await fillCaches(ask);
    const publishing = publish(shop.log, shop.life);
    let turn = 0;
    const thirds = await observeTraffic(shop, () => {
      turn += 1;
      return ask(turn);
    });
    const published = await publishing.stop();
    reportMeasured(figuresOf(thirds));
    assert.equal(wrong, []);
    mustBeSteady(thirds);
    await until(
      async () => JSON.parse((await service.ops("/status")).text).status.checkpoint,
      (checkpoint) => checkpoint === 1 + products + published,
      60,
    );
    assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
    assert.is(await shop.stop(), 0);
  } finally {
    await shop.stop();
  }
});

test.run();
