/** A page is rendered only for a client that gets its bytes or their number. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { pageReply } from "../../../src/http/routes/page-reply.ts";
import { createPage } from "../../../src/surfaces/markdown/document.ts";
import { serveHandler } from "../serve-handler.ts";

const test = suite<{
  request: (headers: Record<string, string>, method?: string) => Promise<Response>;
  renderings: { count: number };
  close: () => Promise<void>;
}>("replies with pages");

const location = {
  canonical: "https://shop.example/p/1",
  address: "https://agents.shop.example/p/1.md",
  lastModified: "2026-10-01T08:00:00.500Z",
};

test.before(async (context) => {
  const renderings = { count: 0 };
  const page = createPage(location, { name: "Mug" }, ({ name }) => {
    renderings.count++;
    return `# ${name}\n`;
  });
  const server = await serveHandler((exchange) => pageReply(exchange, page, { negotiated: true }));
  context.renderings = renderings;
  context.request = (headers, method = "GET") => fetch(server.url, { headers, method });
  context.close = server.close;
});
test.before.each(({ renderings }) => {
  renderings.count = 0;
});
test.after(({ close }) => close());

test("GET renders the page once, HEAD for its length and tokens", async ({
  request,
  renderings,
}) => {
  const get = await request({});
  assert.is(await get.text(), "# Mug\n");
  assert.is(renderings.count, 1);
  const head = await request({}, "HEAD");
  for (const name of ["content-length", "x-markdown-tokens", "etag", "link", "vary"])
    assert.is(head.headers.get(name), get.headers.get(name), name);
});

test("a 304 renders nothing and has the validators, Link, Vary and Cache-Control", async ({
  request,
  renderings,
}) => {
  const current = (await request({})).headers;
  const etag = current.get("etag") ?? "";
  renderings.count = 0;
  for (const method of ["GET", "HEAD"])
    for (const tag of [etag, `"other", ${etag}`, `W/${etag}`, etag.replace(/"$/, '.br"')]) {
      const { status, headers } = await request({ "if-none-match": tag }, method);
      assert.is(status, 304, tag);
      assert.is(stripEncoding(headers.get("etag")), etag);
      for (const name of ["last-modified", "link", "cache-control"])
        assert.is(headers.get(name), current.get(name), name);
      assert.is(headers.get("vary"), "Accept, Accept-Encoding");
    }
  assert.is(renderings.count, 0);
});

const stripEncoding = (etag: string | null) => etag?.replace('.br"', '"');

test("another ETag, and a precondition, are not answered before the page is rendered", async ({
  request,
  renderings,
}) => {
  const etag = (await request({})).headers.get("etag") ?? "";
  renderings.count = 0;
  assert.is((await request({ "if-none-match": '"other"' })).status, 200);
  assert.is((await request({ "if-none-match": etag, "if-match": '"other"' })).status, 200);
  assert.is(renderings.count, 2);
});

test("another source gives another ETag", async () => {
  const etags = await Promise.all(
    ["Mug", "Cup"].map(async (name) => {
      const page = createPage(location, { name }, () => "the same");
      const server = await serveHandler((exchange) =>
        pageReply(exchange, page, { negotiated: false }),
      );
      const { headers } = await fetch(server.url);
      await server.close();
      return headers.get("etag");
    }),
  );
  assert.is.not(etags[0], etags[1]);
});

test.run();
