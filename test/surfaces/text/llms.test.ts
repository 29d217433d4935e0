import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
} from "../../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { parse, textOf } from "../markdown/structure.ts";

const test = suite<{ service: TestServer }>("llms.txt");

test.before.each(async (context) => {
  context.service = await openTestServer();
});
test.after.each(({ service }) => service.close());

interface File {
  readonly name: string;
  readonly url: string;
  readonly note: string;
}

interface Llms {
  readonly title: string;
  readonly summary: string;
  readonly details: string;
  readonly sections: Readonly<Record<string, readonly File[]>>;
}

/** Parses by the grammar of llmstxt.org: one H1, a quote, blocks without headings, then H2 file lists. */
const read = (text: string): Llms => {
  const [title, summary, ...rest] = parse(text).children;
  assert.ok(title?.type === "heading" && title.depth === 1, "an H1 first");
  assert.is(summary?.type, "blockquote", "then a quote");
  const first = rest.findIndex(({ type }) => type === "heading");
  const [details, lists] = [rest.slice(0, first), rest.slice(first)];
  assert.is(lists.length % 2, 0, "each section is a heading and one list");
  const sections: Record<string, File[]> = {};
  for (let at = 0; at < lists.length; at += 2) {
    const [heading, list] = [lists[at], lists[at + 1]];
    assert.ok(heading?.type === "heading" && heading.depth === 2, "sections are H2");
    assert.ok(list?.type === "list" && !list.ordered, "a section is a list");
    sections[textOf(heading)] = list.children.map((item) => {
      const [paragraph, ...more] = item.children;
      assert.ok(paragraph?.type === "paragraph" && more.length === 0);
      const [link, ...note] = paragraph.children;
      assert.ok(link?.type === "link", "an item begins with a link");
      const noteText = note.map(textOf).join("");
      assert.match(noteText, /^(: .+)?$/s);
      return { name: textOf(link), url: link.url, note: noteText.slice(2) };
    });
  }
  assert.ok(title && summary);
  return {
    title: textOf(title),
    summary: textOf(summary),
    details: details.map(textOf).join("\n"),
    sections,
  };
};

const fetched = async (service: TestServer) => read(await (await service.get("/llms.txt")).text());

test("llms.txt follows the grammar of llmstxt.org and links to Markdown", async ({ service }) => {
  service.apply(
    settingsUpdated({ description: "Mugs & more." }),
    categoryUpserted({ id: 1, name: "Mugs" }),
    productUpserted({ categoryIds: [1] }),
    pageUpserted({ id: 5, title: "Returns", policy: "returns" }),
  );
  const { title, summary, details, sections } = await fetched(service);
  assert.is(title, "Example Shop");
  assert.match(summary, "Mugs & more. 1 product in 1 category; language en, prices in EUR");
  assert.match(details, "Accept: text/markdown");
  assert.equal(Object.keys(sections), ["Interfaces", "Policies", "Categories", "Optional"]);
  assert.equal(sections.Categories, [
    { name: "Mugs", url: `${baseUrl}/categories/1.md`, note: "1 product" },
  ]);
  assert.equal(sections.Policies, [
    { name: "Returns", url: `${baseUrl}/pages/5.md`, note: "What page 5 says." },
  ]);
  const notes = (sections.Interfaces ?? []).map(({ url, note }) => `${url} ${note}`).join("\n");
  for (const fact of [
    `${baseUrl}/graphql`,
    `${baseUrl}/agent/mcp`,
    `${baseUrl}/agent/changes?since=start`,
    "auth.md",
    "openapi.json",
    "api-catalog",
    "agent-skills",
  ]) {
    assert.match(notes, fact);
  }
});

test("every link of llms.txt to this server is served", async ({ service }) => {
  service.apply(settingsUpdated(), categoryUpserted(), pageUpserted({ policy: "terms" }));
  const files = Object.values((await fetched(service)).sections).flat();
  for (const { url } of files) {
    assert.ok(url.startsWith(`${baseUrl}/`), url);
    const response = await service.get(url.slice(baseUrl.length));
    await response.arrayBuffer();
    assert.is(response.status, 200, url);
  }
});

test("llms.txt exists before the first event", async ({ service }) => {
  const { title, sections } = await fetched(service);
  assert.is(title, "agents.shop.example");
  assert.equal(Object.keys(sections), ["Interfaces", "Optional"]);
});

test("llms.txt names the configured rate limit", async ({ service }) => {
  assert.match(
    await (await service.get("/llms.txt")).text(),
    "At most 1000000000 requests a minute",
  );
});

test("no text of a merchant breaks the grammar of llms.txt", async ({ service }) => {
  const text = "x](javascript:a)\n## H\n- [a](b)\n> q <b> `c` www.d.example: e";
  service.apply(
    settingsUpdated({ name: text, description: text }),
    categoryUpserted({ name: text }),
    pageUpserted({ title: text, policy: "other", contentHtml: `<p>${text}</p>` }),
  );
  const { sections } = await fetched(service);
  assert.equal(Object.keys(sections), ["Interfaces", "Policies", "Categories", "Optional"]);
  for (const { url } of Object.values(sections).flat()) assert.ok(url.startsWith(baseUrl), url);
});

test("llms.txt is Markdown with a strong ETag, and answers HEAD and 304", async ({ service }) => {
  service.apply(settingsUpdated());
  const response = await service.get("/llms.txt");
  assert.is(response.headers.get("content-type"), "text/markdown; charset=utf-8");
  const etag = response.headers.get("etag") ?? "";
  assert.match(etag, /^"/);
  assert.is((await service.get("/llms.txt", { "if-none-match": etag })).status, 304);
  assert.is((await service.request("/llms.txt", { method: "HEAD" })).status, 200);
  assert.is((await service.request("/llms.txt", { method: "POST" })).status, 405);
});

test("contract §8: the name of a link has no square bracket, because readers end it at the first one", async ({
  service,
}) => {
  const names = ["Zolba [Sale] & more", "Zumir](http://evil.example) b", "[[New]]", "a ] b [ c"];
  service.apply(
    settingsUpdated(),
    ...names.map((name, at) =>
      categoryUpserted({ id: at + 1, name, url: `https://shop.example/c/${at + 1}` }),
    ),
    pageUpserted({ id: 1, title: "Terms [2026]", policy: "terms" }),
  );
  const text = await (await service.get("/llms.txt")).text();
  const items = [...text.matchAll(/^- \[([^\]]*)\]\(([^)]*)\)/gm)];
  const addresses = items.map(([, , url]) => url);
  for (const at of names.keys()) assert.ok(addresses.includes(`${baseUrl}/c/${at + 1}.md`));
  assert.ok(items.some(([, name]) => name === "Zolba (Sale) & more"));
  assert.ok(items.some(([, name]) => name === "Terms (2026)"));
  for (const line of text.split("\n").filter((each) => each.startsWith("- [")))
    assert.is(line.slice(3).indexOf("]"), line.slice(3).indexOf("]("), line);
});

test.run();
