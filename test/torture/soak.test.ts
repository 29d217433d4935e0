import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal.ts";
import type { EventLog } from "../../src/event-log/log.ts";
import { openEnvironment } from "../../src/lmdb.ts";
import { openDataDirectory } from "../../src/read-model/generation.ts";
import { signToken } from "../../src/surfaces/access/token.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { childrenOf, type Service, startService, until } from "../helpers/vitrine.ts";
import { amount, effort, tellDone } from "./effort.ts";
import { openMemoryScale } from "./memory.ts";

const test = suite("soak");
const products = effort(500, 20_000);
const eventsPerSecond = effort(500, 1_000);
/** The first third is for warming up. */
const seconds = amount(12);
const clients = 4;
const secret = "a secret of sixteen or more";

interface Third {
  readonly times: number[];
  /** Bytes that all processes hold after a collection, and that they took from the system. */
  readonly held: number[];
  readonly taken: number[];
  /** Open descriptors of all processes, and bytes of the model's file. */
  readonly descriptors: number[];
  readonly file: number[];
  readonly readers: number[];
}

const newThird = (): Third => ({
  times: [],
  held: [],
  taken: [],
  descriptors: [],
  file: [],
  readers: [],
});

const requestsOf = (url: string): readonly ((turn: number) => Promise<Response>)[] => {
  const post = (path: string, body: unknown, headers = {}) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const authorization = `Bearer ${signToken({ label: "soak", generation: 0 }, secret)}`;
  const tool = (name: string, given: object) =>
    post(
      "/agent/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
      { authorization },
    );
  const page = "{ products(first: 50) { edges { node { id name price { amount } } } } }";
  const one =
    "query($id: ID!) { product(id: $id) { product { name availability } userErrors { code } } }";
  return [
    () => post("/graphql", { query: page }),
    (turn) => post("/graphql", { query: one, variables: { id: `${1 + (turn % products)}` } }),
    () => post("/graphql", { query: '{ products(query: "edition", first: 10) { totalCount } }' }),
    (turn) => tool("get_product", { product_id: 1 + (turn % products) }),
    () => tool("search_products", { query: "product", limit: 10 }),
    (turn) => fetch(`${url}/products/${1 + (turn % products)}.md`),
    () => fetch(`${url}/llms.txt`, { headers: { "accept-encoding": "br" } }),
    () => fetch(`${url}/agent-sitemap.xml`),
  ];
};

const sum = (text: string, metric: string): number =>
  [...text.matchAll(new RegExp(`^${metric}\\{[^}]*\\} ([\\d.e+]+)$`, "gm"))].reduce(
    (total, [, value]) => total + Number(value),
    0,
  );

const observe = async (service: Service, generation: string, third: Third): Promise<void> => {
  const { text } = await service.ops("/metrics");
  third.descriptors.push(sum(text, "process_open_fds"));
  third.file.push(statSync(join(generation, "data.mdb")).size);
  const env = openEnvironment({ path: generation, readOnly: true, maxDbs: 40 });
  third.readers.push(env.readerList().trim().split("\n").length);
  await env.close();
};

/** How often it is weighed in each third what the processes hold: collections take a while, and answers wait for them. */
const weighings = effort(1, 10);

/** Products that are asked for before the clock runs, each so often. */
const warm = { products: effort(500, 4_000), times: effort(2, 4), clients: 8 };

/**
 * Fills what is kept of answers to its cap, as far as the products reach: from then on it grows no more. What comes
 * again to the same process is kept, so in the long form each comes four times.
 */
const fillCaches = async (requests: ReturnType<typeof requestsOf>): Promise<void> => {
  const ofProducts = [1, 3, 5].flatMap((kind) => requests[kind] ?? []);
  const work = Array.from({ length: warm.clients }, async (_, first) => {
    for (let id = first; id < warm.products; id += warm.clients) {
      for (const ask of ofProducts) {
        for (let time = 0; time < warm.times; time += 1) await (await ask(id)).text();
      }
    }
  });
  await Promise.all(work);
};

const publish = async (log: EventLog, life: Iterator<unknown>, end: number): Promise<number> => {
  let told = 0;
  const begun = performance.now();
  while (performance.now() < end) {
    const due = Math.floor(((performance.now() - begun) / 1_000) * eventsPerSecond) - told;
    const events = Array.from({ length: due }, () => life.next().value as never);
    await append(log, ...events);
    told += due;
    await delay(50);
  }
  return told;
};

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;

test(`${seconds} seconds of mixed traffic with ${eventsPerSecond} events a second: no error, no growth, and answers as quick at the end as at the beginning`, async () => {
  const home = temporaryDirectory();
  const journal = join(home.path, "journal");
  const log = openJournal({ directory: journal, now: Date.now });
  const life = shopAtWork(products, 100_000_000);
  await append(
    log,
    settingsUpdated(),
    ...Array.from({ length: products }, () => life.next().value),
  );
  const scale = openMemoryScale();
  const service = await startService(["--events", `journal:${journal}`, "--workers", "2"], {
    env: { TOKEN_SECRET: secret, ...scale.env },
  });
  await until(
    () => service.ops("/readyz"),
    ({ status }) => status === 200,
    60,
  );
  const generation = openDataDirectory(service.dataDir).live() ?? "";
  const pids = [service.child.pid ?? 0, ...(await childrenOf(service.child.pid ?? 0)).values()];
  const requests = requestsOf(service.url);
  await fillCaches(requests);
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const thirds = [newThird(), newThird(), newThird()] as const;
  const now = (): Third => {
    const at = Math.floor(((performance.now() - begun) / (seconds * 1_000)) * 3);
    return thirds[Math.min(2, at)] ?? thirds[2];
  };
  const wrong: string[] = [];
  /** One more at the begin and at the end of each weighing: answers wait for collections, and are not timed then. */
  let marks = 0;
  const client = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() < end; turn += 1) {
      const [sent, marked] = [performance.now(), marks];
      const response = await requests[turn % requests.length]?.(turn);
      const text = await response?.text();
      if (marks === marked && marks % 2 === 0) now().times.push(performance.now() - sent);
      if (response?.status !== 200) wrong.push(`${response?.status} ${text?.slice(0, 200)}`);
      await delay(10);
    }
  };
  const watching = async (): Promise<void> => {
    while (performance.now() < end) {
      await observe(service, generation, now());
      tellDone(Math.floor((performance.now() - begun) / 1_000));
      await delay(effort(500, 5_000));
    }
  };
  const weighing = async (): Promise<void> => {
    for (let at = 0.5; at < 3 * weighings; at += 1) {
      await delay(begun + (at * seconds * 1_000) / (3 * weighings) - performance.now());
      const third = now();
      marks += 1;
      const { held, taken } = await scale.weigh(pids);
      marks += 1;
      third.held.push(held);
      third.taken.push(taken);
    }
  };
  const work = Array.from({ length: clients }, (_, at) => client(at));
  try {
    const [told] = await Promise.all([publish(log, life, end), watching(), weighing(), ...work]);
    assert.equal(wrong, []);
    const [, before, after] = thirds;
    // The least of each third is what no collection takes away.
    const held = Math.min(...after.held) / Math.min(...before.held);
    assert.ok(held < 1.04, `what the processes hold grew ${held} times`);
    const taken = Math.min(...after.taken) / Math.min(...before.taken);
    assert.ok(taken < 1.08, `what they took from the system grew ${taken} times`);
    assert.ok(middle(after.descriptors) <= middle(before.descriptors) + 10, "descriptors grow");
    assert.ok(
      Math.max(...after.readers) <= Math.max(...before.readers) + 5,
      "readers are left over",
    );
    assert.ok(middle(after.file) <= 3 * middle(before.file), "the file grows");
    assert.ok(
      p99(after.times) < 3 * p99(before.times) + 50,
      `${p99(before.times)} ms, then ${p99(after.times)}`,
    );
    await until(
      async () => JSON.parse((await service.ops("/status")).text).status.checkpoint,
      (checkpoint) => checkpoint === 1 + products + told,
      60,
    );
    assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
    assert.is((await service.stop()).code, 0);
  } finally {
    await service.stop();
    await log.close();
  }
  home.remove();
});

test.run();
