import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { categoryUpserted, pageUpserted } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const test = suite("Markdown of pages and categories");

const html = '<h2>Sizes</h2><p><a href="/sizes">All sizes</a></p>';
const url = "https://shop.example/a/b";
const shown = "#### Sizes\n\n[All sizes](https://shop.example/sizes)";

const readShown = (model: TestModel) =>
  model.read((snapshot) => [snapshot.page(1)?.markdown, snapshot.categoryDetail(1)?.markdown]);

test("it is stored as the page shows it", async () => {
  const model = openModel();
  model.apply(
    pageUpserted({ id: 1, url, contentHtml: html }),
    categoryUpserted({ id: 1, url, descriptionHtml: html }),
  );
  assert.equal(readShown(model), [shown, shown]);
  const stored = [
    model.store.get(tables.pages, 1)?.content,
    model.store.get(tables.categoryStates, 1)?.content,
  ];
  assert.equal(
    stored.map((content) => content?.pageMarkdown),
    [shown, shown],
  );
  await model.close();
});

test.run();
