/** Categories and CMS pages are found by the words of their names, after any sequence of events. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tables } from "../../../src/read-model/schema/tables.ts";
import {
  categoryUpserted,
  pageDeleted,
  pageUpserted,
  settingsUpdated,
} from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const test = suite<{ model: TestModel }>("pages by words");

const at = (minute: number) => ({ time: new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString() });

test.before.each((context) => {
  context.model = openModel();
  context.model.apply(
    settingsUpdated({}, at(0)),
    pageUpserted(
      { id: 1, title: "Returns", contentHtml: "<p>Send goods back in 30 days.</p>" },
      at(1),
    ),
    pageUpserted(
      { id: 2, title: "Shipping costs", contentHtml: "<p>Returns are free.</p>" },
      at(1),
    ),
    categoryUpserted({ id: 1, name: "Kids" }, at(1)),
    categoryUpserted({ id: 2, name: "Shoes", parentId: 1 }, at(1)),
    categoryUpserted({ id: 3, name: "Winter shoes", parentId: 2 }, at(1)),
    categoryUpserted({ id: 4, name: "Hoses", parentId: 5 }, at(1)),
    categoryUpserted({ id: 5, name: "Garden" }, at(1)),
  );
});
test.after.each(({ model }) => model.close());

const find = (model: TestModel, query: string, limit = 10): readonly string[] =>
  model.read((snapshot) =>
    snapshot
      .findPages(query, limit)
      .map(({ kind, id, isComplete }) => `${kind} ${id}${isComplete ? "" : " (partly)"}`),
  );

const queries: readonly (readonly [query: string, found: readonly string[]])[] = [
  ["return", ["page 1", "page 2"]],
  ["the returns of a page", ["page 1 (partly)", "page 2 (partly)"]],
  ["shipping", ["page 2"]],
  ["30 days", ["page 1"]],
  ["shoe", ["category 2", "category 3"]],
  ["winter shoe", ["category 3", "category 2 (partly)"]],
  ["kids shoes", ["category 2", "category 3", "category 1 (partly)"]],
  ["garden", ["category 5", "category 4"]],
  ["one two three shoe", []],
  ["the", []],
  ["", []],
  ["xyz", []],
];
for (const [query, expected] of queries) {
  test(`"${query}" finds ${expected.join(", ") || "nothing"}`, ({ model }) => {
    assert.equal(find(model, query), expected);
  });
}

test("own names come before any number of weaker matches with lower ids", ({ model }) => {
  const ids = Array.from({ length: 40 }, (_, index) => 100 + index);
  model.apply(
    categoryUpserted({ id: 300, name: "Clothing" }, at(2)),
    ...ids.map((id) => categoryUpserted({ id, name: `Part ${id}`, parentId: 300 }, at(2))),
    ...ids.map((id) =>
      pageUpserted({ id, title: `Note ${id}`, contentHtml: "<p>About refunds.</p>" }, at(2)),
    ),
    pageUpserted({ id: 300, title: "Refunds" }, at(2)),
  );
  assert.is(find(model, "clothing", 5)[0], "category 300");
  assert.is(find(model, "refund", 5)[0], "page 300");
});

test("the limit keeps the best", ({ model }) => {
  assert.equal(find(model, "winter shoe", 1), ["category 3"]);
});

test("a page that is renamed, unpublished or deleted is not found by its old words", ({
  model,
}) => {
  model.apply(pageUpserted({ id: 1, title: "Terms", contentHtml: "<p>All.</p>" }, at(2)));
  assert.equal(find(model, "goods"), []);
  assert.equal(find(model, "terms"), ["page 1"]);
  model.apply(pageUpserted({ id: 1, title: "Terms", published: false }, at(3)));
  assert.equal(find(model, "terms"), []);
  model.apply(pageDeleted(2, at(3)));
  assert.equal(find(model, "shipping"), []);
  assert.equal([...model.store.keys(tables.pageWords)], []);
  const titles = [...model.store.keys(tables.titleWords)].map(([, kind]) => kind);
  assert.not.ok(titles.includes("page"));
});

test("a new language of the shop replaces the stems", ({ model }) => {
  model.apply(
    pageUpserted({ id: 3, title: "Häuser", contentHtml: "<p>x</p>" }, at(2)),
    settingsUpdated({ language: "de" }, at(3)),
  );
  assert.equal(find(model, "Haus"), ["page 3"]);
  model.apply(settingsUpdated({ language: "en" }, at(4)));
  assert.equal(find(model, "Haus"), []);
  assert.equal(find(model, "Häuser"), ["page 3"]);
});

test.run();
