import { suite } from "uvu";
import * as assert from "uvu/assert";
import { evolveCategory, renderCategory } from "../../projections/category.ts";
import type { CategoryRow } from "../../src/read-model/schema/rows.ts";
import { type Attributes, categoryDeleted, categoryUpserted } from "../helpers/events.ts";
import { at, eventOf, fold, ms, renderer, text, withoutHtml } from "./events.ts";
import { addFieldGroupCases } from "./last-write-wins.ts";

const test = suite("a category");

type Event = Parameters<typeof evolveCategory>[1];
const evolve = withoutHtml((row: CategoryRow | undefined, event: Event) =>
  evolveCategory(row, event, text),
);
const upserted = (data: Parameters<typeof categoryUpserted>[0], attributes: Attributes = at(1)) =>
  eventOf("shop.category.upserted", categoryUpserted(data, attributes));
const deleted = (attributes: Attributes = at(1)) =>
  eventOf("shop.category.deleted", categoryDeleted(1, attributes));

addFieldGroupCases<CategoryRow, Event>(test, {
  evolve,
  one: (attributes) => upserted({ name: "Shoes" }, attributes),
  other: (attributes) => upserted({ name: "Shoes", descriptionHtml: "<p>New</p>" }, attributes),
  deleted,
  contentOf: (row) => row?.content,
  changedAt: (row) => row?.contentChangedAt,
});

test("its own parent is rejected", () => {
  const result = evolve(undefined, upserted({ id: 1, parentId: 1 }));
  assert.is(result.outcome === "refused" && result.field, "data.parentId");
});

const changes: readonly (readonly [title: string, later: Event, since: number])[] = [
  ["a name", upserted({ name: "Boots" }, at(2)), 2],
  ["an address", upserted({ url: "https://shop.example/boots" }, at(2)), 2],
  ["a parent", upserted({ parentId: 7 }, at(2)), 2],
  ["the visibility", upserted({ active: false }, at(2)), 2],
  ["a deletion", deleted(at(2)), 2],
  ["no description", upserted({ descriptionHtml: "<p>New</p>" }, at(2)), 1],
];
for (const [title, later, since] of changes) {
  test(`${title} changes what other pages show of it at minute ${since}`, () => {
    assert.is(fold(evolve, [upserted({}), later])?.summaryChangedAt, ms(since));
  });
}

test("it remembers when it joined and left the lists of its parents", () => {
  const events = [upserted({ parentId: 7 }), upserted({ parentId: 8 }, at(3)), deleted(at(5))];
  assert.equal(fold(evolve, events)?.moves, [
    [7, ms(3)],
    [8, ms(5)],
  ]);
});

const html = "<p>Shoes</p>";
const other = "<p>Boots</p>";
const renderings: readonly (readonly [
  title: string,
  earlier: readonly Event[],
  event: Event,
  html: unknown,
])[] = [
  ["a first description is rendered", [], upserted({ descriptionHtml: html }), html],
  [
    "another description is rendered",
    [upserted({ descriptionHtml: html })],
    upserted({ descriptionHtml: other }, at(2)),
    other,
  ],
  [
    "the same description is not rendered again",
    [upserted({ descriptionHtml: html })],
    upserted({ name: "New", descriptionHtml: html }, at(2)),
    undefined,
  ],
  [
    "the same description at another URL is rendered again",
    [upserted({ descriptionHtml: html })],
    upserted({ url: "https://shop.example/boots", descriptionHtml: html }, at(2)),
    html,
  ],
  [
    "a description that is gone is not rendered",
    [upserted({ descriptionHtml: html })],
    upserted({}, at(2)),
    null,
  ],
  ["a tombstone is not rendered", [upserted({ descriptionHtml: html })], deleted(at(2)), null],
  [
    "the same description after a tombstone is rendered",
    [upserted({ descriptionHtml: html }), deleted(at(2))],
    upserted({ descriptionHtml: html }, at(3)),
    html,
  ],
];
for (const [title, earlier, event, expected] of renderings) {
  test(title, () => {
    const result = evolveCategory(fold(evolve, earlier), event, text);
    assert.is(result.outcome === "applied" && result.row.html, expected);
  });
}

test("a rendered description stays while its HTML is the same", () => {
  const html = "Shoes";
  const row = fold(evolve, [upserted({ descriptionHtml: html })]);
  assert.ok(row);
  const rendered = renderCategory(row, html, renderer);
  assert.is(rendered.content?.description, `text of ${html}`);
  assert.is(rendered.content?.pageMarkdown, `Markdown of ${html}`);
  const renamed = evolve(rendered, upserted({ name: "New", descriptionHtml: html }, at(2)));
  assert.is(
    renamed.outcome === "applied" && renamed.row.content?.pageMarkdown,
    `Markdown of ${html}`,
  );
  const changed = evolve(rendered, upserted({ descriptionHtml: other }, at(2)));
  assert.is(changed.outcome === "applied" && changed.row.content?.pageMarkdown, null);
});

test.run();
