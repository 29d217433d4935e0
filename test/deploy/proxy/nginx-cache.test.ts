import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { priceChanged, productUpserted } from "../../helpers/events.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { until } from "../../helpers/vitrine.ts";
import { euros } from "../../spec/goods/situations.ts";
import { type Answer, type HttpsClient, openClient } from "./https-client.ts";
import { closeProxy, openProxy, type ProxyContext, publish } from "./proxy-context.ts";
import { hostName, type Site, startNginx } from "./start-proxy.ts";

interface Context {
  readonly context: ProxyContext;
  /** Client of a CDN before the proxy, which keeps what headers allow. */
  readonly cdn: HttpsClient;
}

const test = suite<Context>("the cache of deploy/nginx.conf");

/** Seconds. */
const sharedMaxAge = 6;

/** Requests a minute for each client address. The CDN and a client share one. */
const rateLimit = 1_500;

const cdnServer =
  (cdnPort: number) =>
  ({ port, certificate, key }: Site): string =>
    `
  proxy_cache_path cdn keys_zone=cdn:1m;
  server {
    listen 127.0.0.1:${cdnPort} ssl http2;
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    location / {
      proxy_pass https://127.0.0.1:${port};
      proxy_ssl_server_name on;
      proxy_ssl_name ${hostName};
      proxy_set_header Host ${hostName};
      proxy_cache cdn;
      add_header X-Cdn $upstream_cache_status always;
    }
  }`;

test.before(async (state) => {
  const cdnPort = await findFreePort();
  const context = await openProxy(
    (upstreams) => startNginx(upstreams, { extra: cdnServer(cdnPort) }),
    ["--shared-max-age", String(sharedMaxAge), "--rate-limit", String(rateLimit)],
  );
  const cdn = await openClient(cdnPort, hostName, "127.0.0.90");
  Object.assign(state, { context, cdn });
});
test.after(async ({ context, cdn }) => {
  cdn.close();
  await closeProxy(context);
});

const priceQuery = `/graphql?query=${encodeURIComponent('{ product(id: "1") { product { price { amount } } } }')}`;
const pricePaths = ["/products/1.md", priceQuery];

const cacheOf = ({ headers }: Answer): string => String(headers["x-cache"]);

test("the cache answers a second client, without RateLimit headers", async ({ context }) => {
  const other = await openClient(context.proxy.port, hostName, "127.0.0.91");
  for (const path of [...pricePaths, "/llms.txt", "/agent-sitemap.xml", "/openapi.json"]) {
    const first = await context.client.get(path);
    const second = await other.get(path);
    assert.match(cacheOf(second), /^(HIT|STALE|UPDATING)$/, path);
    assert.equal(second.body, first.body);
    assert.is(second.headers.etag, first.headers.etag);
    const names = Object.keys(second.headers);
    assert.equal(
      names.filter((name) => name.startsWith("ratelimit")),
      [],
    );
    const tag = String(second.headers.etag);
    assert.is((await other.get(path, { "if-none-match": tag })).status, 304);
  }
  other.close();
});

test("a price change is visible within the seconds of --shared-max-age", async ({ context }) => {
  const priceOf = async (path: string) => {
    const { body } = await context.client.get(path);
    return /\d+\.\d\d/.exec(body.toString())?.[0];
  };
  for (const path of pricePaths) {
    await context.client.get(path);
    assert.match(cacheOf(await context.client.get(path)), /^(HIT|STALE|UPDATING)$/, path);
  }
  const price = euros("77.77");
  const changed = priceChanged({ productId: 1, price }, { time: new Date().toISOString() });
  await publish(context.service, [changed]);
  await until(
    async () => (await fetch(`${context.service.url}/products/1.md`)).text(),
    (text) => text.includes("77.77"),
  );
  const visibleAt = performance.now();
  for (const path of pricePaths)
    await until(
      () => priceOf(path),
      (amount) => amount === "77.77",
      sharedMaxAge - (performance.now() - visibleAt) / 1000,
    );
});

test("no reply of the cache, or of a CDN before it, is older than the beginning of a sale", async ({
  context,
  cdn,
}) => {
  const start = Date.now() + 10_000;
  const sales = [
    {
      price: euros("11.11"),
      from: new Date(start).toISOString(),
      to: new Date(start + 86_400_000).toISOString(),
    },
  ];
  const event = productUpserted({ id: 2, price: euros("99.99"), sales });
  await publish(context.service, [event]);
  const seen = new Map<string, number>();
  let sawSale = false;
  await until(
    () => context.client.get("/products/2.md"),
    ({ status }) => status === 200,
  );
  for (let last = 0; last < start + 1_000; await delay(20)) {
    const fromCdn = await cdn.get("/products/2.md");
    const sentAt = Date.now();
    const answer = await context.client.get("/products/2.md");
    last = Date.now();
    assert.is(answer.status, 200);
    const isReduced = answer.body.includes("11.11");
    const state = `${isReduced ? "reduced" : "before"} ${cacheOf(answer)}`;
    seen.set(state, (seen.get(state) ?? 0) + 1);
    if (sentAt >= start) assert.ok(isReduced, `${state}, ${sentAt - start} ms after the beginning`);
    if (last < start) assert.not(isReduced);
    // No later than the request before it.
    if (sawSale)
      assert.ok(fromCdn.body.includes("11.11"), `the CDN, ${Date.now() - start} ms after`);
    sawSale = sentAt >= start;
  }
  assert.ok((seen.get("before HIT") ?? 0) > 5, JSON.stringify([...seen]));
});

test("before and behind a CDN, a browser never gets Markdown and an agent never HTML", async ({
  context,
  cdn,
}) => {
  const states = new Set<string>();
  for (const client of [cdn, context.client, cdn, cdn]) {
    for (const [accept, type] of [
      ["text/html,application/xhtml+xml,*/*;q=0.8", "text/html"],
      ["text/markdown", "text/markdown"],
      ["text/markdown, text/html;q=0.9, */*;q=0.8", "text/markdown"],
      ["*/*", "text/html"],
    ] as const) {
      const { status, headers } = await client.get("/products/1", { accept });
      assert.is(status, 200);
      assert.match(String(headers["content-type"]), type, accept);
      states.add(`${type} ${headers["x-cdn"]}`);
    }
  }
  assert.ok(states.has("text/html HIT"), [...states].join());
  assert.not(states.has("text/markdown HIT"));
});

test("a 429 is not cached", async ({ context }) => {
  const address = "127.0.0.92";
  const path = "/llms.txt?for=429";
  // nginx ends a connection after 1,000 requests.
  for (let at = 0; at < rateLimit; at += 500) {
    const client = await openClient(context.proxy.port, hostName, address);
    for (let next = 0; next < 500; next += 1) await client.get(`/products/9.md?${at + next}`);
    client.close();
  }
  const refused = await openClient(context.proxy.port, hostName, address);
  assert.is((await refused.get(path)).status, 429);
  assert.is((await context.client.get(path)).status, 200);
  refused.close();
});

test("a 503 is not cached, and not what was cached before", async ({ context }) => {
  const { service, client } = context;
  const path = "/llms.txt?for=503";
  await client.get("/llms.txt");
  await service.stop();
  assert.is((await client.get(path)).status, 503);
  await until(
    () => client.get("/llms.txt"),
    ({ status }) => status === 503,
    sharedMaxAge + 2,
  );
});

test.run();
