import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, robotsUpdated, settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { euros } from "./goods/situations.ts";

const test = suite("Contract 7, shared caching");

const sharedMaxAge = 60;
const query = `/graphql?query=${encodeURIComponent('{ product(id: "1") { product { name } } }')}`;
const publicPaths = [
  ...["/products/1.md", "/llms.txt", "/agent-sitemap.xml", "/robots.txt", query],
  ...["/graphql/schema.graphql", "/auth.md", "/.well-known/api-catalog", "/openapi.json"],
];

const withShop = async (
  options: { readonly sharedMaxAge: number },
  use: (server: TestServer) => Promise<void>,
): Promise<void> => {
  const server = await openTestServer(options);
  server.apply(settingsUpdated(), productUpserted({ id: 1 }), robotsUpdated("User-agent: *\n"));
  try {
    await use(server);
  } finally {
    await server.close();
  }
};

const cacheControl = async (server: TestServer, path: string, headers = {}): Promise<string> =>
  (await server.get(path, headers)).headers.get("cache-control") ?? "";

/** Returns the seconds for which a shared cache may answer with a reply, fresh or stale. */
const lifetime = (directives: string): number => {
  const seconds = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(directives)?.[1]);
  return seconds("s-maxage") + 2 * seconds("stale-while-revalidate");
};

test("Contract 7: a public reply may be shared for two seconds less than --shared-max-age", () =>
  withShop({ sharedMaxAge }, async (server) => {
    for (const path of publicPaths) {
      const directives = await cacheControl(server, path);
      assert.match(
        directives,
        /^public, max-age=(0|3600), s-maxage=30, stale-while-revalidate=14$/,
      );
      assert.is(lifetime(directives), sharedMaxAge - 2, path);
    }
  }));

test("Contract 7: a shared reply has no RateLimit header, the same CORS headers for all, and states the added age", () =>
  withShop({ sharedMaxAge }, async (server) => {
    for (const path of publicPaths) {
      const [alone, fromPage] = await Promise.all([
        server.get(path),
        server.get(path, { origin: "https://chat.example" }),
      ]);
      const names = [...alone.headers.keys()];
      assert.equal(
        names.filter((name) => name.startsWith("ratelimit")),
        [],
        path,
      );
      const cors = ["access-control-allow-origin", "access-control-expose-headers"];
      for (const name of cors) assert.is(alone.headers.get(name), fromPage.headers.get(name));
      assert.ok(alone.headers.has("access-control-expose-headers"), path);
    }
  }));

test("Contract 7: a 304 may be shared like its 200, and HEAD like GET", () =>
  withShop({ sharedMaxAge }, async (server) => {
    for (const path of publicPaths) {
      const { headers } = await server.get(path);
      const unchanged = await server.get(path, { "if-none-match": headers.get("etag") ?? "" });
      assert.is(unchanged.status, 304);
      const head = await server.request(path, { method: "HEAD" });
      for (const reply of [unchanged, head]) {
        assert.is(reply.headers.get("cache-control"), headers.get("cache-control"), path);
        assert.not(reply.headers.has("ratelimit-remaining"));
      }
    }
  }));

test("Contract 7: errors, tools, negotiated pages and the home page are not shared", () =>
  withShop({ sharedMaxAge }, async (server) => {
    const failing = `/graphql?query=${encodeURIComponent('{ product(id: "x") { none } }')}`;
    const rows: readonly (readonly [path: string, accept: string, directives: RegExp])[] = [
      ["/products/1", "text/markdown", /^private, no-cache$/],
      ["/", "text/html", /^private, no-cache$/],
      ["/", "text/markdown", /^private, no-cache$/],
      ["/products/1", "text/html", /^no-store$/],
      ["/products/99.md", "*/*", /^no-store$/],
      ["/agent/mcp", "application/json", /^no-store$/],
      [failing, "*/*", /^no-store$/],
    ];
    for (const [path, accept, directives] of rows) {
      const reply = await server.get(path, { accept });
      assert.match(reply.headers.get("cache-control") ?? "", directives, path);
      assert.ok(reply.headers.has("ratelimit-remaining"), path);
    }
    const post = await server.post({ query: "{ shop { name } }" });
    assert.is(post.headers.get("cache-control"), null);
  }));

test("Contract 7: no reply is shared past the next instant at which a price changes without an event", () =>
  withShop({ sharedMaxAge: 3_600 }, async (server) => {
    const start = Date.now() + 20_000;
    const [from, to] = [new Date(start), new Date(start + 86_400_000)];
    const sales = [{ price: euros("5.00"), from: from.toISOString(), to: to.toISOString() }];
    server.apply(productUpserted({ id: 2, price: euros("9.00"), sales }));
    for (const path of ["/products/1.md", "/products/2.md", "/llms.txt", query]) {
      const seconds = lifetime(await cacheControl(server, path));
      assert.ok(seconds > 5 && Date.now() + seconds * 1000 < start, `${path}: ${seconds}`);
    }
  }));

test("Contract 7: a reply that robots.txt denies to a named agent is not shared", () =>
  withShop({ sharedMaxAge }, async (server) => {
    server.apply(
      robotsUpdated("User-agent: GPTBot\nDisallow: /products/\n", { time: "2026-11-26T00:00:00Z" }),
    );
    assert.is(await cacheControl(server, "/products/1.md"), "no-cache");
    assert.match(await cacheControl(server, "/llms.txt"), /^public/);
    assert.is((await server.get("/products/1.md", { "user-agent": "GPTBot" })).status, 403);
  }));

for (const seconds of [0, 2]) {
  test(`Contract 7: with --shared-max-age ${seconds} no reply is public`, () =>
    withShop({ sharedMaxAge: seconds }, async (server) => {
      for (const path of publicPaths) {
        const reply = await server.get(path);
        assert.match(
          reply.headers.get("cache-control") ?? "",
          /^(no-cache|private, max-age=3600)$/,
        );
        assert.ok(reply.headers.has("ratelimit-remaining"), path);
      }
    }));
}

test.run();
