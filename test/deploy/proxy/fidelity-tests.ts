import { brotliDecompressSync, gunzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import type { Answer } from "./https-client.ts";
import type { ProxyContext, ProxyTest } from "./proxy-context.ts";
import { agentPaths } from "./routing-tests.ts";

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

/** Tests that what Vitrine answers passes the proxy as it is. */
export const testFidelity = (test: ProxyTest): void => {
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
};
