import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildPolicyDocument, evolvePage, renderPage } from "../../projections/page.ts";
import type { PageRow } from "../../src/read-model/schema/rows.ts";
import { type Attributes, pageDeleted, pageUpserted } from "../helpers/events.ts";
import { at, eventOf, fold, ms, renderer, text, withoutHtml } from "./events.ts";
import { addFieldGroupCases } from "./last-write-wins.ts";

const test = suite("a page");

type Event = Parameters<typeof evolvePage>[1];
const evolve = withoutHtml((row: PageRow | undefined, event: Event) =>
  evolvePage(row, event, text),
);
const upserted = (data: Parameters<typeof pageUpserted>[0], attributes: Attributes = at(1)) =>
  eventOf("shop.page.upserted", pageUpserted(data, attributes));
const deleted = (attributes: Attributes = at(1)) =>
  eventOf("shop.page.deleted", pageDeleted(1, attributes));

addFieldGroupCases<PageRow, Event>(test, {
  evolve,
  one: (attributes) => upserted({ title: "Imprint" }, attributes),
  other: (attributes) => upserted({ title: "Imprint", contentHtml: "<p>New</p>" }, attributes),
  deleted,
  contentOf: (row) => row?.content,
  changedAt: (row) => row?.contentChangedAt,
});

const policies: readonly (readonly [title: string, events: readonly Event[], at: number | null])[] =
  [
    [
      "a page that is no policy changes no policy",
      [upserted({}), upserted({ title: "New" }, at(2))],
      null,
    ],
    ["a new policy changes the policies", [upserted({ policy: "returns" })], 1],
    [
      "another content of a policy changes them",
      [upserted({ policy: "returns" }), upserted({ policy: "returns", title: "New" }, at(2))],
      2,
    ],
    [
      "the same content of a policy does not",
      [upserted({ policy: "returns" }), upserted({ policy: "returns" }, at(2))],
      1,
    ],
    [
      "a page that becomes a policy changes them",
      [upserted({}), upserted({ policy: "terms" }, at(2))],
      2,
    ],
    [
      "a page that is a policy no more changes them",
      [upserted({ policy: "terms" }), upserted({}, at(2))],
      2,
    ],
    ["an unpublished policy changes none", [upserted({ policy: "terms", published: false })], null],
    ["a deleted policy changes them", [upserted({ policy: "terms" }), deleted(at(2))], 2],
    ["a deletion before a page changes none", [deleted(at(1))], null],
  ];
for (const [title, events, minute] of policies) {
  test(title, () => {
    assert.is(fold(evolve, events)?.policyAt, minute === null ? null : ms(minute));
  });
}

test("its HTML is rendered when it changed", () => {
  const html = "Terms";
  const first = evolvePage(undefined, upserted({ contentHtml: html }), text);
  assert.ok(first.outcome === "applied");
  assert.is(first.row.html, html);
  const rendered = renderPage(first.row.row, html, renderer);
  assert.is(rendered.content?.summary, `summary of ${html}`);
  const same = evolvePage(rendered, upserted({ contentHtml: html, title: "New" }, at(2)), text);
  assert.ok(same.outcome === "applied");
  assert.is(same.row.html, undefined);
  assert.is(same.row.row.content?.pageMarkdown, `Markdown of ${html}`);
});

test("its relative links are resolved against its latest URL", () => {
  const html = "[Returns](returns)";
  const first = evolvePage(undefined, upserted({ url: "https://shop.example/a/b" }), text);
  assert.ok(first.outcome === "applied");
  const row = renderPage(first.row.row, html, renderer);
  assert.is(row.content?.pageMarkdown, "Markdown of [Returns](https://shop.example/a/returns)");
  const moved = upserted({ url: "https://shop.example/c/d" }, at(2));
  const second = evolvePage(row, moved, text);
  assert.ok(second.outcome === "applied" && typeof second.row.html === "string");
  const markdown = renderPage(second.row.row, html, renderer).content?.pageMarkdown;
  assert.is(markdown, "Markdown of [Returns](https://shop.example/c/returns)");
});

test("a published policy has a document, any other page has none", () => {
  const row = fold(evolve, [upserted({ policy: "terms" })]);
  assert.equal(buildPolicyDocument(1, row), {
    id: 1,
    title: "Page 1",
    url: "https://shop.example/pages/1",
    topic: "terms",
    summary: null,
  });
  const others = [
    [],
    [upserted({})],
    [upserted({ policy: "terms", published: false })],
    [deleted()],
  ];
  for (const events of others) {
    assert.is(buildPolicyDocument(1, fold(evolve, events)), undefined);
  }
});

test.run();
