import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createApp } from "../../../src/http/app.ts";
import type { Observation, Observe } from "../../../src/http/exchange.ts";
import { drain, listen } from "../../../src/http/server.ts";
import { createLogger } from "../../../src/log.ts";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { openAccess, tokenFor } from "../../helpers/access.ts";
import { appDefaults } from "../../helpers/app-defaults.ts";
import {
  categoryUpserted,
  pageUpserted,
  priceChanged,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { history } from "../../helpers/histories.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import { unlimited } from "../../helpers/unlimited.ts";

const test = suite("response cache");

/** A reader whose read sets are never current, so that the app behind it answers nothing from its cache. */
const silent = (reader: Reader): Reader => ({
  position: reader.position,
  snapshot: (read) =>
    reader.snapshot((snapshot, footprint) =>
      read(snapshot, footprint && { position: footprint.position, isCurrent: () => false }),
    ),
  scanPages: reader.scanPages,
});

interface Counts {
  current: number;
  /** Lists that the compiled plan reads: it counts the size of a list before it writes it. */
  lists: number;
  fails: boolean;
  /** Makes only the list of all categories fail. */
  listFails: boolean;
}

/**
 * Counts how often a cached response was found current and how often all categories were read; reads can be
 * made to fail.
 */
const counting = (reader: Reader, found: Counts): Reader => ({
  pinCommit() {
    if (found.fails) throw new Error("a damaged page");
    return reader.pinCommit?.() ?? (() => {});
  },
  position: reader.position,
  scanPages: reader.scanPages,
  snapshot(read) {
    if (found.fails) throw new Error("a damaged record");
    return reader.snapshot((snapshot, footprint) =>
      read(
        {
          ...snapshot,
          categories() {
            found.lists += 1;
            if (found.listFails) throw new Error("a record that cannot be read");
            return snapshot.categories();
          },
        },
        footprint && {
          get position() {
            return footprint.position;
          },
          isCurrent() {
            if (found.fails) throw new Error("a damaged record");
            const isCurrent = footprint.isCurrent();
            if (isCurrent) found.current += 1;
            return isCurrent;
          },
        },
      ),
    );
  },
});

/** Opens two apps over one model: one with a response cache, the other without. */
const openBoth = async (rateLimit = unlimited()) => {
  const model = openModel();
  const access = openAccess();
  const found = { current: 0, lists: 0, pages: 0, fails: false, listFails: false };
  const observed: Observation[] = [];
  const behind = { seconds: 0 };
  const serve = async (reader: Reader, limit = unlimited(), observe: Observe = () => {}) => {
    const app = createApp({
      ...appDefaults,
      reader: () => reader,
      log: createLogger("silent", "test"),
      access,
      rateLimit: limit,
      dataAge: () => behind.seconds,
      observe,
    });
    const server = await listen(app, { host: "127.0.0.1", port: 0 });
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const report: Observe = (one) => observed.push(one);
  const fast = await serve(counting(openReader(model.store), found), rateLimit, report);
  const slow = await serve(silent(openReader(model.store)));
  return {
    model,
    found,
    /** Reported data age in seconds. */
    behind,
    /** Observations of the requests of the app with the cache. */
    observed,
    fast: fast.url,
    slow: slow.url,
    async close() {
      await Promise.all([drain(fast.server, 2_000), drain(slow.server, 2_000)]);
      await model.close();
      await access.close();
    },
  };
};

type Both = Awaited<ReturnType<typeof openBoth>>;

interface SentRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const query = (text: string, variables = {}, headers = {}): SentRequest => {
  const body = JSON.stringify({ query: text, variables });
  const length = String(Buffer.byteLength(body));
  const described = { "content-type": "application/json", "content-length": length };
  return { path: "/graphql", headers: { ...described, ...headers }, body };
};
const page = (path: string, headers = {}): SentRequest => ({ path, headers });

const fields = "id name description price { amount currency } availability inStock updatedAt";
const one = `query($id: ID!) { product(id: $id) { product { ${fields} } userErrors { code } } }`;
const many = `query($q: String, $s: Boolean) {
  products(query: $q, inStockOnly: $s) { edges { cursor node { ${fields} } } totalCount } }`;

const narrowed = `query($q: String, $by: ProductOrder, $in: ID, $min: String, $ids: [ID!], $url: String) {
  products(query: $q, orderBy: $by, categoryId: $in, priceMin: $min, ids: $ids, url: $url, relax: true, first: 2) {
    edges { cursor node { ${fields} } } totalCount
    facets { brands { brand count } categories { id name count } prices { min max count } }
    search { relaxed corrections { word words } unknownWords suggestions }
    userErrors { code } } }`;

const requests: readonly SentRequest[] = [
  ...[1, 2, 3, 4].map((id) => query(one, { id })),
  query(many),
  query(many, { s: true }),
  query(many, { q: "shoe" }),
  query(many, {}, { accept: "application/graphql-response+json" }),
  query(many, {}, { "accept-encoding": "gzip" }),
  ...[
    { q: "red shoe" },
    { q: "shoos" },
    { by: "PRICE_ASC" },
    { by: "NAME", q: "lamp" },
    { in: "1" },
    { min: "2" },
    { ids: ["1", "3"] },
    { url: "/products/2" },
  ].map((variables) => query(narrowed, variables)),
  query("{ shop { name productCount categoryCount } }"),
  query("{ categories { categories { id name productCount } } policies { policies { id } } }"),
  query("{ products(first: 0) { userErrors { message } } }"),
  query("{ products(first: x) { totalCount } }"),
  ...["/products/1", "/products/2", "/categories/1", "/categories/2", "/pages/1"].map((path) =>
    page(`${path}.md`),
  ),
  page("/products/1", { accept: "text/markdown" }),
  page("/products/1", { accept: "text/html" }),
];

/**
 * Reads everything a client sees except rate limit headers and Date. `node:http` sends no Accept-Encoding by
 * itself.
 */
const exchange = async (url: string, { path, body, ...options }: SentRequest) => {
  const sending = request(url + path, { method: body === undefined ? "GET" : "POST", ...options });
  sending.end(body);
  const [response] = (await once(sending, "response")) as [IncomingMessage];
  const headers = Object.entries(response.headers).filter(
    ([name]) => !/^(ratelimit|date)/.test(name),
  );
  const received = Buffer.concat(await response.toArray()).toString("latin1");
  return { status: response.statusCode, headers, body: received };
};

const answerAlike = async ({ fast, slow, found }: Both, sent: SentRequest): Promise<void> => {
  const app = await exchange(slow, sent);
  for (const _ of ["made", "kept"]) {
    assert.equal(await exchange(fast, sent), app, JSON.stringify(sent));
  }
  const etag = app.headers.find(([name]) => name === "etag")?.[1];
  if (!etag) return;
  found.pages += 1;
  const again = page(sent.path, { ...sent.headers, "if-none-match": String(etag) });
  assert.equal(await exchange(fast, again), await exchange(slow, again), JSON.stringify(again));
};

/** Earlier than every event of a history. */
const before = { time: "2026-09-01T08:00:00Z" };

/** One event of each entity that a history is about. */
const shopBefore = () => [
  settingsUpdated({}, before),
  ...[1, 2].map((id) => categoryUpserted({ id }, before)),
  ...[1, 2, 3, 4].map((id) => productUpserted({ id, categoryIds: [1] }, before)),
  pageUpserted({ id: 1 }, before),
];

test("after each event of any history the cached responses equal those without a cache", async () => {
  let [current, pages] = [0, 0];
  await fc.assert(
    fc.asyncProperty(history, async (events) => {
      const both = await openBoth();
      try {
        both.model.apply(...shopBefore());
        for (const event of events.slice(0, 8)) {
          both.model.apply(event);
          both.behind.seconds += 1;
          for (const sent of requests) await answerAlike(both, sent);
        }
      } finally {
        await both.close();
      }
      current += both.found.current;
      pages += both.found.pages;
    }),
    { numRuns: 8 },
  );
  assert.ok(pages > 20, `${pages} pages were compared`);
  assert.ok(current > 100, `${current} responses were served from the cache`);
});

const shopOfTen = (model: TestModel): void => {
  for (let id = 1; id <= 10; id += 1) model.apply(productUpserted({ id }));
};

test("a cached response survives events about other products, not one about its own", async () => {
  const both = await openBoth();
  shopOfTen(both.model);
  const sent = query(one, { id: 3 });
  const ask = async () => JSON.parse((await exchange(both.fast, sent)).body).data.product.product;
  for (let times = 0; times < 3; times += 1) await ask();
  const before = both.found.current;
  both.model.apply(stockChanged({ productId: 4, quantity: 5 }));
  both.model.apply(priceChanged({ productId: 5, price: { amount: "7.00", currency: "EUR" } }));
  assert.is((await ask()).availability, "OUT_OF_STOCK");
  assert.is(both.found.current, before + 1);
  both.model.apply(stockChanged({ productId: 3, quantity: 5 }));
  assert.is((await ask()).availability, "IN_STOCK");
  assert.is(both.found.current, before + 1);
  await both.close();
});

test("a search, sorted or counted response does not survive a commit about a product it does not show", async () => {
  const both = await openBoth();
  shopOfTen(both.model);
  const money = (units: number) => ({ amount: `${units}.00`, currency: "EUR" });
  for (let id = 1; id <= 10; id += 1) {
    both.model.apply(priceChanged({ productId: id, price: money(10 + id) }, before));
  }
  const first = (args: string, selection = "nodes { id }") =>
    query(`{ products(first: 1, ${args}) { ${selection} } }`);
  const counted = "facets { prices { min max count } }";
  const sent = [
    first("orderBy: PRICE_ASC"),
    first("orderBy: PRICE_DESC"),
    first('priceMin: "20"'),
    first('priceMax: "2"'),
    first('query: "bicycle"', "totalCount search { suggestions }"),
    query(`{ products(first: 1) { ${counted} } }`),
  ];
  const answers = async () => {
    const all: string[] = [];
    for (const one of sent) {
      for (let times = 0; times < 3; times += 1) await answerAlike(both, one);
      all.push((await exchange(both.fast, one)).body);
    }
    return all;
  };
  const formerly = await answers();
  const kept = both.found.current;
  assert.ok(kept >= sent.length, `${kept} responses were cached`);
  both.model.apply(priceChanged({ productId: 7, price: money(1) }));
  both.model.apply(priceChanged({ productId: 8, price: money(99) }));
  both.model.apply(productUpserted({ id: 9, name: "Bicycle" }));
  for (const [at, answer] of (await answers()).entries()) {
    assert.is.not(answer, formerly[at], JSON.stringify(sent[at]));
  }
  await both.close();
});

test("a cached response does not survive more commits than the reader remembers", async () => {
  const both = await openBoth();
  shopOfTen(both.model);
  const sent = query(one, { id: 3 });
  for (let times = 0; times < 3; times += 1) await exchange(both.fast, sent);
  const later = (at: number) => ({ time: new Date(Date.UTC(2026, 10, 1) + at).toISOString() });
  for (let at = 0; at < 100; at += 1) {
    both.model.apply(stockChanged({ productId: at === 5 ? 3 : 7, quantity: 1 }, later(at)));
  }
  await answerAlike(both, sent);
  await both.close();
});

test("a cached response is rate limited, observed once and denied to agents that robots.txt disallows", async () => {
  let left = 6;
  const count = () => {
    left -= 1;
    return { admitted: left >= 0, remaining: Math.max(0, left), resetMs: 30_000 };
  };
  const both = await openBoth({ limit: 6, trustedProxies: 0, count });
  shopOfTen(both.model);
  const sent = query("{ shop { name } }");
  const ask = async (headers = {}): Promise<string> => {
    const answer = await fetch(both.fast + sent.path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: sent.body ?? "",
    });
    await answer.text();
    return `${answer.status}, ${answer.headers.get("ratelimit-remaining")} left`;
  };
  for (const left of [5, 4, 3, 2]) assert.is(await ask(), `200, ${left} left`);
  both.model.apply(robotsUpdated("User-agent: GoneBot\nDisallow: /"));
  // robots.txt is read at most once a millisecond.
  await delay(5);
  assert.is(await ask({ "user-agent": "GoneBot/1" }), "403, 1 left");
  assert.is(await ask(), "200, 0 left");
  assert.is(await ask(), "429, 0 left");
  await both.close();
  assert.equal(
    both.observed.map(({ route, status }) => `${route} ${status}`),
    [200, 200, 200, 200, 403, 200, 429].map((status) => `graphql ${status}`),
  );
  assert.ok(both.observed.every(({ seconds }) => seconds > 0));
});

/** Calls a tool that answers with all categories. @returns the number of characters of the response */
const listAll = async (both: Both, token: string): Promise<number> => {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_categories" },
  });
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": String(body.length),
  };
  const answer = await exchange(both.fast, { path: "/agent/mcp", headers, body });
  assert.is(answer.status, 200);
  return answer.body.length;
};

const applyCategories = (model: TestModel, count: number): void => {
  const name = "n".repeat(200);
  model.apply(
    settingsUpdated(),
    ...Array.from({ length: count }, (_, at) => categoryUpserted({ id: at + 1, name })),
  );
};

test("large responses of tool calls evict no page from the cache", async () => {
  const both = await openBoth();
  applyCategories(both.model, 500);
  const sent = page("/categories/1.md");
  for (let times = 0; times < 3; times += 1) await exchange(both.fast, sent);
  let characters = 0;
  for (let caller = 0; characters < 40 * 2 ** 20; caller += 1) {
    const token = tokenFor(`agent ${caller}`);
    for (let times = 0; times < 2; times += 1) characters += await listAll(both, token);
  }
  const before = both.found.current;
  await exchange(both.fast, sent);
  assert.is(both.found.current, before + 1);
  await both.close();
});

test("an agent that robots.txt denies is rejected before its body arrives, also with a verified token", async () => {
  const both = await openBoth();
  both.model.apply(settingsUpdated(), robotsUpdated("User-agent: GoneBot\nDisallow: /"));
  const token = tokenFor("agent");
  for (let times = 0; times < 3; times += 1) await listAll(both, token);
  const socket = connect(Number(new URL(both.fast).port), "127.0.0.1");
  const { host } = new URL(both.fast);
  socket.write(
    `POST /agent/mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nUser-Agent: GoneBot\r\n` +
      "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n",
  );
  const [bytes] = await once(socket, "data", { signal: AbortSignal.timeout(5_000) });
  assert.match(String(bytes), /^HTTP\/1\.1 403 /);
  socket.destroy();
  await both.close();
});

test("a response cached of one generation is not served once another one is live, whatever is in it", async () => {
  const models = [openModel(), openModel()];
  const readers = models.map((model, at) => {
    model.apply(settingsUpdated(), productUpserted({ id: 1, name: `Of generation ${at}` }));
    return openReader(model.store);
  });
  let live = 0;
  const access = openAccess();
  const app = createApp({
    ...appDefaults,
    reader: () => readers[live],
    log: createLogger("silent", "test"),
    access,
    rateLimit: unlimited(),
  });
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sent = query("{ product(id: 1) { product { name } } }");
  for (const generation of [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1]) {
    live = generation;
    const name = JSON.parse((await exchange(url, sent)).body).data.product.product.name;
    assert.is(name, `Of generation ${generation}`);
  }
  await drain(server, 2_000);
  access.close();
  for (const model of models) await model.close();
});

test("a pipelined request that waited holds no snapshot for requests of the next tick", async () => {
  const model = openModel();
  model.apply(settingsUpdated(), productUpserted({ id: 1, name: "Former" }));
  const reader = openReader(model.store);
  const access = openAccess();
  const observed: Observation[] = [];
  let seen = (): void => {};
  const app = createApp({
    ...appDefaults,
    reader: () => reader,
    log: createLogger("silent", "test"),
    access,
    rateLimit: unlimited(),
    observe(one) {
      observed.push(one);
      seen();
    },
  });
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  const { port } = server.address() as AddressInfo;
  const sent = "GET /products/1.md HTTP/1.1\r\nHost: x\r\n\r\n";
  const [one, other] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  for (let times = 0; times < 4; times += 1) {
    for (const socket of [one, other]) {
      socket.write(sent);
      assert.match(String(await once(socket, "data")), "Former");
    }
  }
  // A tick keeps its snapshot for up to a millisecond; with a frozen clock none expires.
  const { now } = performance;
  const frozen = performance.now();
  performance.now = () => frozen;
  observed.length = 0;
  seen = () => {
    if (observed.length !== 2) return;
    model.apply(productUpserted({ id: 1, name: "Newest" }));
    other.write(sent);
  };
  const answer = once(other, "data");
  one.write(sent.repeat(2));
  assert.match(String(await answer), "Newest");
  performance.now = now;
  for (const socket of [one, other]) socket.destroy();
  await drain(server, 2_000);
  await model.close();
  access.close();
});

test("a request that waits for too long gets 429, also when its document is cached", async () => {
  const model = openModel();
  const ids = Array.from({ length: 10 }, (_, at) => at + 1);
  model.apply(settingsUpdated(), ...ids.map((id) => productUpserted({ id })));
  const reader = openReader(model.store);
  const access = openAccess();
  const { now } = performance;
  let [later, isLong] = [0, false];
  performance.now = () => now.call(performance) + later;
  const app = createApp({
    ...appDefaults,
    reader: () => ({
      ...reader,
      snapshot(read) {
        // Each read takes longer than the maximum wait.
        if (isLong) later += 11_000;
        return reader.snapshot(read);
      },
    }),
    log: createLogger("silent", "test"),
    access,
    rateLimit: unlimited(),
  });
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  const { port } = server.address() as AddressInfo;
  const posted = (id: number): string => {
    const { body = "", headers } = query(one, { id });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST /graphql HTTP/1.1\r\nHost: x\r\n${lines.join("")}\r\n${body}`;
  };
  const sockets = ids.map(() => connect(port, "127.0.0.1"));
  const statusesOf = async (idOf: (at: number) => number): Promise<readonly string[]> => {
    const answers = sockets.map((socket) => once(socket, "data"));
    for (const [at, socket] of sockets.entries()) socket.write(posted(idOf(at)));
    return (await Promise.all(answers)).map(([bytes]) => String(bytes).slice(9, 12));
  };
  for (let times = 0; times < 4; times += 1) await statusesOf(() => 1);
  isLong = true;
  const statuses = await statusesOf((at) => at + 1);
  assert.ok(statuses.includes("200"), `${statuses}`);
  assert.ok(statuses.includes("429"), `${statuses}`);
  performance.now = now;
  for (const socket of sockets) socket.destroy();
  await drain(server, 2_000);
  await model.close();
  access.close();
});

test("a long response, one of a new media type and one with errors are executed once", async () => {
  const both = await openBoth();
  both.model.apply(...Array.from({ length: 40 }, (_, at) => categoryUpserted({ id: at + 1 })));
  shopOfTen(both.model);
  const list = "query($first: Int) { categories { categories { id name url } }";
  const sent = query(`${list} products(first: $first) { totalCount } }`, { first: 1 });
  const other = { accept: "application/graphql-response+json" };
  const wide = query(`${list} ${"x: products(first: $first) { totalCount }"} }`, { first: "ten" });
  await exchange(both.fast, sent);
  for (const headers of [{}, other]) {
    both.found.lists = 0;
    const again = { ...sent, headers: { ...sent.headers, ...headers } };
    const answer = await exchange(both.fast, again);
    assert.is(both.found.lists, 2, JSON.stringify(headers));
    assert.equal(answer, await exchange(both.slow, again));
  }
  assert.equal(await exchange(both.fast, wide), await exchange(both.slow, wide));
  await both.close();
});

test("a response that fails during its serialisation is executed once, and reported as without a cache", async () => {
  const both = await openBoth();
  const descriptionHtml = `<p>${"long ".repeat(4_000)}</p>`;
  both.model.apply(
    ...Array.from({ length: 100 }, (_, at) => productUpserted({ id: at + 1, descriptionHtml })),
  );
  const aliases = Array.from({ length: 4 }, (_, at) => `d${at}: description`).join(" ");
  const page = `products(first: $first) { nodes { ${aliases} } }`;
  const text = `query($first: Int) { categories { userErrors { code } } ${page} }`;
  await exchange(both.fast, query(text, { first: 1 }));
  both.found.lists = 0;
  const tooLarge = query(text, { first: 100 });
  const answer = await exchange(both.fast, tooLarge);
  assert.match(answer.body, /characters of text/);
  // Once by the compiled plan, which gives up, and once by graphql-js, which reports the reason.
  assert.is(both.found.lists, 2);
  assert.equal(answer, await exchange(both.slow, tooLarge));
  await both.close();
});

test("a response that lacks unreadable data is not cached", async () => {
  const both = await openBoth();
  both.model.apply(categoryUpserted({ id: 1 }));
  const sent = query("{ categories { categories { id } userErrors { code } } }");
  for (let times = 0; times < 4; times += 1) await exchange(both.fast, sent);
  // This commit invalidates the cached response.
  both.model.apply(categoryUpserted({ id: 2 }));
  both.found.listFails = true;
  for (let times = 0; times < 4; times += 1) {
    assert.match((await exchange(both.fast, sent)).body, "INTERNAL");
  }
  both.found.listFails = false;
  assert.match((await exchange(both.fast, sent)).body, '"userErrors":[]');
  await both.close();
});

test("an unreadable model gives the same errors as without a cache, and the server goes on", async () => {
  const both = await openBoth();
  shopOfTen(both.model);
  const sent = [query(one, { id: 3 }), query("{ shop { name } }"), page("/products/3.md")];
  for (let times = 0; times < 4; times += 1) for (const one of sent) await exchange(both.fast, one);
  both.found.fails = true;
  for (const one of sent) {
    const { status, body } = await exchange(both.fast, one);
    assert.is(status, 500, one.path);
    assert.match(body, "The store failed to answer; retry is safe.", one.path);
  }
  both.found.fails = false;
  for (const one of sent) assert.is((await exchange(both.fast, one)).status, 200, one.path);
  await both.close();
});

test.run();
