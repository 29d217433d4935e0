import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { VitrineError } from "../../../src/errors.ts";
import { applyBatch, openBatch } from "../../../src/projector/batch/batch.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import {
  carrierDeleted,
  carrierUpserted,
  categoryDeleted,
  categoryUpserted,
  cloudEvent,
  pageDeleted,
  pageUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  recordOf,
  robotsUpdated,
  settingsUpdated,
  stockChanged,
  tokenRegenerated,
  tokenRevoked,
  variantUpserted,
} from "../../helpers/events.ts";
import { identity, openModel, type TestModel } from "../../helpers/model.ts";

const test = suite<{ model: TestModel }>("apply");

test.before.each((context) => {
  context.model = openModel();
});
test.after.each(({ model }) => model.close());

const at = (minute: number) => ({ time: new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString() });
const product = (model: TestModel, id = 1) => model.read((snapshot) => snapshot.product(id));

test("every query shows a batch of one event of each type", ({ model }) => {
  model.apply(
    settingsUpdated(),
    categoryUpserted({ id: 3, name: "Shoes" }),
    productUpserted({ id: 7, categoryIds: [3], gtin: "4006381333931" }),
    stockChanged({ productId: 7 }),
    pageUpserted({ id: 2, policy: "returns" }),
    carrierUpserted({ id: 9 }),
    robotsUpdated("User-agent: *\nDisallow:"),
    tokenRegenerated("my agent", 4),
  );
  model.read((snapshot) => {
    assert.is(snapshot.shop()?.name, "Example Shop");
    assert.is(snapshot.product(7)?.offer.availability, "IN_STOCK");
    assert.equal(snapshot.product(7)?.text.categoryIds, [3]);
    assert.equal(
      snapshot.categories().map(({ name, depth, productCount }) => [name, depth, productCount]),
      [["Shoes", 1, 1]],
    );
    assert.equal(snapshot.policies(), [
      {
        id: 2,
        title: "Page 2",
        url: "https://shop.example/pages/2",
        topic: "returns",
        summary: "What page 2 says.",
      },
    ]);
    assert.is(snapshot.page(2)?.markdown, "### Page 2\n\nWhat page 2 says.");
    assert.is(snapshot.carriers()[0]?.name, "Carrier 9");
    assert.is(snapshot.robots()?.text, "User-agent: *\nDisallow:");
    assert.equal(snapshot.agent("my agent"), { label: "my agent", tokenEpoch: 4, revoked: false });
    assert.equal(snapshot.address("/products/7"), { kind: "product", id: 7 });
    assert.equal(snapshot.counts(), { products: 1, inStock: 1, stockedCategories: 1 });
  });
});

/** Two times of one millisecond that differ in their microseconds. */
const late = { time: "2026-10-01T08:00:00.123900Z" };
const early = { time: "2026-10-01T08:00:00.123100Z" };

test("an older event of the same millisecond changes nothing, of any type", ({ model }) => {
  const money = (amount: string) => ({ amount, currency: "EUR" });
  model.apply(
    settingsUpdated({ name: "New" }, late),
    robotsUpdated("User-agent: new", late),
    productUpserted({ id: 1, name: "New" }, late),
    productUpserted({ id: 2 }, { time: "2026-10-01T08:00:00Z" }),
    productPatched({ id: 2, name: "New" }, late),
    priceChanged({ productId: 2, price: money("20.00") }, late),
    stockChanged({ productId: 2, quantity: 0 }, late),
    categoryUpserted({ id: 1, name: "New" }, late),
    pageUpserted({ id: 1, title: "New" }, late),
    carrierUpserted({ id: 1, name: "New" }, late),
    tokenRegenerated("agent", 4, late),
  );
  const { stale, applied } = model.apply(
    settingsUpdated({ name: "Old" }, early),
    robotsUpdated("User-agent: old", early),
    productUpserted({ id: 1, name: "Old" }, early),
    productPatched({ id: 2, name: "Old" }, early),
    priceChanged({ productId: 2, price: money("15.00") }, early),
    stockChanged({ productId: 2, quantity: 7 }, early),
    categoryUpserted({ id: 1, name: "Old" }, early),
    pageUpserted({ id: 1, title: "Old" }, early),
    carrierUpserted({ id: 1, name: "Old" }, early),
    tokenRegenerated("agent", 5, early),
  );
  assert.equal([stale, applied], [10, 0]);
  model.read((snapshot) => {
    assert.is(snapshot.shop()?.name, "New");
    assert.is(snapshot.robots()?.text, "User-agent: new");
    assert.equal([snapshot.product(1)?.text.name, snapshot.product(2)?.text.name], ["New", "New"]);
    assert.equal(snapshot.product(2)?.offer.price, money("20.00"));
    assert.is(snapshot.product(2)?.offer.availability, "OUT_OF_STOCK");
    assert.is(snapshot.categories()[0]?.name, "New");
    assert.is(snapshot.page(1)?.title, "New");
    assert.is(snapshot.carriers()[0]?.name, "New");
    assert.is(snapshot.agent("agent")?.tokenEpoch, 4);
  });
});

test("an older event of the same millisecond does not bring a deleted product back", ({
  model,
}) => {
  model.apply(productUpserted({}, at(-1)), productDeleted(1, late));
  assert.is(model.apply(productUpserted({}, early)).stale, 1);
  assert.is(product(model), undefined);
  model.apply(productUpserted({ name: "Back" }, { time: "2026-10-01T08:00:00.1239001Z" }));
  assert.is(product(model)?.text.name, "Back");
});

test("of two prices of one millisecond the newer one counts, whichever event type it came in", ({
  model,
}) => {
  const price = { amount: "1.00", currency: "EUR" };
  model.apply(productUpserted({ price }, late), priceChanged({}, early));
  assert.equal(product(model)?.offer.price, price);
  model.apply(
    priceChanged({ productId: 2, price }, late),
    productUpserted({ id: 2, price: { amount: "2.00", currency: "EUR" } }, early),
  );
  assert.equal(product(model, 2)?.offer.price, price);
});

test("a queued patch is applied when it is newer by microseconds, and dropped when it is older", ({
  model,
}) => {
  model.apply(productPatched({ id: 1, name: "Patched" }, late), productUpserted({ id: 1 }, early));
  assert.is(product(model)?.text.name, "Patched");
  model.apply(productPatched({ id: 2, name: "Patched" }, early), productUpserted({ id: 2 }, late));
  assert.is(product(model, 2)?.text.name, "Product 2");
});

test("an event with the id of another source has its own sequence", ({ model }) => {
  const same = { id: "1", time: "2026-10-01T08:00:00Z" };
  model.apply(stockChanged({ quantity: 0 }, { ...same, source: "/a", sequence: 5 }));
  model.apply(stockChanged({ quantity: 0 }, { ...same, source: "/b", sequence: 7 }));
  assert.is(model.apply(stockChanged({ quantity: 3 }, { id: "2", sequence: 6 })).stale, 1);
});

test("a batch is full by the HTML it has to render, long before its bytes are many", ({
  model,
}) => {
  const context = { identity, rendering: createHtmlRenderer() };
  const descriptionHtml = "<b>x</b>".repeat(32_768);
  const records = Array.from({ length: 8 }, (_, at) =>
    recordOf(productUpserted({ id: 1 + at, descriptionHtml }), 1 + at),
  );
  const folding = openBatch(model.store, context);
  folding.add(records.slice(0, 7));
  assert.is(folding.isFull(), false);
  folding.add(records.slice(7));
  assert.is(folding.isFull(), true);
  const other = openBatch(model.store, context);
  other.add(
    records.map((_, at) =>
      recordOf(productUpserted({ id: 1 + at, name: "x".repeat(1_000) }), 1 + at),
    ),
  );
  assert.is(other.isFull(), false);
});

test("prices of many variants of few products fill a batch later than those of as many products", ({
  model,
}) => {
  const pricesOf = (variants: number) =>
    Array.from({ length: 12_000 }, (_, index) => {
      const [productId, variantId] = [1 + Math.floor(index / variants), 1 + (index % variants)];
      return recordOf(priceChanged({ productId, variantId }), 1 + index);
    });
  for (const [variants, isFull] of [
    [10, false],
    [1, true],
  ] as const) {
    const folding = openBatch(model.store, { identity, rendering: createHtmlRenderer() });
    folding.add(pricesOf(variants));
    assert.is(folding.isFull(), isFull);
  }
});

test("a batch is full of variants of many products", ({ model }) => {
  const folding = openBatch(model.store, { identity, rendering: createHtmlRenderer() });
  const records = Array.from({ length: 8_192 }, (_, index) =>
    recordOf(variantUpserted({ productId: 1 + index, id: 1 }, at(1)), 1 + index),
  );
  assert.ok(folding.add(records.slice(0, 2_000)).length === 0 && !folding.isFull());
  folding.add(records.slice(2_000));
  assert.is(folding.isFull(), true);
});

for (const [title, event] of [
  ["alone", (id: number, name: string) => variantUpserted({ productId: 1, id, name }, at(1))],
  [
    "in lists",
    (id: number, name: string) => productUpserted({ id, variants: [{ id: 1, name }] }, at(1)),
  ],
] as const) {
  test(`a batch is full of the texts of variants that are stated ${title}`, ({ model }) => {
    const folding = openBatch(model.store, { identity, rendering: createHtmlRenderer() });
    const records = Array.from({ length: 12_000 }, (_, index) =>
      recordOf(event(1 + index, `Model ${index} `.repeat(20)), 1 + index),
    );
    const left = folding.add(records);
    assert.is(folding.isFull(), true);
    assert.ok(left.length > 6_000 && left.length < 11_000, `${left.length} were left`);
  });
}

test("the checkpoint keeps the identity that a check of the log wrote while the batch was open", ({
  model,
}) => {
  model.apply(settingsUpdated());
  const other = { ...identity, created: "2026-11-01T00:00:00.000Z" };
  const folded = openBatch(model.store, { identity, rendering: createHtmlRenderer() });
  folded.add([recordOf(productUpserted({ id: 1 }), 2)]);
  model.store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    assert.ok(checkpoint);
    stored.put(tables.meta, "checkpoint", { ...checkpoint, identity: other });
  });
  model.store.transaction((stored) => folded.commit(stored));
  assert.equal(model.store.get(tables.meta, "checkpoint")?.identity, other);
});

/** A product with so many words that twenty of them fill a batch. */
const wordy = (id: number) =>
  productUpserted({
    id,
    specifications: Array.from({ length: 10 }, (_, at) => ({
      name: `${at}`,
      value: "lamp ".repeat(2_000),
    })),
  });

const twentyFive = Array.from({ length: 25 }, (_, at) => 1 + at);

for (const [what, event] of [
  ["are deleted", (id: number) => productDeleted(id, at(5))],
  ["are hidden", (id: number) => productPatched({ id, active: false }, at(5))],
  ["say something else", (id: number) => productPatched({ id, name: "Another" }, at(5))],
] as const) {
  test(`within a chunk of small events a batch is full by the words of products that ${what}`, ({
    model,
  }) => {
    model.apply(...twentyFive.map(wordy));
    const folding = openBatch(model.store, { identity, rendering: createHtmlRenderer() });
    const records = twentyFive.map((id) => recordOf(event(id), 25 + id));
    const left = folding.add(records);
    assert.is(folding.isFull(), true);
    assert.ok(left.length > 0 && left.length < 25, `${left.length} were left`);
    assert.equal(left, records.slice(-left.length));
    const written = model.store.transaction((stored) => folding.commit(stored));
    assert.is(written.checkpoint.sequence, (left[0]?.sequence ?? 0) - 1);
    assert.is(written.redelivered, 0);
  });
}

test("repeated events of one product do not fill a batch", ({ model }) => {
  const context = { identity, rendering: createHtmlRenderer() };
  model.apply(...twentyFive.map(wordy));
  const folding = openBatch(model.store, context);
  const often = twentyFive.map((minute) =>
    recordOf(productPatched({ id: 1, name: `Name ${minute}` }, at(5 + minute)), 25 + minute),
  );
  assert.is(folding.add(often).length, 0);
  assert.is(folding.isFull(), false);
});

test("events at or before the checkpoint are redeliveries and change nothing", ({ model }) => {
  const records = [recordOf(productUpserted({ id: 1 }), 1), recordOf(productDeleted(1, at(5)), 2)];
  model.deliver(records);
  const before = model.digest();
  const again = model.deliver(records);
  assert.is(again.redelivered, 2);
  assert.equal(model.digest(), before);
});

test("an older event that arrives late is stale and changes nothing", ({ model }) => {
  model.apply(productUpserted({ name: "New" }, at(10)));
  const batch = model.apply(productUpserted({ name: "Old", price: null }, at(5)));
  assert.is(batch.stale, 1);
  assert.is(product(model)?.text.name, "New");
  assert.is(product(model)?.offer.price?.amount, "12.90");
});

test("the shop's sequence outranks time, as a number when both are digits", ({ model }) => {
  model.apply(productUpserted({ name: "Nine" }, { ...at(10), sequence: "9" }));
  model.apply(productUpserted({ name: "Ten" }, { ...at(5), sequence: "10" }));
  assert.is(product(model)?.text.name, "Ten");
  const batch = model.apply(productUpserted({ name: "Two" }, { ...at(30), sequence: "2" }));
  assert.is(batch.stale, 1);
});

test("sequences that are not numbers compare as text", ({ model }) => {
  model.apply(stockChanged({ quantity: 5 }, { ...at(10), sequence: "b" }));
  assert.is(model.apply(stockChanged({ quantity: 0 }, { ...at(20), sequence: "a" })).stale, 1);
});

test("of two events of the same time the later one in the log counts", ({ model }) => {
  model.apply(
    productUpserted({ name: "First" }, at(1)),
    productUpserted({ name: "Second" }, at(1)),
  );
  assert.is(product(model)?.text.name, "Second");
});

test("an event that was appended twice is counted as repeated", ({ model }) => {
  const event = productUpserted({ id: 1 });
  model.apply(event);
  const before = model.digest();
  assert.is(model.apply(event).repeated, 1);
  assert.equal(model.digest(), before);
});

test("events with one id and time from two sources are different: the later one in the log counts", ({
  model,
}) => {
  model.apply(productUpserted({}, at(1)));
  model.apply(stockChanged({ quantity: 5 }, { ...at(2), id: "1", source: "/erp" }));
  model.apply(stockChanged({ quantity: 0 }, { ...at(2), id: "1", source: "/pos" }));
  assert.is(product(model)?.offer.availability, "OUT_OF_STOCK");
});

test("a delete leaves a tombstone: a late older upsert does not bring the product back", ({
  model,
}) => {
  model.apply(productUpserted({}, at(1)), productDeleted(1, at(10)));
  assert.is(model.apply(productUpserted({}, at(5))).stale, 1);
  assert.is(product(model), undefined);
  model.apply(productUpserted({ name: "Back" }, at(20)));
  assert.is(product(model)?.text.name, "Back");
});

test("a late delete that is older than the product removes nothing", ({ model }) => {
  model.apply(productUpserted({}, at(1)), productPatched({ brand: "Acme" }, at(20)));
  assert.is(model.apply(productDeleted(1, at(10))).stale, 1);
  assert.is(product(model)?.offer.price?.amount, "12.90");
});

test("a delete that arrives before its product applies too", ({ model }) => {
  model.apply(productDeleted(1, at(10)));
  model.apply(productUpserted({}, at(5)));
  assert.is(product(model), undefined);
});

test("a patch leaves omitted members unchanged and clears those it sets to null", ({ model }) => {
  model.apply(productUpserted({ brand: "Acme", gtin: "123", categoryIds: [4] }, at(1)));
  model.apply(productPatched({ name: "Renamed", brand: null }, at(2)));
  const shown = product(model);
  assert.is(shown?.text.name, "Renamed");
  assert.is(shown?.text.brand, null);
  assert.is(shown?.text.gtin, "123");
  assert.is(shown?.description, "What product 1 is.");
  assert.equal(shown?.text.categoryIds, [4]);
});

test("a patch can change the description, and clear it", ({ model }) => {
  model.apply(productUpserted({}, at(1)));
  model.apply(productPatched({ descriptionHtml: "<p>Other <b>words</b></p>" }, at(2)));
  assert.is(product(model)?.description, "Other words");
  assert.is(product(model)?.markdown, "Other **words**");
  model.apply(productPatched({ descriptionHtml: null }, at(3)));
  assert.is(product(model)?.description, null);
});

test("a patch that arrives before its product is queued until the product arrives", ({ model }) => {
  model.apply(productPatched({ brand: "Patched" }, at(10)));
  assert.is(product(model), undefined);
  model.apply(productUpserted({ name: "Base", brand: "Told" }, at(5)));
  assert.is(product(model)?.text.name, "Base");
  assert.is(product(model)?.text.brand, "Patched");
});

test("of patches queued before their product, members newer than the product apply", ({
  model,
}) => {
  model.apply(productPatched({ brand: "Old", reference: "OLD" }, at(10)));
  model.apply(productPatched({ gtin: "123", categoryIds: [4], name: "Overtaken" }, at(17)));
  model.apply(productPatched({ name: "Newest", reference: null }, at(20)));
  model.apply(productUpserted({ brand: "Told", reference: "TOLD", gtin: "1" }, at(15)));
  const shown = product(model);
  const { name, brand, reference, gtin } = shown?.text ?? {};
  assert.equal([name, brand, reference, gtin], ["Newest", "Told", null, "123"]);
  assert.is(shown?.updatedAt, at(20).time);
  assert.is(model.apply(productPatched({ brand: "Late" }, at(18))).stale, 1);
});

test("queued patches that are older than the deletion of their product are dropped", ({
  model,
}) => {
  model.apply(productPatched({ brand: "Old" }, at(10)));
  model.apply(productPatched({ gtin: "123" }, at(20)));
  model.apply(productDeleted(1, at(15)));
  model.apply(productUpserted({ brand: "Told" }, at(16)));
  assert.is(product(model)?.text.brand, "Told");
  assert.is(product(model)?.text.gtin, "123");
});

test("a queued patch without changes does not move updatedAt", ({ model }) => {
  model.apply(productPatched({ brand: "Same" }, at(20)));
  model.apply(productUpserted({ brand: "Same" }, at(15)));
  assert.is(product(model)?.updatedAt, at(15).time);
});

test("at most one patch per core member, plus one, is queued", ({ model }) => {
  for (let minute = 1; minute < 59; minute += 1) {
    const more = { [`unknown${minute}`]: 1, ...(minute % 2 ? { brand: "A" } : { name: "B" }) };
    model.apply(productPatched(more, at(minute)));
  }
  const { pending } = model.store.get(tables.productCores, 1) ?? {};
  assert.equal(
    pending?.map(({ patch }) => patch),
    [{ brand: "A" }, { name: "B" }],
  );
});

test("a patch of a part of a price is merged with the current price", ({ model }) => {
  model.apply(productUpserted({}, at(1)), priceChanged({}, at(2)));
  model.apply(productPatched({ price: { amount: "5.00" } }, at(3)));
  assert.equal(product(model)?.offer.price, { amount: "5.00", currency: "EUR" });
});

test("a part of a price without a current price becomes a dead letter", ({ model }) => {
  const batch = model.apply(productPatched({ price: { amount: "5.00" } }, at(3)));
  assert.is(batch.rejected, 1);
});

test("a product event without a price leaves the price unchanged", ({ model }) => {
  model.apply(productUpserted({}, at(1)));
  const { price: _, ...data } = productUpserted({ name: "Edited" }).data as { price?: unknown };
  model.apply(cloudEvent("shop.product.upserted", "product/1", data, at(2)));
  assert.is(product(model)?.text.name, "Edited");
  assert.is(product(model)?.offer.price?.amount, "12.90");
});

test("of a price in an upsert and a price event the newer one counts", ({ model }) => {
  model.apply(priceChanged({ price: { amount: "1.00", currency: "EUR" } }, at(5)));
  model.apply(productUpserted({}, at(1)));
  assert.is(product(model)?.offer.price?.amount, "1.00");
  model.apply(productUpserted({ price: { amount: "2.00", currency: "EUR" } }, at(9)));
  assert.is(product(model)?.offer.price?.amount, "2.00");
  model.apply(priceChanged({ price: null }, at(10)));
  assert.is(product(model)?.offer.price, null);
});

test("stock that arrives before its product is counted as an orphan until then", ({ model }) => {
  model.apply(stockChanged({ productId: 1, quantity: 3 }));
  assert.equal([...model.store.keys({ name: "orphans", kind: "set" })], [1]);
  model.apply(productUpserted());
  assert.is(product(model)?.offer.availability, "IN_STOCK");
  assert.equal([...model.store.keys({ name: "orphans", kind: "set" })], []);
});

test("§3 a product without a stock event is out of stock", ({ model }) => {
  model.apply(productUpserted());
  assert.is(product(model)?.offer.availability, "OUT_OF_STOCK");
});

test("orderable outranks the quantity", ({ model }) => {
  model.apply(productUpserted(), stockChanged({ quantity: 0, orderable: true }, at(1)));
  assert.is(product(model)?.offer.availability, "IN_STOCK");
  model.apply(stockChanged({ quantity: 9, orderable: false }, at(2)));
  assert.is(product(model)?.offer.availability, "OUT_OF_STOCK");
});

test("updatedAt follows core and price, lastmod also a flip of availability, neither a quantity", ({
  model,
}) => {
  const times = () =>
    [product(model)?.updatedAt, product(model)?.lastmod].map((time) => time?.slice(14, 16));
  model.apply(productUpserted({}, at(1)));
  assert.equal(times(), ["01", "01"]);
  model.apply(stockChanged({ quantity: 5 }, at(2)));
  assert.equal(times(), ["01", "02"]);
  model.apply(stockChanged({ quantity: 4 }, at(3)));
  assert.equal(times(), ["01", "02"]);
  model.apply(priceChanged({}, at(4)));
  assert.equal(times(), ["04", "04"]);
  model.apply(priceChanged({}, at(5)));
  model.apply(productUpserted({ price: { amount: "9.90", currency: "EUR" } }, at(5)));
  assert.equal(times(), ["04", "04"]);
  model.apply(stockChanged({ quantity: 0 }, at(6)));
  assert.equal(times(), ["04", "06"]);
});

test("a first stock event that says none left does not move lastmod", ({ model }) => {
  model.apply(productUpserted({}, at(1)), stockChanged({ quantity: 0 }, at(2)));
  assert.is(product(model)?.lastmod.slice(14, 16), "01");
});

test("a time more than five minutes ahead of the log is clamped to the log's own", ({ model }) => {
  const event = productUpserted({}, { time: "2026-10-01T08:06:00Z" });
  model.deliver([recordOf(event, 1, Date.UTC(2026, 9, 1, 8, 0))]);
  assert.is(product(model)?.updatedAt, "2026-10-01T08:00:00.000Z");
});

test("an inactive product is invisible everywhere", ({ model }) => {
  model.apply(
    categoryUpserted({ id: 3 }),
    productUpserted({ categoryIds: [3] }, at(1)),
    stockChanged({}, at(1)),
    productPatched({ active: false }, at(2)),
  );
  model.read((snapshot) => {
    assert.is(snapshot.product(1), undefined);
    assert.equal(snapshot.counts(), { products: 0, inStock: 0, stockedCategories: 0 });
    assert.is(snapshot.address("/products/1"), undefined);
    assert.is(snapshot.products({ first: 5, query: "product" })?.totalCount, 0);
  });
  model.apply(productPatched({ active: true }, at(3)));
  assert.is(product(model)?.offer.availability, "IN_STOCK");
});

test("a category whose parent is unknown or inactive is hidden until the parent arrives", ({
  model,
}) => {
  const names = () =>
    model.read((snapshot) => snapshot.categories().map(({ id, depth }) => [id, depth]));
  model.apply(
    categoryUpserted({ id: 2, parentId: 1 }, at(1)),
    categoryUpserted({ id: 3, parentId: 2 }, at(1)),
  );
  assert.equal(names(), []);
  model.apply(categoryUpserted({ id: 1 }, at(1)));
  assert.equal(names(), [
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  model.apply(categoryUpserted({ id: 2, parentId: 1, active: false }, at(2)));
  assert.equal(names(), [[1, 1]]);
  model.apply(categoryDeleted(1, at(3)));
  assert.equal(names(), []);
});

test("categories are sorted by depth, then name in the shop's language, then id", ({ model }) => {
  model.apply(
    settingsUpdated({ language: "sv" }),
    categoryUpserted({ id: 1, name: "Öl" }),
    categoryUpserted({ id: 2, name: "Zink" }),
    categoryUpserted({ id: 4, name: "Zink" }),
    categoryUpserted({ id: 3, name: "Aktuellt", parentId: 1 }),
  );
  const categoryIds = () => model.read((snapshot) => snapshot.categories().map(({ id }) => id));
  assert.equal(categoryIds(), [2, 4, 1, 3]);
  model.apply(settingsUpdated({ language: "de" }, at(9)));
  assert.equal(categoryIds(), [1, 2, 4, 3]);
});

test("a category that names itself as its parent becomes a dead letter", ({ model }) => {
  const batch = model.apply(
    categoryUpserted({ id: 5, parentId: null }, at(1)),
    categoryUpserted({ id: 6, parentId: null }, at(1)),
    categoryUpserted({ id: 5, parentId: 5 }, at(2)),
  );
  assert.is(batch.rejected, 1);
  assert.equal(
    model.read((snapshot) => snapshot.categories().map(({ id }) => id)),
    [5, 6],
  );
  const [[, letter]] = [...model.store.entries({ name: "deadLetters", kind: "json" })] as [
    [number, { field: string; sequence: number; reason: string }],
  ];
  assert.is(letter.field, "data.parentId");
  assert.is(letter.sequence, 3);
  assert.match(letter.reason, "its own parent");
});

test("productCount counts visible products directly in a category, each once", ({ model }) => {
  const count = () => model.read((snapshot) => snapshot.category(3)?.productCount);
  model.apply(categoryUpserted({ id: 3 }), categoryUpserted({ id: 4, parentId: 3 }));
  assert.is(count(), 0);
  model.apply(productUpserted({ id: 1, categoryIds: [3, 3, 4] }, at(1)));
  assert.is(count(), 1);
  model.apply(productUpserted({ id: 1, categoryIds: [4] }, at(2)));
  assert.is(count(), 0);
  assert.is(
    model.read((snapshot) => snapshot.counts().stockedCategories),
    1,
  );
});

test("pricesVisible false hides every price", ({ model }) => {
  model.apply(settingsUpdated({ pricesVisible: false }), productUpserted());
  model.read((snapshot) => {
    assert.is(snapshot.product(1)?.offer.price, null);
    assert.is(snapshot.products({ first: 1 })?.products[0]?.offer.price, null);
  });
  model.apply(settingsUpdated({}, at(9)));
  assert.is(product(model)?.offer.price?.amount, "12.90");
});

test("unpublished pages, inactive carriers and deleted entities are not shown", ({ model }) => {
  model.apply(
    pageUpserted({ id: 1, policy: "terms" }, at(1)),
    pageUpserted({ id: 2, policy: "terms", published: false }, at(1)),
    pageUpserted({ id: 3 }, at(1)),
    carrierUpserted({ id: 1, active: false }, at(1)),
    carrierUpserted({ id: 2 }, at(1)),
  );
  model.read((snapshot) => {
    assert.equal(
      snapshot.policies().map(({ id }) => id),
      [1],
    );
    assert.is(snapshot.page(2), undefined);
    assert.equal(
      snapshot.carriers().map(({ id }) => id),
      [2],
    );
  });
  model.apply(pageDeleted(1, at(2)), carrierDeleted(2, at(2)));
  model.read((snapshot) => {
    assert.equal(snapshot.policies(), []);
    assert.equal(snapshot.carriers(), []);
    assert.is(snapshot.address("/pages/1"), undefined);
  });
});

test("the generation of a token never decreases", ({ model }) => {
  model.apply(tokenRegenerated("a", 5, at(1)), tokenRevoked("a", 3, at(2)));
  assert.equal(
    model.read((snapshot) => snapshot.agent("a")),
    { label: "a", tokenEpoch: 5, revoked: true },
  );
});

test("a regeneration that is repeated does not make a revoked token valid", ({ model }) => {
  const agent = () => model.read((snapshot) => snapshot.agent("a"));
  model.apply(tokenRevoked("a", 2, at(1)));
  for (const generation of [2, 1, 0]) {
    model.apply(tokenRegenerated("a", generation, at(4 - generation)));
    assert.equal(agent(), { label: "a", tokenEpoch: 2, revoked: true });
  }
  model.apply(tokenRegenerated("a", 3, at(9)));
  assert.equal(agent(), { label: "a", tokenEpoch: 3, revoked: false });
});

test("an invalid event becomes a dead letter with its bytes, and its neighbours are applied", ({
  model,
}) => {
  const bad = { ...recordOf(productUpserted({ id: 2 }), 2), body: Buffer.from("{not json") };
  const batch = model.deliver([
    recordOf(productUpserted({ id: 1 }), 1),
    bad,
    recordOf(productUpserted({ id: 3 }), 3),
  ]);
  assert.equal([batch.applied, batch.rejected, batch.checkpoint.sequence], [2, 1, 3]);
  assert.ok(product(model, 3));
  const letter = model.store.get<number, { body: string; reason: string }>(
    { name: "deadLetters", kind: "json" },
    2,
  );
  assert.is(Buffer.from(letter?.body ?? "", "base64").toString(), "{not json");
  assert.match(letter?.reason ?? "", "JSON");
});

test("of many descriptions of one product only the last is rendered, and a failure names its event", ({
  model,
}) => {
  const rendered: string[] = [];
  const { markdown, ...rendering } = createHtmlRenderer();
  const counting = (fault?: string) => ({
    ...rendering,
    markdown(html: string) {
      if (html === fault) throw new Error("boom");
      rendered.push(html);
      return markdown(html);
    },
  });
  const identity = { name: "test", created: "2026-01-01T00:00:00.000Z" };
  const events = [1, 2, 3].map((at) =>
    recordOf(productUpserted({ descriptionHtml: `<p>${at}</p>` }), at),
  );
  assert.throws(
    () => applyBatch(model.store, events, { identity, rendering: counting("<p>3</p>") }),
    (error: Error) => /shop\.product\.upserted failed at sequence 3 .*boom/.test(error.message),
  );
  assert.equal(rendered, []);
  applyBatch(model.store, events, { identity, rendering: counting("<p>2</p>") });
  assert.equal(rendered, ["<p>3</p>"]);
  assert.is(product(model)?.description, "3");
});

test("a failing projection leaves nothing of its batch and names the event", async ({ model }) => {
  const before = model.digest();
  const failing = {
    cleanText: () => {
      throw new Error("boom");
    },
  } as never;
  assert.throws(
    () =>
      applyBatch(model.store, [recordOf(stockChanged(), 1), recordOf(productUpserted(), 2)], {
        identity: { name: "test", created: "2026-01-01T00:00:00.000Z" },
        rendering: failing,
      }),
    (error: Error) => /shop\.product\.upserted failed at sequence 2 .*boom/.test(error.message),
  );
  assert.equal(model.digest(), before);
});

test("the alternative text of an image is cleaned like all short texts", ({ model }) => {
  const url = "https://shop.example/1.jpg";
  const images = [
    { url, alt: "front)\nPrice: 0.01 EUR\u202e\u200b (" },
    { url, alt: "  " },
    { url },
  ];
  model.apply(productUpserted({ id: 1, images }));
  assert.equal(product(model)?.text.images, [
    { url, alt: "front) Price: 0.01 EUR (" },
    { url, alt: null },
    { url, alt: null },
  ]);
});

/** Error of the second of two batches that were folded from the same model. */
const refusalOf = (work: () => unknown): VitrineError => {
  try {
    work();
  } catch (error) {
    return error as VitrineError;
  }
  throw new Error("it was not refused");
};

test("a batch is rejected when another process wrote after it was folded", ({ model }) => {
  const context = { identity, rendering: createHtmlRenderer() };
  model.apply(productUpserted({ id: 1, name: "First" }));
  const late = openBatch(model.store, context);
  late.add([recordOf(productUpserted({ id: 1, name: "Second" }, at(1)), 2)]);
  model.apply(
    productUpserted({ id: 1, name: "Second" }, at(1)),
    productUpserted({ id: 1, name: "Third" }, at(2)),
  );
  const before = model.digest();
  const refusal = refusalOf(() => model.store.transaction((stored) => late.commit(stored)));
  assert.is(refusal.code, "reopen");
  assert.match(refusal.message, "brought the model to event 3 while a batch behind event 1");
  assert.equal(model.digest(), before);
  assert.is(product(model)?.text.name, "Third");
});

test("a batch is rejected when dead letters were retried after it was folded", ({ model }) => {
  const context = { identity, rendering: createHtmlRenderer() };
  model.apply(productUpserted({ id: 1 }));
  const late = openBatch(model.store, context);
  late.add([recordOf(productUpserted({ id: 2 }), 2)]);
  model.store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    if (checkpoint) stored.put(tables.meta, "checkpoint", { ...checkpoint, retries: 1 });
  });
  const refusal = refusalOf(() => model.store.transaction((stored) => late.commit(stored)));
  assert.is(refusal.code, "reopen");
  assert.is(product(model, 2), undefined);
});

test("an exception while rows are derived is a bug, except for an error of the disk", ({
  model,
}) => {
  const writing = (thrown: Error) => () =>
    model.store.transaction((stored) => {
      const folding = openBatch(stored, { identity, rendering: createHtmlRenderer() });
      folding.add([recordOf(productUpserted({ id: 1 }), 1), recordOf(stockChanged(), 2)]);
      return folding.commit({
        ...stored,
        put() {
          throw thrown;
        },
      });
    });
  const bug = refusalOf(writing(new RangeError("Maximum call stack size exceeded")));
  assert.is(bug.code, "projection");
  assert.match(bug.message, "deriving tables failed for events 1 to 2: Maximum call stack");
  const full = Object.assign(new Error("No space left on device"), { code: 28 });
  assert.is(refusalOf(writing(full)), full);
  const failed = Object.assign(new Error("write EIO"), { code: "EIO", syscall: "write" });
  assert.is(refusalOf(writing(failed)), failed);
  assert.is(product(model), undefined);
});

test.run();
