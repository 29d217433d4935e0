import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../../src/events/envelope.ts";
import { applyBatch } from "../../../../src/projector/batch/batch.ts";
import { createHtmlRenderer } from "../../../../src/projector/rendering/index.ts";
import { tables } from "../../../../src/read-model/schema/tables.ts";
import { inStockKey } from "../../../../src/read-model/search/postings/list-keys.ts";
import type { Store } from "../../../../src/read-model/store/store.ts";
import {
  categoryUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  recordOf,
  settingsUpdated,
  stockChanged,
  variantUpserted,
} from "../../../helpers/events.ts";
import { identity, openModel } from "../../../helpers/model.ts";

const test = suite("rows of a product that events write");

const documents: readonly string[] = [tables.products, tables.offers, tables.variants].map(
  ({ name }) => name,
);
const at = (minute: number) => ({ time: new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString() });
const money = (amount: string) => ({ amount, currency: "EUR" });

/** Applies events to a store, each at a later minute. @returns the documents that were written or removed */
const writesOf = (store: Store, sequence: number, ...events: readonly CloudEvent[]) => {
  const written = new Set<string>();
  const record = (table: string, key: unknown): void => {
    if (documents.includes(table)) written.add(`${table} ${key}`);
  };
  const recording: Store = {
    ...store,
    transaction: (write) =>
      store.transaction((stored) =>
        write({
          ...stored,
          put(table, key, value) {
            record(table.name, key);
            stored.put(table, key, value);
          },
          remove(table, key) {
            record(table.name, key);
            return stored.remove(table, key);
          },
        }),
      ),
  };
  const records = events.map((event, index) =>
    recordOf({ ...event, ...at(sequence + index) }, sequence + index),
  );
  applyBatch(recording, records, { identity, rendering: createHtmlRenderer() });
  store.refresh();
  return [...written].sort();
};

/** A shop with one product, with and without a variant. */
const product = { id: 1, categoryIds: [1] };
const variant = (data: Parameters<typeof variantUpserted>[0] = {}) =>
  variantUpserted({
    ...{ id: 5, productId: 1, sku: "S", options: [{ name: "Size", value: "M" }] },
    ...data,
  });
const [base, sold] = [
  [settingsUpdated(), categoryUpserted({ id: 1 }), productUpserted(product)],
  stockChanged({ productId: 1, quantity: 3 }),
];

const cases: readonly (readonly [
  title: string,
  before: readonly CloudEvent[],
  event: CloudEvent,
  written: readonly string[],
])[] = [
  ["a price", base, priceChanged({ productId: 1, price: money("3.00") }), ["offers 1"]],
  ["stock that can be ordered", base, sold, ["offers 1"]],
  [
    "a quantity that is not shown",
    [...base, sold],
    stockChanged({ productId: 1, quantity: 2 }),
    [],
  ],
  [
    "an upsert with another price",
    base,
    productUpserted({ ...product, price: money("4.00") }),
    ["offers 1"],
  ],
  ["an upsert without a change", base, productUpserted(product), []],
  ["a name", base, productPatched({ id: 1, name: "Other" }), ["products 1"]],
  ["another name of a category", base, categoryUpserted({ id: 1, name: "Other" }), ["products 1"]],
  ["a name of the shop", base, settingsUpdated({ name: "Other" }), []],
  ["a first variant", base, variant(), ["offers 1", "products 1", "variants 1"]],
  [
    "the texts of a variant",
    [...base, variant()],
    variant({ sku: "T" }),
    ["offers 1", "variants 1"],
  ],
  [
    "the price of a variant",
    [...base, variant()],
    priceChanged({ productId: 1, variantId: 5, price: money("5.00") }),
    ["offers 1", "variants 1"],
  ],
  ["a deletion", [...base, variant()], productDeleted(1), ["offers 1", "products 1", "variants 1"]],
];

for (const [title, before, event, written] of cases) {
  test(`${title}: ${written.join(", ") || "none"}`, async () => {
    const model = openModel();
    writesOf(model.store, 1, ...before);
    assert.equal(writesOf(model.store, before.length + 1, event), written);
    await model.close();
  });
}

test("an event of stock alone moves a product into the posting list of those in stock, and out of it", async () => {
  const { store, close } = openModel();
  const isListed = () => store.has(tables.postingLists, inStockKey);
  writesOf(store, 1, ...base);
  assert.is(isListed(), false);
  writesOf(store, base.length + 1, sold);
  assert.is(isListed(), true);
  writesOf(store, base.length + 2, stockChanged({ productId: 1, quantity: 0 }));
  assert.is(isListed(), false);
  await close();
});

test.run();
