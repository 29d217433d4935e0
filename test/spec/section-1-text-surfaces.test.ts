import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§1 text surfaces");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated(),
    categoryUpserted(),
    productUpserted({}, { time: "2026-10-03T10:00:00Z" }),
    pageUpserted(),
  );
});
test.after(({ service }) => service.close());

test("§1.3 product, category, CMS page and home page are served as Markdown without credentials", async ({
  service,
}) => {
  for (const path of ["/products/1", "/categories/1", "/pages/1", "/"]) {
    const response = await service.get(path, { accept: "text/markdown" });
    assert.is(response.status, 200, path);
    assert.match(response.headers.get("content-type") ?? "", "text/markdown");
  }
});

test("§1.3 the URL of a product page with .md appended is Markdown, whatever Accept says", async ({
  service,
}) => {
  for (const accept of ["*/*", "text/html"]) {
    const response = await service.get("/products/1.md", { accept });
    assert.is(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", "text/markdown");
  }
});

for (const path of ["/llms.txt", "/agent-sitemap.xml"]) {
  test(`§1.3 ${path} is GET, without credentials; POST is 405 with Allow`, async ({ service }) => {
    assert.is((await service.get(path)).status, 200);
    const response = await service.request(path, { method: "POST" });
    assert.is(response.status, 405);
    assert.match(response.headers.get("allow") ?? "", "GET");
  });
}

test("§1.4 each sitemap entry has a lastmod: the time of the shop's event", async ({ service }) => {
  const xml = await (await service.get("/agent-sitemap.xml")).text();
  const entries = [...xml.matchAll(/<url>.*?<\/url>/gs)].map(([entry]) => entry);
  assert.is(entries.length, 3);
  for (const entry of entries) assert.match(entry, /<lastmod>2026-10-0[13]T/);
  assert.match(xml, "/products/1.md</loc><lastmod>2026-10-03T10:00:00.000Z</lastmod>");
});

test.run();
