import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { SitemapEntry } from "../../../src/read-model/reader/reader.ts";
import { markdownUrl } from "../../../src/surfaces/markdown/url.ts";
import {
  fitsOneFile,
  parsePartPath,
  partPath,
  type SitemapXmlEntry,
  sitemapIndex,
  sitemapLimits,
  splitIntoParts,
  toEntry,
  urlset,
} from "../../../src/surfaces/text/sitemap.ts";
import { escapeUrl } from "../../../src/text/markdown/escape.ts";
import { property } from "../../helpers/effort.ts";
import {
  categoryUpserted,
  pageUpserted,
  productDeleted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("agent sitemap");

test.before.each(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated(),
    categoryUpserted({ id: 2 }),
    productUpserted({ id: 7 }, { time: "2026-10-03T08:00:00Z" }),
    productUpserted({ id: 8, active: false }),
    pageUpserted({ id: 5 }),
  );
});
test.after.each(({ service }) => service.close());

const entries = async (service: TestServer): Promise<Record<string, string>> => {
  const xml = await (await service.get("/agent-sitemap.xml")).text();
  const found = [...xml.matchAll(/<url><loc>([^<]*)<\/loc><lastmod>([^<]*)<\/lastmod><\/url>/g)];
  return Object.fromEntries(found.map(([, loc, lastmod]) => [loc, lastmod]));
};

test("the sitemap lists every visible page by its Markdown URL, with the time of its event", async ({
  service,
}) => {
  assert.equal(await entries(service), {
    [`${baseUrl}/categories/2.md`]: "2026-10-01T08:00:00.000Z",
    [`${baseUrl}/pages/5.md`]: "2026-10-01T08:00:00.000Z",
    [`${baseUrl}/products/7.md`]: "2026-10-03T08:00:00.000Z",
  });
});

test("a change of availability moves lastmod, a change of quantity does not", async ({
  service,
}) => {
  const lastmod = async () => (await entries(service))[`${baseUrl}/products/7.md`];
  service.apply(stockChanged({ productId: 7, quantity: 3 }, { time: "2026-10-04T08:00:00Z" }));
  assert.is(await lastmod(), "2026-10-04T08:00:00.000Z");
  service.apply(stockChanged({ productId: 7, quantity: 2 }, { time: "2026-10-05T08:00:00Z" }));
  assert.is(await lastmod(), "2026-10-04T08:00:00.000Z");
  service.apply(productDeleted(7, { time: "2026-10-06T08:00:00Z" }));
  assert.is(await lastmod(), undefined);
});

test("every URL of the sitemap is served, with a Last-Modified equal to lastmod", async ({
  service,
}) => {
  for (const [url, lastmod] of Object.entries(await entries(service))) {
    const response = await service.get(url.slice(baseUrl.length));
    assert.is(response.status, 200, url);
    assert.is(response.headers.get("last-modified"), new Date(lastmod).toUTCString(), url);
  }
});

test("the sitemap is XML with a strong ETag that changes only with the pages", async ({
  service,
}) => {
  const first = await service.get("/agent-sitemap.xml");
  assert.match(first.headers.get("content-type") ?? "", /^application\/xml/);
  assert.match(
    await first.text(),
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="http:/,
  );
  const etag = first.headers.get("etag") ?? "";
  service.apply(stockChanged({ productId: 7, quantity: 0 }));
  assert.is((await service.get("/agent-sitemap.xml", { "if-none-match": etag })).status, 304);
  service.apply(productUpserted({ id: 9 }));
  assert.is((await service.get("/agent-sitemap.xml", { "if-none-match": etag })).status, 200);
});

test("more pages than one read takes are all listed, once each", async ({ service }) => {
  const ids = Array.from({ length: 2_500 }, (_, at) => 1_000 + at);
  service.apply(...ids.map((id) => productUpserted({ id })));
  assert.is(Object.keys(await entries(service)).length, 2_503);
});

test("a URL of hostile characters stays one URL", async ({ service }) => {
  service.apply(productUpserted({ id: 9, url: "https://shop.example/ü'&quot;]]?a=1&b='2'" }));
  const xml = await (await service.get("/agent-sitemap.xml")).text();
  const [, loc = ""] = /<loc>([^<]*%C3%BC[^<]*)<\/loc>/.exec(xml) ?? [];
  assert.match(loc, /^[\x21-\x7e]+$/);
  assert.not.match(loc, /&(?!(amp|quot|apos);)|['"]/);
  const url = loc.replaceAll("&apos;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  assert.is((await service.get(url.slice(baseUrl.length))).status, 200, url);
});

const change = (id: number, over: Partial<SitemapEntry> = {}): SitemapEntry => ({
  kind: "product",
  id,
  url: `https://shop.example/p/${id}`,
  lastmod: "2026-10-01T08:00:00.000Z",
  ...over,
});

const entriesOf = (changes: readonly SitemapEntry[]): SitemapXmlEntry[] =>
  changes.flatMap((entry) => toEntry(entry, baseUrl) ?? []);

const range = (from: number, length: number) => Array.from({ length }, (_, at) => from + at);

test("every URL is escaped as XML text, whatever its characters", () => {
  const text = (length: number) =>
    fc
      .array(fc.constantFrom(..."aZ09-._~:/?#[]@!$&'()*+,;=\"<>\\^`{|}% é𝄞"), { maxLength: length })
      .map((characters) => characters.join(""));
  fc.assert(
    fc.property(text(12), fc.constantFrom(baseUrl, `${baseUrl}/a&b'c`), (path, base) => {
      const url = `https://shop.example/${path}`;
      const written = escapeUrl(markdownUrl(base, url)).replace(
        /[&<>"']/g,
        (char) => entities[char] ?? "",
      );
      const [, loc] = /<loc>(.*)<\/loc>/.exec(toEntry(change(1, { url }), base)?.xml ?? "") ?? [];
      assert.is(loc, written);
    }),
    property(500),
  );
});

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

test("above 50,000 pages each page is in exactly one part, and no part has too many", () => {
  const ids = [...range(1, 60_000), ...range(7_000_000_000_000, 60_000)];
  const pages = entriesOf([change(3, { kind: "category" }), ...ids.map((id) => change(id))]);
  assert.not.ok(fitsOneFile(pages));
  const parts = splitIntoParts(pages);
  const held = parts.map(({ kind, from, to }) =>
    pages.filter((entry) => entry.kind === kind && entry.id >= from && entry.id <= to),
  );
  assert.ok(held.every((part) => part.length > 0 && fitsOneFile(part)));
  assert.is(held.flat().length, pages.length);
  assert.is(new Set(held.flat()).size, pages.length);
  for (const part of parts) {
    const { lastmod: _, ...named } = part;
    assert.equal(parsePartPath(partPath(part)), named);
    assert.match(sitemapIndex(parts, baseUrl), `<loc>${baseUrl}${partPath(part)}</loc>`);
  }
});

test("a part keeps its name and time while other parts change", () => {
  const at = (lastmod: string) => change(90_000, { lastmod });
  const before = splitIntoParts(entriesOf(range(1, 90_000).map((id) => change(id))));
  const edited = [...range(1, 89_999).map((id) => change(id)), at("2026-11-01T08:00:00.000Z")];
  const after = splitIntoParts(entriesOf(edited.filter(({ id }) => id % 1_000 !== 999)));
  assert.equal(after.slice(0, -1), before.slice(0, -1));
  assert.is(after.at(-1)?.lastmod, "2026-11-01T08:00:00.000Z");
});

test("a file stays under 50 MB and a URL under 2,048 characters", () => {
  const long = (id: number) =>
    change(id, { url: `https://shop.example/${"&".repeat(1_900)}${id}` });
  const pages = entriesOf(range(1, 12_000).map(long));
  assert.not.ok(fitsOneFile(pages));
  for (const { from, to } of splitIntoParts(pages)) {
    const part = urlset(pages.filter(({ id }) => id >= from && id <= to));
    assert.ok(Buffer.byteLength(part) <= sitemapLimits.bytes);
  }
  assert.equal(entriesOf([change(1, { url: `https://shop.example/${"x".repeat(2_048)}` })]), []);
});

test.run();
