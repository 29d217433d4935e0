import { suite } from "uvu";
import * as assert from "uvu/assert";
import { robotsTxt } from "../../../src/surfaces/text/robots.ts";
import { robotsUpdated } from "../../helpers/events.ts";
import { baseUrl, openTestServer } from "../../helpers/test-server.ts";

const test = suite("robots.txt");
const line = `Sitemap: ${baseUrl}/agent-sitemap.xml\n`;

test("robots.txt is the shop's text, with the agent sitemap when it names none", () => {
  assert.is(
    robotsTxt("User-agent: *\nDisallow: /cart", baseUrl),
    `User-agent: *\nDisallow: /cart\n\n${line}`,
  );
  assert.is(robotsTxt("User-agent: *\r\n", baseUrl), `User-agent: *\r\n\n${line}`);
});

test("a sitemap in the shop's text stays the only one", () => {
  for (const text of [
    "Sitemap: https://shop.example/s.xml\n",
    "User-agent: *\n  SITEMAP : /s.xml\n",
  ]) {
    assert.is(robotsTxt(text, baseUrl), text);
  }
});

test("a comment about a sitemap does not count", () => {
  assert.match(robotsTxt("# Sitemap: none\nSitemap:\n", baseUrl), line);
});

test("without a robots.txt of the shop everything is allowed", () => {
  assert.is(robotsTxt(undefined, baseUrl), `User-agent: *\nAllow: /\n\n${line}`);
});

test("robots.txt is served as text with validators, and follows the events", async () => {
  const service = await openTestServer();
  try {
    const first = await service.get("/robots.txt");
    assert.is(first.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.match(await first.text(), "Allow: /");
    service.apply(robotsUpdated("User-agent: GreedyBot\nDisallow: /\n"));
    const etag = first.headers.get("etag") ?? "";
    const second = await service.get("/robots.txt", { "if-none-match": etag });
    assert.is(second.status, 200);
    assert.is(await second.text(), `User-agent: GreedyBot\nDisallow: /\n\n${line}`);
  } finally {
    await service.close();
  }
});

test("robots.txt is served as text/plain with nosniff, also when it looks like HTML", async () => {
  const service = await openTestServer();
  try {
    service.apply(robotsUpdated("<script>alert(1)</script>\n"));
    const response = await service.get("/robots.txt", { accept: "text/html" });
    assert.is(response.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.is(response.headers.get("x-content-type-options"), "nosniff");
  } finally {
    await service.close();
  }
});

test.run();
