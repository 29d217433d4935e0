import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Comparison, compareStores } from "../../src/read-model/compare.ts";
import { tables } from "../../src/read-model/tables.ts";
import { categoryUpserted, productUpserted, recordOf } from "../helpers/events.ts";
import { openModel, type TestModel } from "../helpers/model.ts";

const test = suite<{ one: TestModel; other: TestModel }>("comparison");

test.before.each((context) => {
  Object.assign(context, { one: openModel(), other: openModel() });
});
test.after.each(async ({ one, other }) => {
  await one.close();
  await other.close();
});

const compare = async (one: TestModel, other: TestModel): Promise<Comparison> => {
  const [before, after] = [one.store.pin(), other.store.pin()];
  const comparison = await compareStores(before, after);
  before.release();
  after.release();
  return comparison;
};

const products = Array.from({ length: 30 }, (_, at) => productUpserted({ id: at + 1 }));

test("equal models are the same, and the digests are the store's own", async ({ one, other }) => {
  one.tell(...products);
  for (const product of products) other.tell(product);
  const comparison = await compare(one, other);
  assert.is(comparison.isSame, true);
  assert.equal(comparison.before.digest, one.digest());
  assert.equal(comparison.after.digest, other.digest());
  assert.equal([comparison.before.sequence, comparison.after.sequence], [30, 30]);
});

test("what the log is called, and what was discarded, is not compared", async ({ one, other }) => {
  const product = productUpserted();
  one.tell(product);
  other.deliver([recordOf(product, 100)]);
  other.store.transaction((stored) => stored.put(tables.discards, 5, { time: 1 }));
  const { isSame, before, after } = await compare(one, other);
  assert.equal([isSame, before.sequence, after.sequence], [true, 1, 100]);
});

test("each difference is counted, and the first are shown with their fields", async ({
  one,
  other,
}) => {
  one.tell(...products, categoryUpserted({ name: "Old" }));
  other.tell(
    ...products.slice(15),
    categoryUpserted({ name: "New", url: "https://shop.example/n" }),
  );
  const { isSame, tables: compared } = await compare(one, other);
  assert.is(isSame, false);
  const cores = compared.find(({ table }) => table === "cores");
  assert.equal([cores?.rows, cores?.removed], [{ before: 30, after: 15 }, 15]);
  assert.equal(
    cores?.first.map(({ key, kind }) => [key, kind]),
    Array.from({ length: 10 }, (_, at) => [at + 1, "removed"]),
  );
  const categories = compared.find(({ table }) => table === "categories");
  assert.equal([categories?.added, categories?.removed, categories?.changed], [0, 0, 1]);
  assert.equal(categories?.first[0]?.fields, [
    { path: "name", before: '"Old"', after: '"New"' },
    {
      path: "url",
      before: '"https://shop.example/categories/1"',
      after: '"https://shop.example/n"',
    },
  ]);
});

test("a pinned moment does not move on when more is written", async ({ one, other }) => {
  one.tell(...products);
  other.tell(...products);
  const before = one.store.pin();
  one.tell(productUpserted({ id: 99 }));
  const after = other.store.pin();
  const comparison = await compareStores(before, after);
  assert.is(comparison.isSame, true);
  assert.is(before.get(tables.products, 99), undefined);
  assert.is(before.has(tables.products, 1), true);
  before.release();
  after.release();
  assert.ok(one.store.get(tables.products, 99));
});

test("it ends when its signal does", async ({ one, other }) => {
  one.tell(...products);
  other.tell(...products);
  const ended = AbortSignal.abort(new Error("enough"));
  const failed = await compareStores(one.store.pin(), other.store.pin(), { signal: ended }).catch(
    (error: Error) => error.message,
  );
  assert.is(failed, "enough");
});

test.run();
