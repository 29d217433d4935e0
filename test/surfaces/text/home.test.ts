import { createHash } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { settingsUpdated } from "../../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("the home page in a browser");

test.before.each(async (context) => {
  context.service = await openTestServer();
  context.service.apply(settingsUpdated());
});
test.after.each(({ service }) => service.close());

const chrome = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

test("the home page shows a person the shop and its surfaces", async ({ service }) => {
  const response = await service.get("/", { accept: chrome });
  assert.is(response.status, 200);
  assert.is(response.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(response.headers.get("vary") ?? "", /\bAccept\b/);
  const html = await response.text();
  assert.match(html, "<h1>Example Shop</h1>");
  for (const path of ["/graphql", "/llms.txt", "/agent-sitemap.xml", "/auth.md", "/openapi.json"]) {
    assert.match(html, `href="${baseUrl}${path}"`);
  }
});

test("every URL on the home page is served", async ({ service }) => {
  const html = await (await service.get("/", { accept: chrome })).text();
  const listed = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href ?? "");
  const own = listed.filter((href) => href.startsWith(baseUrl));
  assert.ok(own.length > 8);
  for (const href of own) {
    const response = await service.get(href.slice(baseUrl.length), { accept: chrome });
    await response.arrayBuffer();
    assert.is(response.status, 200, href);
  }
});

test("the home page runs one script, by its hash, and loads nothing", async ({ service }) => {
  const response = await service.get("/", { accept: chrome });
  const html = await response.text();
  assert.not.match(html, /\son\w+=|<img|<iframe|@import|url\(/i);
  const policy = response.headers.get("content-security-policy") ?? "";
  assert.match(policy, "default-src 'none'");
  for (const element of ["style", "script"]) {
    const [content = "", ...more] = html.split(`<${element}>`).slice(1);
    assert.equal(more, [], element);
    const [text = ""] = content.split(`</${element}>`);
    const hash = createHash("sha256").update(text).digest("base64");
    assert.match(policy, `${element}-src 'sha256-${hash}';`);
  }
});

test("the home page supports phones, and light and dark mode", async ({ service }) => {
  const html = await (await service.get("/", { accept: chrome })).text();
  assert.match(html, 'name="viewport" content="width=device-width');
  assert.match(html, "prefers-color-scheme:dark");
});

test("text of the shop is escaped", async ({ service }) => {
  const name = `</h1><script>alert(1)</script> "x" 'y' & <b>\u202e`;
  service.apply(settingsUpdated({ name }, { time: "2026-10-02T08:00:00Z" }));
  const html = await (await service.get("/", { accept: chrome })).text();
  assert.not.match(html, /<script>alert|<b>|\u202e/);
  assert.match(html, "&#60;script&#62;alert(1)");
});

test("the home page has Link headers for programs", async ({ service }) => {
  for (const accept of [chrome, "text/markdown", "*/*"]) {
    const link = (await service.get("/", { accept })).headers.get("link") ?? "";
    for (const rel of ["api-catalog", "service-desc", "service-doc", "canonical", "alternate"]) {
      assert.match(link, `rel="${rel}"`, accept);
    }
  }
});

test("without Accept and for */* the home page is HTML; for JSON alone it is 406", async ({
  service,
}) => {
  const type = async (accept: string) => {
    const response = await service.get("/", { accept });
    return `${response.status} ${response.headers.get("content-type")?.split(";")[0]}`;
  };
  assert.is(await type("*/*"), "200 text/html");
  assert.is(await type(""), "200 text/html");
  assert.is(await type("text/markdown"), "200 text/markdown");
  assert.is(await type("application/json"), "406 application/json");
});

test.run();
