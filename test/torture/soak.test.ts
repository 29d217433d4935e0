import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { open as openEnvironment } from "lmdb";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal.ts";
import type { EventLog } from "../../src/event-log/log.ts";
import { openDataDirectory } from "../../src/read-model/generation.ts";
import { signToken } from "../../src/surfaces/access/token.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { childrenOf, type Service, startService, until } from "../helpers/vitrine.ts";
import { amount, effort, isLong, tellDone } from "./effort.ts";

const test = suite("soak");
const products = effort(500, 20_000);
const eventsPerSecond = effort(500, 1_000);
/** The first third is for warming up. */
const seconds = amount(12);
const clients = 4;
const secret = "a secret of sixteen or more";

interface Third {
  readonly times: number[];
  /** Bytes of memory and open descriptors of all processes, and bytes of the model's file. */
  readonly memory: number[];
  /** Bytes of heap in use, by process: the least of them is what no collection takes away. */
  readonly heaps: Map<string, number>;
  readonly descriptors: number[];
  readonly file: number[];
  readonly readers: number[];
}

const newThird = (): Third => ({
  times: [],
  memory: [],
  heaps: new Map(),
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

/** Bytes of all processes that are no pages of a file: a growing journal is mapped, and no leak. */
const memoryOf = async ({ child }: Service): Promise<number> => {
  const pids = [child.pid ?? 0, ...(await childrenOf(child.pid ?? 0)).values()];
  const kilobytes = pids.map((pid) =>
    Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]),
  );
  return 1_024 * total(kilobytes);
};

const observe = async (service: Service, generation: string, third: Third): Promise<void> => {
  const { text } = await service.ops("/metrics");
  third.memory.push(await memoryOf(service));
  for (const [, labels = "", bytes] of text.matchAll(
    /^nodejs_heap_size_used_bytes\{(.*)\} (.+)$/gm,
  )) {
    const least = third.heaps.get(labels) ?? Number.POSITIVE_INFINITY;
    third.heaps.set(labels, Math.min(least, Number(bytes)));
  }
  third.descriptors.push(sum(text, "process_open_fds"));
  third.file.push(statSync(join(generation, "data.mdb")).size);
  const env = openEnvironment({ path: generation, noSubdir: false, readOnly: true, maxDbs: 40 });
  third.readers.push(env.readerList().trim().split("\n").length);
  await env.close();
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

const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);
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
  const service = await startService(["--events", `journal:${journal}`, "--workers", "2"], {
    env: { TOKEN_SECRET: secret },
  });
  await until(
    () => service.ops("/readyz"),
    ({ status }) => status === 200,
    60,
  );
  const generation = openDataDirectory(service.dataDir).live() ?? "";
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const thirds = [newThird(), newThird(), newThird()] as const;
  const now = (): Third => {
    const at = Math.floor(((performance.now() - begun) / (seconds * 1_000)) * 3);
    return thirds[Math.min(2, at)] ?? thirds[2];
  };
  const wrong: string[] = [];
  const requests = requestsOf(service.url);
  const client = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() < end; turn += 1) {
      const sent = performance.now();
      const response = await requests[turn % requests.length]?.(turn);
      const text = await response?.text();
      now().times.push(performance.now() - sent);
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
  const work = Array.from({ length: clients }, (_, at) => client(at));
  try {
    const [told] = await Promise.all([publish(log, life, end), watching(), ...work]);
    assert.equal(wrong, []);
    const [, before, after] = thirds;
    const grown = middle(after.memory) / middle(before.memory);
    // What V8 takes from the system goes up and down with its collections, by some tens of megabytes.
    assert.ok(grown < 1.25, `memory grew ${grown} times`);
    const [heapBefore, heapAfter] = [before, after].map(({ heaps }) => total([...heaps.values()]));
    const heapGrown = (heapAfter ?? 0) / (heapBefore ?? 1);
    assert.ok(!isLong || heapGrown < 1.1, `what the heaps hold grew ${heapGrown} times`);
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
