import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { Snapshot } from "../../../src/read-model/reader/reader.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import type { Store } from "../../../src/read-model/store/store.ts";
import {
  categoryDeleted,
  categoryUpserted,
  productDeleted,
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const test = suite<{ model: TestModel }>("category tree");

test.before.each((context) => {
  context.model = openModel();
  context.model.apply(
    settingsUpdated(),
    ...Array.from({ length: 300 }, (_, at) =>
      categoryUpserted({ id: at + 1, name: `C${at}`, parentId: at < 10 ? null : 1 + (at % 10) }),
    ),
    productUpserted({ id: 1, categoryIds: [11] }),
  );
});
test.after.each(({ model }) => model.close());

let nextId = 100;

const later = (minute: number) => ({
  time: new Date(Date.UTC(2026, 11, 1, 8, minute)).toISOString(),
});

/** A reader with a cache, and the number of category rows it reads. */
const watched = ({ store }: TestModel) => {
  const read = { rows: 0 };
  const get: Store["get"] = (table, key) => {
    if ((table as { readonly name: string }).name === tables.categories.name) read.rows += 1;
    return store.get(table, key);
  };
  return { reader: openReader({ ...store, get }), read };
};

const readAll = (snapshot: Snapshot) => ({
  all: snapshot.categories(),
  nearest: snapshot.topCategories(20),
  below: snapshot.subcategories(1),
});

test("categories are read once until something other than products changes", ({ model }) => {
  const { reader, read } = watched(model);
  reader.snapshot(readAll);
  read.rows = 0;
  model.apply(stockChanged({ productId: 1, quantity: 9 }));
  reader.snapshot(readAll);
  model.apply(productUpserted({ id: 2, categoryIds: [11] }));
  reader.snapshot(readAll);
  assert.is(read.rows, 0);
});

test("a reader with a cache gives the categories of a new reader, whatever happened", ({
  model,
}) => {
  const { reader } = watched(model);
  reader.snapshot(readAll);
  for (const event of [
    productUpserted({ id: 2, categoryIds: [11, 1] }),
    productPatched({ id: 2, categoryIds: [12] }, later(1)),
    productPatched({ id: 2, active: false }, later(2)),
    productPatched({ id: 2, active: true }, later(3)),
    productDeleted(1, later(4)),
    categoryUpserted({ id: 301, name: "A new one", parentId: 1 }),
    categoryUpserted({ id: 11, name: "Moved", parentId: 2 }, later(5)),
    categoryDeleted(21, later(6)),
    settingsUpdated({ language: "de" }, later(7)),
  ]) {
    model.apply(event);
    const fresh = model.read((snapshot) => readAll(snapshot));
    assert.equal(reader.snapshot(readAll), openReader(model.store).snapshot(readAll));
    assert.equal(reader.snapshot(readAll), fresh);
    const { all, nearest, below } = reader.snapshot(readAll);
    assert.equal(nearest, { categories: all.slice(0, 20), total: all.length });
    assert.equal(
      below,
      all.filter(({ parentId }) => parentId === 1),
    );
    assert.equal(
      all,
      reader.snapshot((snapshot) => all.map(({ id }) => withoutDate(snapshot.category(id)))),
    );
  }
});

/** Lists have no lastmod of the categories they name, because it follows products too. */
const withoutDate = (category: ReturnType<Snapshot["category"]>) => {
  const { lastmod: _, ...named } = category ?? {};
  return named;
};

test("a cached category list is in the footprint of a later product change", ({ model }) => {
  const { reader } = watched(model);
  reader.snapshot(readAll);
  for (const ask of [
    (snapshot: Snapshot) => snapshot.categories(),
    (snapshot: Snapshot) => snapshot.topCategories(20),
    (snapshot: Snapshot) => snapshot.subcategories(1),
  ]) {
    const footprint = reader.snapshot((snapshot, query) => {
      ask(snapshot);
      return query;
    });
    model.apply(stockChanged({ productId: 1, quantity: 9 }));
    assert.is(footprint?.isCurrent(), true);
    model.apply(productUpserted({ id: nextId, categoryIds: [11] }));
    nextId += 1;
    assert.is(footprint?.isCurrent(), false);
  }
});

test.run();
