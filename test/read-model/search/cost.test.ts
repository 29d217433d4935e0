import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type TableName, tables } from "../../../src/read-model/schema/tables.ts";
import type { WritableTables } from "../../../src/read-model/store/store.ts";
import {
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const test = suite<{ model: TestModel }>("index cost of a change");

test.before.each((context) => {
  context.model = openModel();
  context.model.apply(
    ...Array.from({ length: 200 }, (_, at) =>
      productUpserted({ id: at + 1, name: `Lamp w${at}`, descriptionHtml: "<p>A fine lamp</p>" }),
    ),
  );
});
test.after.each(({ model }) => model.close());

/** All rows of the search index, as bytes. */
const words = ({ store }: TestModel): ReadonlyMap<string, string> => {
  store.refresh();
  const rows = new Map<string, string>();
  for (const name of [
    "postingLists",
    "postingBlocks",
    "stemForms",
    "spellings",
  ] satisfies readonly TableName[]) {
    for (const [key, value] of store.entries(tables[name] as (typeof tables)["postingLists"])) {
      const text = Buffer.isBuffer(value) ? Buffer.from(value).toString("hex") : String(value);
      if ([key].flat()[0]?.startsWith("w")) rows.set(`${name} ${key}`, text);
    }
  }
  return rows;
};

const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((row) => before.get(row) !== after.get(row))
    .sort();

test("a price or stock event writes no index row", ({ model }) => {
  const before = words(model);
  model.apply(priceChanged({ productId: 7 }), stockChanged({ productId: 8, quantity: 3 }));
  assert.equal(changed(before, words(model)), []);
});

test("an edit writes only the rows of words whose count changed", ({ model }) => {
  const before = words(model);
  model.apply(productPatched({ id: 7, name: "Lamp shade" }));
  assert.equal(changed(before, words(model)), ["postingLists ww6", "postingLists wshade"].sort());
});

for (const language of ["en", "de"]) {
  test(`in language ${language} an edit of one product writes nothing of other products`, ({
    model,
  }) => {
    model.apply(settingsUpdated({ language }));
    const { store } = model;
    const written: string[] = [];
    const note = ({ name }: { readonly name: string }, key: unknown) =>
      written.push(`${name} ${key}`);
    const { transaction } = store;
    Object.assign(store, {
      transaction: (write: (stored: WritableTables) => unknown) =>
        transaction((stored) =>
          write({
            ...stored,
            put(table, key, value) {
              note(table, key);
              stored.put(table, key, value);
            },
            remove(table, key) {
              note(table, key);
              stored.remove(table, key);
            },
          }),
        ),
    });
    model.apply(stockChanged({ productId: 8, orderable: true }), priceChanged({ productId: 7 }));
    assert.ok(written.includes("offers 7"));
    assert.not.ok(written.some((row) => row.startsWith("products ")));
    assert.ok(written.length < 40, `${written.length} rows were written`);
  });
}

test("the index rows of a product are removed with it", ({ model }) => {
  const before = words(model);
  model.apply(productUpserted({ id: 999, name: "Unheard of" }));
  assert.not.equal(changed(before, words(model)), []);
  model.apply(productDeleted(999));
  assert.equal(changed(before, words(model)), []);
});

test.run();
