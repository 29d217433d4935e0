import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { amount, isLong, reportDone, reportMeasured } from "../helpers/effort.ts";
import { priceChanged, settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { startNats } from "../helpers/nats.ts";
import { append } from "../helpers/projector.ts";
import { startVitrine } from "../helpers/vitrine.ts";

const test = suite("freshness");
const seconds = amount(6);
const perSecond = 500;
const products = 1_000;
/** In ms; more on a machine that runs other tests concurrently. */
const bounds = isLong
  ? { median: 15, p99: 100, longest: 1_000 }
  : { median: 150, p99: 1_000, longest: 3_000 };

const agent = new Agent({ keepAlive: true });
const body = JSON.stringify({ query: "{ product(id: 1) { product { price { amount } } } }" });

/** Reads the price of the watched product from the service. */
const shown = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const asking = request(`${url}/graphql`, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve(text));
    });
    asking.on("error", reject);
    asking.end(body);
  });

/** Publishes events at a constant rate until `end`. */
const publishSteadily = async (
  log: EventLog,
  life: Iterator<never>,
  end: number,
): Promise<void> => {
  const begun = performance.now();
  for (let published = 0; performance.now() < end; ) {
    const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond) - published;
    await append(log, ...Array.from({ length: due }, () => life.next().value));
    published += due;
    await delay(10);
  }
};

test(`of ${perSecond} events a second for ${seconds} seconds, each is shown soon after its acknowledgement`, async () => {
  const nats = await startNats();
  const log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  const life = shopAtWork(products, 100_000_000) as Iterator<never>;
  const begin = Array.from({ length: products }, () => life.next().value);
  await append(log, settingsUpdated(), ...begin);
  const service = await startVitrine(["--events", nats.url]);
  await service.ready();
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const publishing = publishSteadily(log, life, end);
  const late: number[] = [];
  for (let turn = 1; performance.now() < end; turn += 1) {
    const price = `${turn}.77`;
    const time = new Date(Date.UTC(2030, 0, 1) + turn * 1_000).toISOString();
    await append(log, priceChanged({ price: { amount: price, currency: "EUR" } }, { time }));
    const acknowledged = performance.now();
    while (!(await shown(service.url)).includes(`"${price}"`)) {
      assert.ok(performance.now() - acknowledged < 30_000, "it is not shown at all");
    }
    late.push(performance.now() - acknowledged);
    reportDone(Math.floor((performance.now() - begun) / 1_000));
    await delay(40);
  }
  await publishing;
  const sorted = late.sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  const [median, p99, longest] = [at(0.5), at(0.99), sorted.at(-1) ?? 0];
  const published = `${late.length} watched: half within ${median.toFixed(1)} ms, 99 % within ${p99.toFixed(0)} ms, the last after ${longest.toFixed(0)} ms`;
  await service.stop();
  agent.destroy();
  await log.close();
  await nats.remove();
  reportMeasured(published);
  assert.ok(late.length > seconds, published);
  assert.ok(median <= bounds.median && p99 <= bounds.p99 && longest <= bounds.longest, published);
});

test.run();
