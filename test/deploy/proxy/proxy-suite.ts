import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { categoryUpserted, productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { ndjson, type RunningVitrine, run, startVitrine } from "../../helpers/vitrine.ts";
import { type Answer, type HttpsClient, openClient } from "./https-client.ts";
import { type Relay, startRelay } from "./relay.ts";
import { type StandInShop, startShop } from "./stand-in-shop.ts";
import { hostName, type RunningProxy, type Upstreams } from "./start-proxy.ts";

/** A proxy before a real service and a stand-in shop. */
export interface ProxyContext {
  readonly service: RunningVitrine;
  readonly relay: Relay;
  readonly shop: StandInShop;
  readonly proxy: RunningProxy;
  /** Client at the usual address. */
  readonly client: HttpsClient;
}

/** Requests a minute for each client address. */
const rateLimit = 150;

/** Starts the service, the shop and the proxy. @param args further options of `serve` */
export const openProxy = async (
  startProxy: (upstreams: Upstreams) => Promise<RunningProxy>,
  args: readonly string[] = [],
): Promise<ProxyContext> => {
  const service = await startVitrine([
    ...["--trust-proxy", "1", "--base-url", `https://${hostName}`],
    ...["--rate-limit", String(rateLimit), ...args],
  ]);
  await publish(service, [settingsUpdated(), categoryUpserted(), productUpserted({ id: 1 })]);
  await service.ready();
  const [relay, shop] = await Promise.all([
    startRelay(Number(new URL(service.url).port)),
    startShop(),
  ]);
  const proxy = await startProxy({ vitrine: relay.port, shop: shop.port });
  const client = await openClient(proxy.port, hostName);
  return { service, relay, shop, proxy, client };
};

export const publish = async (
  { dataDir }: RunningVitrine,
  events: readonly unknown[],
): Promise<void> => {
  const { code, stderr } = await run(["publish", "-", "--data-dir", dataDir], {
    input: ndjson(events),
  });
  assert.is(code, 0, stderr);
};

export const closeProxy = async (context: ProxyContext): Promise<void> => {
  context.client.close();
  await context.proxy.stop();
  await context.service.stop();
  context.relay.close();
  context.shop.close();
};

const isShop = ({ headers }: Answer): boolean => headers["x-answered-by"] === "shop";

const agentPaths: readonly string[] = [
  "/graphql/schema.graphql",
  "/graphql?query=%7Bshop%7Bname%7D%7D",
  "/agent/mcp/server-card",
  "/llms.txt",
  "/agent-sitemap.xml",
  "/openapi.json",
  "/auth.md",
  "/products/1.md",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/agent/mcp",
  "/.well-known/oauth-authorization-server",
  "/.well-known/api-catalog",
  "/.well-known/ai-catalog.json",
  "/.well-known/mcp/server-card.json",
  "/.well-known/agent-skills/index.json",
];

const shopPaths: readonly string[] = [
  ...["/", "/products/1", "/cart", "/graphqlx", "/agents", "/agent-sitemap.html"],
  ...["/.well-known/security.txt", "/robots.txt", "/llms.txt.html"],
];

/** Accept headers of a page that Vitrine has, with who answers. */
const accepts: readonly (readonly [accept: string, answers: "vitrine" | "shop"])[] = [
  ["text/markdown", "vitrine"],
  ["text/x-markdown", "vitrine"],
  ["text/markdown, text/html;q=0.9, */*;q=0.8", "vitrine"],
  ["text/markdown, text/html, */*", "vitrine"],
  ["text/html, text/markdown;q=0.5", "shop"],
  ["text/markdown;q=0.5, text/html", "shop"],
  ["text/html;q=0.9, text/markdown;q=0.4", "shop"],
  ["text/html,application/xhtml+xml,*/*;q=0.8", "shop"],
  ["*/*", "shop"],
];

/** Requests that Vitrine refuses, with their status. */
const refusals: readonly (readonly [
  status: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
])[] = [
  [404, "/products/99.md", {}],
  [404, "/products/99", { accept: "text/markdown" }],
  [405, "/agent/mcp", { ":method": "GET" }],
  [405, "/graphql", { ":method": "DELETE" }],
  [415, "/graphql", { ":method": "POST", "content-type": "text/plain" }, "x"],
  [413, "/graphql", { ":method": "POST", "content-type": "application/json" }, "x".repeat(300_000)],
  [401, "/agent/mcp", { ":method": "POST", "content-type": "application/json" }, "{}"],
  [412, "/llms.txt", { "if-match": '"another"' }],
];

/** Headers of a connection or of an instant, or those that the proxy adds. The proxy with a cache sends its own Cache-Control. */
const volatile =
  /^(alt-svc|connection|keep-alive|date|server|x-cache|x-data-age|transfer-encoding|ratelimit(-\w+)?|:status)$/;

const stable = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !volatile.test(name))
      .map(([name, value]) => [
        name,
        name === "cache-control" ? withoutShared(String(value)) : value,
      ]),
  );

/** Formats Cache-Control as the proxy with a cache passes it on: no further cache may keep the reply. */
const withoutShared = (directives: string): string =>
  directives
    .replace(/^public, max-age=0, s-maxage.*/, "no-cache")
    .replace(/^public, (max-age=\d+), s-maxage.*/, "private, $1");

/** Requests the service itself, without the proxy. */
const askDirectly = async (
  { service }: ProxyContext,
  path: string,
  { ":method": method = "GET", ...headers }: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answer> => {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { "x-forwarded-for": "192.0.2.1", "accept-encoding": "identity", ...headers },
    ...(body !== undefined && { body }),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
};

/** Tests what every proxy of `deploy/` does. @param args further options of `serve` */
export const proxySuite = (
  name: string,
  startProxy: (upstreams: Upstreams) => Promise<RunningProxy>,
  args: readonly string[] = [],
): void => {
  const test = suite<{ context: ProxyContext }>(name);
  let address = 1;
  /** Opens a client at an address of its own, so that it has a rate limit of its own. */
  const openNext = ({ proxy }: ProxyContext): Promise<HttpsClient> => {
    address += 1;
    return openClient(proxy.port, hostName, `127.0.0.${address}`);
  };

  test.before(async (state) => {
    state.context = await openProxy(startProxy, args);
  });
  test.after(({ context }) => closeProxy(context));

  test("clients use TLS and HTTP/2", ({ context: { client } }) => {
    assert.is(client.protocol, "h2");
  });

  test("agent routes go to Vitrine, everything else to the shop", async ({ context }) => {
    for (const path of agentPaths) {
      const answer = await context.client.get(path);
      assert.is(answer.status, 200, path);
      assert.not(isShop(answer), path);
    }
    for (const path of shopPaths) assert.ok(isShop(await context.client.get(path)), path);
  });

  test("a page goes to who has what the client prefers", async ({ context: { client } }) => {
    for (const [accept, answers] of accepts) {
      const answer = await client.get("/products/1", { accept });
      assert.is(isShop(answer) ? "shop" : "vitrine", answers, accept);
      assert.match(String(answer.headers.vary), /\bAccept\b/, accept);
    }
    assert.ok(
      isShop(await client.send("/products/1", { ":method": "POST", accept: "text/markdown" })),
    );
  });

  test("a page that Vitrine does not have goes to the shop if the client takes HTML", async ({
    context: { client },
  }) => {
    const either = await client.get("/cart", { accept: "text/markdown, text/html;q=0.9" });
    assert.is(either.status, 200);
    assert.ok(isShop(either));
    assert.is((await client.get("/cart", { accept: "text/markdown" })).status, 404);
  });

  test("a POST reaches the shop complete and once, also when the shop breaks the connection", async ({
    context: { client, shop },
  }) => {
    const body = "x".repeat(200_000);
    const post = { ":method": "POST", "content-type": "text/plain" };
    assert.ok(isShop(await client.send("/orders", post, body)));
    assert.ok(isShop(await client.send("/orders", { ...post, accept: "text/markdown" }, body)));
    assert.equal(shop.posted().slice(-2), [body.length, body.length]);
    const before = shop.posted().length;
    // A kept connection to the shop exists.
    const broken = await client.send("/breaks", post, body);
    assert.ok(broken.status >= 500);
    assert.is(shop.posted().length, before + 1);
  });

  test("an error of the shop is the shop's answer", async ({ context: { client } }) => {
    for (const accept of ["text/html", "text/markdown, text/html"]) {
      const { status, headers } = await client.get("/maintenance", { accept });
      assert.is(status, 503, accept);
      assert.is(headers["x-answered-by"], "shop", accept);
      assert.is(headers["cache-control"], "public, max-age=60");
    }
  });

  test("a client cannot make Vitrine refuse others, and If-Modified-Since alone is no reason for 304", async ({
    context: { client },
  }) => {
    assert.is((await client.get("/llms.txt", { "x-max-data-age": "0" })).status, 200);
    const { headers } = await client.get("/llms.txt");
    const since = { "if-modified-since": String(headers["last-modified"]) };
    assert.is((await client.get("/llms.txt", since)).status, 200);
    const both = { ...since, "if-none-match": String(headers.etag) };
    assert.is((await client.get("/llms.txt", both)).status, 304);
  });

  test("the home page is Markdown for an agent and HTML of the shop for a browser", async ({
    context: { client },
  }) => {
    const agent = await client.get("/", { accept: "text/markdown, */*" });
    assert.match(String(agent.headers["content-type"]), "text/markdown");
    const browser = await client.get("/", { accept: "text/html, text/markdown;q=0.1" });
    assert.ok(isShop(browser));
  });

  test("replies, HEAD and 304 pass the proxy unchanged", async ({ context }) => {
    for (const path of agentPaths) {
      const direct = await askDirectly(context, path, {});
      const answer = await context.client.get(path);
      assert.equal(stable(answer.headers), stable(direct.headers), path);
      assert.equal(answer.body, direct.body, path);
      const head = await context.client.send(path, { ":method": "HEAD" });
      assert.equal(stable(head.headers), stable(direct.headers), path);
      assert.is(head.body.length, 0);
      const tag = String(answer.headers.etag);
      const unchanged = await context.client.get(path, { "if-none-match": tag });
      assert.is(unchanged.status, 304, path);
      assert.is(unchanged.headers.etag, tag);
    }
  });

  test("refusals pass the proxy unchanged, with the RateLimit headers", async ({ context }) => {
    for (const [status, path, headers, body] of refusals) {
      const direct = await askDirectly(context, path, headers, body);
      const answer = await context.client.send(path, headers, body);
      assert.is(answer.status, status, path);
      assert.equal(stable(answer.headers), stable(direct.headers), path);
      assert.equal(answer.body, direct.body, path);
      assert.match(String(answer.headers["ratelimit-limit"]), /^\d+$/, path);
    }
  });

  test("a compressed reply is compressed once", async ({ context: { client } }) => {
    const plain = await client.get("/openapi.json");
    assert.is(plain.headers["content-encoding"], undefined);
    for (const [encoding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const answer = await client.get("/openapi.json", { "accept-encoding": encoding });
      assert.is(answer.headers["content-encoding"], encoding);
      assert.equal(decode(answer.body), plain.body);
      assert.match(String(answer.headers.etag), `.${encoding}"`);
    }
  });

  test("the proxy keeps its connections to Vitrine", async ({ context }) => {
    const client = await openNext(context);
    const before = context.relay.count();
    const headers = { ":method": "POST", "content-type": "application/json" };
    for (let at = 0; at < 50; at += 1) await client.send("/graphql", headers, "{}");
    assert.ok(context.relay.count() - before <= 2, `${context.relay.count() - before} connections`);
    client.close();
  });

  test("each client address has its own rate limit, and a forged X-Forwarded-For changes nothing", async ({
    context,
  }) => {
    const [one, other] = [await openNext(context), await openNext(context)];
    const ask = (client: HttpsClient, at: number) =>
      client.send(
        "/graphql",
        {
          ":method": "POST",
          "content-type": "application/json",
          "x-forwarded-for": `198.51.100.${at}, 203.0.113.${at}`,
          forwarded: `for=198.51.100.${at}`,
        },
        '{"query":"{ shop { name } }"}',
      );
    for (let at = 1; at <= rateLimit; at += 1) {
      const { status, headers } = await ask(one, at);
      assert.is(status, 200);
      assert.is(headers["ratelimit-remaining"], String(rateLimit - at));
    }
    const refused = await ask(one, 0);
    assert.is(refused.status, 429);
    assert.match(String(refused.headers["retry-after"]), /^\d+$/);
    assert.is((await ask(other, 0)).headers["ratelimit-remaining"], String(rateLimit - 1));
    const { headers } = await one.get("/cart", { "x-forwarded-for": "198.51.100.1" });
    assert.match(String(headers["x-forwarded-for-seen"]), /^127\.0\.0\.\d+$/);
    one.close();
    other.close();
  });

  test("while Vitrine is away, agents get 503 with Retry-After, and the shop answers", async ({
    context: { shop },
  }) => {
    const unused = await startRelay(1);
    unused.close();
    const proxy = await startProxy({ vitrine: unused.port, shop: shop.port });
    const client = await openClient(proxy.port, hostName);
    for (const [path, accept] of [
      ["/llms.txt", "*/*"],
      ["/products/1.md", "*/*"],
      ["/products/1", "text/markdown"],
    ] as const) {
      const { status, headers, body } = await client.get(path, { accept });
      assert.is(status, 503, path);
      assert.is(headers["retry-after"], "5");
      assert.is(headers["cache-control"], "no-store");
      assert.is(JSON.parse(body.toString()).error.code, "unavailable");
    }
    assert.ok(isShop(await client.get("/products/1", { accept: "text/html" })));
    assert.ok(isShop(await client.get("/products/1", { accept: "text/markdown, text/html" })));
    client.close();
    await proxy.stop();
  });

  test.run();
};
