import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createApp } from "../../../src/http/app.ts";
import { computeCallerKey } from "../../../src/http/fast-path/requests.ts";
import type { Observation, Observe } from "../../../src/http/middleware/request-metrics.ts";
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

const test = suite("fast path");

/** A reader that does not tell what was asked: the app behind it keeps nothing. */
const silent = (reader: Reader): Reader => ({
  snapshot: (read) => reader.snapshot((moment) => read(moment)),
  scanPages: reader.scanPages,
});

interface Counts {
  current: number;
  /** Two of a run that tells entries: what a list comes to is counted before it is told. */
  lists: number;
  fails: boolean;
  /** Of all categories only. */
  listFails: boolean;
}

/** A reader that counts how often a kept answer was found current, and all categories asked for; it can be made to fail. */
const counting = (reader: Reader, found: Counts): Reader => ({
  pinCommit() {
    if (found.fails) throw new Error("a damaged page");
    return reader.pinCommit?.() ?? (() => {});
  },
  scanPages: reader.scanPages,
  snapshot(read) {
    if (found.fails) throw new Error("a damaged record");
    return reader.snapshot((moment, footprint) =>
      read(
        {
          ...moment,
          categories() {
            found.lists += 1;
            if (found.listFails) throw new Error("a record that cannot be read");
            return moment.categories();
          },
        },
        footprint && {
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

/** One model behind two apps: one keeps answers, the other makes each anew. */
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
  const tell: Observe = (one) => observed.push(one);
  const fast = await serve(counting(openReader(model.store), found), rateLimit, tell);
  const slow = await serve(silent(openReader(model.store)));
  return {
    model,
    found,
    /** How far the model is said to be behind the shop. */
    behind,
    /** What the fast one told of its requests. */
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

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const query = (text: string, variables = {}, headers = {}): Asked => {
  const body = JSON.stringify({ query: text, variables });
  const length = String(Buffer.byteLength(body));
  const described = { "content-type": "application/json", "content-length": length };
  return { path: "/graphql", headers: { ...described, ...headers }, body };
};
const page = (path: string, headers = {}): Asked => ({ path, headers });

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

const requests: readonly Asked[] = [
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

/** Everything a client sees but the limit and the time of day. By `node:http`, which asks for no packing by itself. */
const exchange = async (url: string, { path, body, ...options }: Asked) => {
  const sending = request(url + path, { method: body === undefined ? "GET" : "POST", ...options });
  sending.end(body);
  const [response] = (await once(sending, "response")) as [IncomingMessage];
  const headers = Object.entries(response.headers).filter(
    ([name]) => !/^(ratelimit|date)/.test(name),
  );
  const received = Buffer.concat(await response.toArray()).toString("latin1");
  return { status: response.statusCode, headers, body: received };
};

const answerAlike = async ({ fast, slow, found }: Both, asked: Asked): Promise<void> => {
  const app = await exchange(slow, asked);
  for (const _ of ["made", "kept"]) {
    assert.equal(await exchange(fast, asked), app, JSON.stringify(asked));
  }
  const etag = app.headers.find(([name]) => name === "etag")?.[1];
  if (!etag) return;
  found.pages += 1;
  const again = page(asked.path, { ...asked.headers, "if-none-match": String(etag) });
  assert.equal(await exchange(fast, again), await exchange(slow, again), JSON.stringify(again));
};

/** Older than any of a history's events. */
const before = { time: "2026-09-01T08:00:00Z" };

/** Something of everything a history is about. */
const shopBefore = () => [
  settingsUpdated({}, before),
  ...[1, 2].map((id) => categoryUpserted({ id }, before)),
  ...[1, 2, 3, 4].map((id) => productUpserted({ id, categoryIds: [1] }, before)),
  pageUpserted({ id: 1 }, before),
];

test("after each of any events every answer is the one the app alone gives", async () => {
  let [current, pages] = [0, 0];
  await fc.assert(
    fc.asyncProperty(history, async (events) => {
      const both = await openBoth();
      try {
        both.model.apply(...shopBefore());
        for (const event of events.slice(0, 8)) {
          both.model.apply(event);
          both.behind.seconds += 1;
          for (const asked of requests) await answerAlike(both, asked);
        }
      } finally {
        await both.close();
      }
      current += both.found.current;
      pages += both.found.pages;
    }),
    { numRuns: 8 },
  );
  assert.ok(pages > 20, `${pages} pages were there to be compared`);
  assert.ok(current > 100, `${current} answers were kept long enough to be given again`);
});

const shopOfTen = (model: TestModel): void => {
  for (let id = 1; id <= 10; id += 1) model.apply(productUpserted({ id }));
};

test("a kept answer outlives events about others, and not one about itself", async () => {
  const both = await openBoth();
  shopOfTen(both.model);
  const asked = query(one, { id: 3 });
  const ask = async () => JSON.parse((await exchange(both.fast, asked)).body).data.product.product;
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

test("what is searched, sorted or counted does not outlive a commit about a product it does not show", async () => {
  const both = await openBoth();
  shopOfTen(both.model);
  const money = (units: number) => ({ amount: `${units}.00`, currency: "EUR" });
  for (let id = 1; id <= 10; id += 1) {
    both.model.apply(priceChanged({ productId: id, price: money(10 + id) }, before));
  }
  const first = (args: string, asked = "nodes { id }") =>
    query(`{ products(first: 1, ${args}) { ${asked} } }`);
  const counted = "facets { prices { min max count } }";
  const asked = [
    first("orderBy: PRICE_ASC"),
    first("orderBy: PRICE_DESC"),
    first('priceMin: "20"'),
    first('priceMax: "2"'),
    first('query: "bicycle"', "totalCount search { suggestions }"),
    query(`{ products(first: 1) { ${counted} } }`),
  ];
  const answers = async () => {
    const all: string[] = [];
    for (const one of asked) {
      for (let times = 0; times < 3; times += 1) await answerAlike(both, one);
      all.push((await exchange(both.fast, one)).body);
    }
    return all;
  };
  const formerly = await answers();
  const kept = both.found.current;
  assert.ok(kept >= asked.length, `${kept} answers were kept`);
  both.model.apply(priceChanged({ productId: 7, price: money(1) }));
  both.model.apply(priceChanged({ productId: 8, price: money(99) }));
  both.model.apply(productUpserted({ id: 9, name: "Bicycle" }));
  for (const [at, answer] of (await answers()).entries()) {
    assert.is.not(answer, formerly[at], JSON.stringify(asked[at]));
  }
  await both.close();
});

test("a kept answer does not outlive more commits than are remembered", async () => {
  const both = await openBoth();
  shopOfTen(both.model);
  const asked = query(one, { id: 3 });
  for (let times = 0; times < 3; times += 1) await exchange(both.fast, asked);
  const later = (at: number) => ({ time: new Date(Date.UTC(2026, 10, 1) + at).toISOString() });
  for (let at = 0; at < 100; at += 1) {
    both.model.apply(stockChanged({ productId: at === 5 ? 3 : 7, quantity: 1 }, later(at)));
  }
  await answerAlike(both, asked);
  await both.close();
});

test("kept answers are counted and observed once, and refused over the limit and to agents that were withdrawn", async () => {
  let left = 6;
  const count = () => {
    left -= 1;
    return { admitted: left >= 0, remaining: Math.max(0, left), resetMs: 30_000 };
  };
  const both = await openBoth({ limit: 6, trustedProxies: 0, count });
  shopOfTen(both.model);
  const asked = query("{ shop { name } }");
  const ask = async (headers = {}): Promise<string> => {
    const answer = await fetch(both.fast + asked.path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: asked.body ?? "",
    });
    await answer.text();
    return `${answer.status}, ${answer.headers.get("ratelimit-remaining")} left`;
  };
  for (const left of [5, 4, 3, 2]) assert.is(await ask(), `200, ${left} left`);
  both.model.apply(robotsUpdated("User-agent: GoneBot\nDisallow: /"));
  // What robots.txt says is looked at once a millisecond.
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

/** Calls a tool that answers with all categories. @returns the characters of the answer */
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

const tellCategories = (model: TestModel, count: number): void => {
  const name = "n".repeat(200);
  model.apply(
    settingsUpdated(),
    ...Array.from({ length: count }, (_, at) => categoryUpserted({ id: at + 1, name })),
  );
};

test("a caller is remembered whose answers are larger than a mebibyte", async () => {
  const both = await openBoth();
  tellCategories(both.model, 2_000);
  const token = tokenFor("agent");
  assert.ok((await listAll(both, token)) > 2 ** 20);
  await listAll(both, token);
  const before = both.found.current;
  await listAll(both, token);
  assert.ok(both.found.current > before);
  await both.close();
});

test("large answers to callers of tools evict no page from the cache", async () => {
  const both = await openBoth();
  tellCategories(both.model, 500);
  const asked = page("/categories/1.md");
  for (let times = 0; times < 3; times += 1) await exchange(both.fast, asked);
  let characters = 0;
  for (let caller = 0; characters < 40 * 2 ** 20; caller += 1) {
    const token = tokenFor(`agent ${caller}`);
    for (let times = 0; times < 2; times += 1) characters += await listAll(both, token);
  }
  const before = both.found.current;
  await exchange(both.fast, asked);
  assert.is(both.found.current, before + 1);
  await both.close();
});

test("the key of a remembered caller does not contain its token", async () => {
  const token = tokenFor("secret");
  const sender = (authorization: string) =>
    computeCallerKey({
      url: "/agent/mcp",
      headers: { authorization },
      socket: { remoteAddress: "127.0.0.1" },
    } as IncomingMessage);
  const remembered = sender(`Bearer ${token}`);
  assert.not.match(remembered, token);
  assert.not.match(remembered, token.slice(-10));
  assert.is.not(remembered, sender(`Bearer ${tokenFor("other")}`));
});

test("an agent that robots.txt denies is refused before its body arrives, also with a token that was accepted before", async () => {
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

test("what was kept of one generation is not told once another answers, though nothing of it changed there", async () => {
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
  const asked = query("{ product(id: 1) { product { name } } }");
  for (const generation of [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1]) {
    live = generation;
    const told = JSON.parse((await exchange(url, asked)).body).data.product.product.name;
    assert.is(told, `Of generation ${generation}`);
  }
  await drain(server, 2_000);
  access.close();
  for (const model of models) await model.close();
});

test("what waited for another request of its connection holds no moment for those that are read in the next turn", async () => {
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
  const asked = "GET /products/1.md HTTP/1.1\r\nHost: x\r\n\r\n";
  const [one, other] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  for (let times = 0; times < 4; times += 1) {
    for (const socket of [one, other]) {
      socket.write(asked);
      assert.match(String(await once(socket, "data")), "Former");
    }
  }
  // A turn may be held for a millisecond: none goes by.
  const { now } = performance;
  const frozen = performance.now();
  performance.now = () => frozen;
  observed.length = 0;
  seen = () => {
    if (observed.length !== 2) return;
    model.apply(productUpserted({ id: 1, name: "Newest" }));
    other.write(asked);
  };
  const answer = once(other, "data");
  one.write(asked.repeat(2));
  assert.match(String(await answer), "Newest");
  performance.now = now;
  for (const socket of [one, other]) socket.destroy();
  await drain(server, 2_000);
  await model.close();
  access.close();
});

test("what waits for its turn for too long is told so, though it could be answered without the app", async () => {
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
        // Each look takes longer than anybody waits.
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

test("what is too large to be sent unpacked, or of a kind that was never sent, or told in errors, ran once", async () => {
  const both = await openBoth();
  both.model.apply(...Array.from({ length: 40 }, (_, at) => categoryUpserted({ id: at + 1 })));
  shopOfTen(both.model);
  const list = "query($first: Int) { categories { categories { id name url } }";
  const asked = query(`${list} products(first: $first) { totalCount } }`, { first: 1 });
  const other = { accept: "application/graphql-response+json" };
  const packed = { "accept-encoding": "gzip" };
  const wide = query(`${list} ${"x: products(first: $first) { totalCount }"} }`, { first: "ten" });
  await exchange(both.fast, asked);
  for (const headers of [{}, packed, other, { ...packed, ...other }, packed]) {
    both.found.lists = 0;
    const again = { ...asked, headers: { ...asked.headers, ...headers } };
    const answer = await exchange(both.fast, again);
    assert.is(both.found.lists, 2, JSON.stringify(headers));
    assert.equal(answer, await exchange(both.slow, again));
  }
  assert.equal(await exchange(both.fast, wide), await exchange(both.slow, wide));
  await both.close();
});

test("an answer that fails on its way ran once, and is told and logged as the app does", async () => {
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
  // By the plan, which gives up, and by graphql-js, which tells why.
  assert.is(both.found.lists, 2);
  assert.equal(answer, await exchange(both.slow, tooLarge));
  await both.close();
});

test("an answer that lacks what could not be read is given again to nobody", async () => {
  const both = await openBoth();
  both.model.apply(categoryUpserted({ id: 1 }));
  const asked = query("{ categories { categories { id } userErrors { code } } }");
  for (let times = 0; times < 4; times += 1) await exchange(both.fast, asked);
  // What is kept is forgotten.
  both.model.apply(categoryUpserted({ id: 2 }));
  both.found.listFails = true;
  for (let times = 0; times < 4; times += 1) {
    assert.match((await exchange(both.fast, asked)).body, "INTERNAL");
  }
  both.found.listFails = false;
  assert.match((await exchange(both.fast, asked)).body, '"userErrors":[]');
  await both.close();
});

test("a model that cannot be read is told as the app tells it, and ends nothing", async () => {
  const both = await openBoth();
  shopOfTen(both.model);
  const asked = [query(one, { id: 3 }), query("{ shop { name } }"), page("/products/3.md")];
  for (let times = 0; times < 4; times += 1)
    for (const one of asked) await exchange(both.fast, one);
  both.found.fails = true;
  for (const one of asked) {
    const { status, body } = await exchange(both.fast, one);
    assert.is(status, 500, one.path);
    assert.match(body, "The store failed to answer; retry is safe.", one.path);
  }
  both.found.fails = false;
  for (const one of asked) assert.is((await exchange(both.fast, one)).status, 200, one.path);
  await both.close();
});

test.run();
