import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "nats";
import type { EventLog } from "../../../src/event-log/event-log.ts";
import { toMessage } from "../../../src/events/envelope.ts";
import { startNats } from "../../helpers/nats.ts";
import { readDemoShop } from "../demo-shop.ts";
import { productRequest } from "../exchanges.ts";
import { type Comparison, percentile, type Report, toComparison } from "../figures.ts";
import { findShownProduct, postQuery, timeEach } from "../freshness.ts";
import { cpuSecondsOf } from "../http-load.ts";
import { importBuilt } from "../import-built.ts";
import {
  clientCore,
  type StartServer,
  type VitrineProcess,
  withServers,
} from "../server-process.ts";
import { sendSteadily } from "../steady-deliveries.ts";
import { openFollowers } from "./open-followers.ts";
import { laterStock } from "./shop.ts";

const { openEventLog } =
  await importBuilt<typeof import("../../../src/event-log/open.ts")>("event-log/open");

export interface FollowersOptions {
  readonly seconds: number;
  readonly report: Report;
}

/** Followers that are timed, and followers that wait. */
const [timed, idle] = [100, 10_000];

/** Seconds in which each idle follower gets two positions. */
const idleSeconds = 30;

const readsPerSecond = 500;

/** Measures the followers of a service that reads a broker: how soon they get a change, and what they take while they wait. */
export const benchFollowers = async (options: FollowersOptions): Promise<readonly Comparison[]> => {
  const nats = await startNats();
  try {
    return await withServers(async (start, directory, serve) => {
      const shop = readDemoShop();
      const log = await openEventLog(nats.url, { dataDir: "", now: Date.now, stream: "SHOP" });
      await log.append(shop.events.map((event) => toMessage(event)));
      const flags = ["--events", nats.url, "--max-followers", String(idle)];
      const service = await serve(join(directory, "data"), { flags });
      const change = await openStock(service, log, shop.products);
      return [
        ...(await timeChanges(service, nats.url, change, options)),
        ...(await measureIdle(service, start, change, options)),
      ];
    });
  } finally {
    await nats.remove();
  }
};

/** Changes the stock of one product. */
interface Stock {
  /** The request for the product. */
  readonly body: string;
  /** Publishes the other availability. @returns the text that a response shows then */
  change(): Promise<string>;
}

const openStock = async (
  { url }: VitrineProcess,
  log: EventLog,
  products: readonly { readonly id: number }[],
): Promise<Stock> => {
  const id = await findShownProduct(url, new Agent({ keepAlive: false }), products);
  let count = 0;
  return {
    body: productRequest(String(id)).body ?? "",
    async change() {
      count += 1;
      await log.append([toMessage(laterStock(id, count % 2, count))]);
      return count % 2 === 1 ? '"IN_STOCK"' : '"OUT_OF_STOCK"';
    },
  };
};

/** Times events until a read shows them, and then others until each of 100 followers and a client of the broker have them. */
const timeChanges = async (
  { url }: VitrineProcess,
  natsUrl: string,
  { body, change }: Stock,
  { report }: FollowersOptions,
): Promise<readonly Comparison[]> => {
  // One event first, because the availability before is not known.
  for (let run = 0; run < 2; run += 1) await change();
  report("timing events until a read shows them");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const reads = await timeEach(async () => {
    const shown = await change();
    while (!(await postQuery(url, agent, body)).includes(shown));
  });
  agent.destroy();
  report(`timing events until ${timed} followers have them`);
  const [followers, broker] = [
    await openFollowers(url, timed),
    await connect({ servers: natsUrl }),
  ];
  const messages = broker.subscribe("shop.>")[Symbol.asyncIterator]();
  await broker.flush();
  const raw: number[] = [];
  const changes = await timeEach(async () => {
    const all = followers.allChanged();
    const begin = performance.now();
    const received = messages.next().then(() => raw.push(performance.now() - begin));
    await change();
    await Promise.all([all, received]);
  });
  followers.close();
  await broker.close();
  const p50 = (times: readonly number[]) => percentile(times, 50) * 1_000;
  return Object.entries({ "a read that polls": reads, "NATS, a subscriber": raw }).map(
    ([name, times]) =>
      toComparison(`event to the last of ${timed} followers, p50`, "µs", p50(changes), {
        ...{ name, figure: p50(times) },
      }),
  );
};

/** Measures followers that wait, and reads while each of them gets a message. */
const measureIdle = async (
  { url, pid }: VitrineProcess,
  start: StartServer,
  { body, change }: Stock,
  { seconds, report }: FollowersOptions,
): Promise<readonly Comparison[]> => {
  const headers = { accept: "*/*", "content-type": "application/json" };
  const request = { method: "POST", path: "/graphql", headers, body } as const;
  const timeReads = async (perSecond: number): Promise<readonly number[]> => {
    const requests = Array.from({ length: seconds * perSecond }, () => request);
    return (await sendSteadily(url, requests, perSecond)).times;
  };
  await timeReads(readsPerSecond);
  const readIdleCpu = async (): Promise<number> => {
    const cpu = cpuSecondsOf(pid);
    await delay(idleSeconds * 1_000);
    return (cpuSecondsOf(pid) - cpu) / idleSeconds;
  };
  const [alone, before] = [await readIdleCpu(), residentMegabytes(pid)];
  report(`opening ${idle} followers`);
  const args = [url, String(idle)];
  const clients = await start("feed/follower-process.ts", args, undefined, {}, clientCore);
  const idleCpu = (await readIdleCpu()) - alone;
  report(`without followers the process takes ${(alone * 1_000).toFixed(0)} ms/s`);
  const megabytes = residentMegabytes(pid) - before;
  const quiet = percentile(await timeReads(readsPerSecond), 99);
  let isOver = false;
  const messages: number[] = [];
  const sending = (async () => {
    while (!isOver) {
      const begin = performance.now();
      const all = clients.nextMessage();
      await change();
      await all;
      messages.push(performance.now() - begin);
    }
  })();
  const busy = percentile(await timeReads(readsPerSecond), 99);
  isOver = true;
  await sending;
  report(`messages to all of them took ${messages.map(Math.round).join(", ")} ms`);
  const name = `${idle.toLocaleString("en")} followers`;
  const compareTo = (
    what: string,
    unit: string,
    figure: number,
    peer: string,
    peerFigure: number,
  ) => toComparison(`${name}, ${what}`, unit, figure, { name: peer, figure: peerFigure });
  return [
    compareTo("resident memory", "MB", megabytes, "at most", 200),
    compareTo("idle, processor time above that of none", "ms/s", idleCpu * 1_000, "at most", 20),
    compareTo("a read during a message, p99", "µs", busy * 1_000, "without", quiet * 1_000),
  ];
};

const residentMegabytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
