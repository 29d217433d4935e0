import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("contract §7");

test.before(async (context) => {
  const long = `<p>${"word ".repeat(1_000)}</p>`;
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated(),
    categoryUpserted({ descriptionHtml: long }),
    productUpserted({ descriptionHtml: long, categoryIds: [1] }),
    ...Array.from({ length: 20 }, (_, at) => productUpserted({ id: at + 2 })),
    pageUpserted({ contentHtml: long }),
    robotsUpdated(`User-agent: *\nAllow: /\n# ${"x".repeat(1_200)}\n`),
  );
});
test.after(({ service }) => service.close());

/** Documents made from the events of the shop, with the Accept header of the request. */
const shopPages: readonly (readonly [path: string, accept?: string])[] = [
  ["/", "text/html"],
  ["/", "text/markdown"],
  ["/products/1.md"],
  ["/products/1", "text/markdown"],
  ["/categories/1.md"],
  ["/pages/1.md"],
  ["/llms.txt"],
  ["/agent-sitemap.xml"],
  ["/robots.txt"],
];
const fixedDocuments = [
  "/graphql/schema.graphql",
  "/openapi.json",
  "/auth.md",
  "/agent/mcp/server-card",
  "/.well-known/api-catalog",
  "/.well-known/agent-skills/index.json",
  "/.well-known/agent-skills/check-stock/SKILL.md",
];

for (const [path, accept = "*/*"] of [
  ...shopPages,
  ...fixedDocuments.map((path) => [path] as const),
]) {
  const name = `${path} (${accept})`;
  const withAccept = (headers: Record<string, string> = {}) => ({ accept, ...headers });

  test(`contract §7: GET ${name} has a strong ETag, and a matching If-None-Match gets 304 without a body`, async ({
    service,
  }) => {
    const response = await service.get(path, withAccept());
    await response.arrayBuffer();
    const etag = response.headers.get("etag") ?? "";
    assert.match(etag, /^"[^"]+"$/);
    const held = await service.get(path, withAccept({ "if-none-match": etag }));
    assert.is(held.status, 304);
    assert.is(await held.text(), "");
    for (const header of ["etag", "vary", "cache-control", "api-version", "ratelimit-limit"]) {
      assert.ok(held.headers.get(header), header);
    }
  });

  test(`contract §7: HEAD ${name} has the headers of GET`, async ({ service }) => {
    const headers = withAccept({ "accept-encoding": "identity" });
    const get = await service.get(path, headers);
    await get.arrayBuffer();
    const head = await service.request(path, { method: "HEAD", headers });
    assert.is(head.status, 200);
    assert.is(await head.text(), "");
    for (const header of ["etag", "last-modified", "content-type", "content-length", "vary"]) {
      assert.is(head.headers.get(header), get.headers.get(header), header);
    }
  });

  test(`contract §7: GET ${name} is compressed by Accept-Encoding, has Vary, and allows any origin`, async ({
    service,
  }) => {
    for (const encoding of ["gzip", "br"]) {
      const response = await service.get(path, withAccept({ "accept-encoding": encoding }));
      assert.ok((await response.text()).length > 0);
      assert.is(response.headers.get("content-encoding"), encoding);
      assert.match(response.headers.get("vary") ?? "", "Accept-Encoding");
      assert.is(response.headers.get("access-control-allow-origin"), "*");
    }
  });
}

for (const [path, accept = "*/*"] of shopPages) {
  test(`contract §7: GET ${path} (${accept}) has the Last-Modified of an event`, async ({
    service,
  }) => {
    const response = await service.get(path, { accept });
    await response.arrayBuffer();
    assert.is(response.headers.get("last-modified"), "Thu, 01 Oct 2026 08:00:00 GMT");
  });
}

test.run();
