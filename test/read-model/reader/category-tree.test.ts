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

/** A reader that is kept, and how many rows of categories it reads. */
const watched = ({ store }: TestModel) => {
  const read = { rows: 0 };
  const get: Store["get"] = (table, key) => {
    if ((table as { readonly name: string }).name === tables.categories.name) read.rows += 1;
    return store.get(table, key);
  };
  return { reader: openReader({ ...store, get }), read };
};

const told = (moment: Snapshot) => ({
  all: moment.categories(),
  nearest: moment.topCategories(20),
  below: moment.subcategories(1),
});

test("categories are read once until anything but products changes", ({ model }) => {
  const { reader, read } = watched(model);
  reader.snapshot(told);
  read.rows = 0;
  model.apply(stockChanged({ productId: 1, quantity: 9 }));
  reader.snapshot(told);
  model.apply(productUpserted({ id: 2, categoryIds: [11] }));
  reader.snapshot(told);
  assert.is(read.rows, 0);
});

test("what a kept reader tells of categories is what a new one tells, whatever happened", ({
  model,
}) => {
  const { reader } = watched(model);
  reader.snapshot(told);
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
    const fresh = model.read((moment) => told(moment));
    assert.equal(reader.snapshot(told), openReader(model.store).snapshot(told));
    assert.equal(reader.snapshot(told), fresh);
    const { all, nearest, below } = reader.snapshot(told);
    assert.equal(nearest, { categories: all.slice(0, 20), total: all.length });
    assert.equal(
      below,
      all.filter(({ parentId }) => parentId === 1),
    );
    assert.equal(
      all,
      reader.snapshot((moment) => all.map(({ id }) => withoutDate(moment.category(id)))),
    );
  }
});

/** Lists do not date what they name: the date follows products too. */
const withoutDate = (category: ReturnType<Snapshot["category"]>) => {
  const { lastmod: _, ...named } = category ?? {};
  return named;
};

test("who is told what is kept is told, too, when a product has come since", ({ model }) => {
  const { reader } = watched(model);
  reader.snapshot(told);
  for (const ask of [
    (moment: Snapshot) => moment.categories(),
    (moment: Snapshot) => moment.topCategories(20),
    (moment: Snapshot) => moment.subcategories(1),
  ]) {
    const footprint = reader.snapshot((moment, asked) => {
      ask(moment);
      return asked;
    });
    model.apply(stockChanged({ productId: 1, quantity: 9 }));
    assert.is(footprint?.isCurrent(), true);
    model.apply(productUpserted({ id: nextId, categoryIds: [11] }));
    nextId += 1;
    assert.is(footprint?.isCurrent(), false);
  }
});

test.run();
