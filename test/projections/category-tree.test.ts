import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildCategoryTree } from "../../projections/category-tree.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { categoryUpserted } from "../helpers/events.ts";
import { openModel } from "../helpers/model.ts";

const test = suite("the category tree");

test("a level of 150,000 categories is sorted like any other", async () => {
  const model = openModel();
  model.apply(categoryUpserted());
  const row = model.store.get(tables.categoryStates, 1);
  assert.ok(row);
  const rows = Array.from({ length: 150_000 }, (_, at) => [150_000 - at, row] as const);
  const tree = buildCategoryTree(rows, "en");
  assert.equal(
    tree.map(({ id }) => id),
    rows.map(([id]) => id).toReversed(),
  );
  await model.close();
});

test.run();
