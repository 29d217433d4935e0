import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Comparison, compareStores } from "../../../src/read-model/compare/compare.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { openStore } from "../../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { categoryUpserted, productUpserted, recordOf } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import { putLegacyRows } from "../../helpers/operator.ts";

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

test("equal models have no difference, and their digests are those of the store", async ({
  one,
  other,
}) => {
  one.apply(...products);
  for (const product of products) other.apply(product);
  const comparison = await compare(one, other);
  assert.is(comparison.isSame, true);
  assert.equal(comparison.before.digest, one.digest());
  assert.equal(comparison.after.digest, other.digest());
  assert.equal([comparison.before.sequence, comparison.after.sequence], [30, 30]);
});

test("the identity of the log, and rows of the operator of an earlier version, are not compared", async ({
  one,
  other,
}) => {
  const product = productUpserted();
  one.apply(product);
  other.deliver([recordOf(product, 100)]);
  await putLegacyRows(other.store.directory, {
    withdrawn: { watcher: { generation: 1, revoked: true } },
    discards: { 5: { time: 1 } },
  });
  const { isSame, before, after } = await compare(one, other);
  assert.equal([isSame, before.sequence, after.sequence], [true, 1, 100]);
});

test("each difference is counted, and the first ones are shown with their fields", async ({
  one,
  other,
}) => {
  one.apply(...products, categoryUpserted({ name: "Old" }));
  other.apply(
    ...products.slice(15),
    categoryUpserted({ name: "New", url: "https://shop.example/n" }),
  );
  const { isSame, tables: compared } = await compare(one, other);
  assert.is(isSame, false);
  const cores = compared.find(({ table }) => table === "productCores");
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

test("a pinned snapshot does not change when more is written", async ({ one, other }) => {
  one.apply(...products);
  other.apply(...products);
  const before = one.store.pin();
  one.apply(productUpserted({ id: 99 }));
  const after = other.store.pin();
  const comparison = await compareStores(before, after);
  assert.is(comparison.isSame, true);
  assert.is(before.get(tables.products, 99), undefined);
  assert.is(before.has(tables.products, 1), true);
  before.release();
  after.release();
  assert.ok(one.store.get(tables.products, 99));
});

/** Offsets of the keys of each branch page, except the first key of a page, which LMDB ignores. */
const branchKeys = (file: Buffer): readonly number[] =>
  Array.from({ length: file.length / 4096 }, (_, page) => page * 4096)
    .filter((page) => page >= 8192 && file.readUInt16LE(page + 18) === 1)
    .flatMap((page) =>
      Array.from({ length: (file.readUInt16LE(page + 20) >> 1) - 1 }, (_, at) => {
        const node = page + 24 + file.readUInt16LE(page + 24 + 2 * (at + 1));
        return node + 8;
      }),
    );

test("rows that a walk meets and a lookup does not find are damaged: a flipped bit in a branch page", async () => {
  const home = temporaryDirectory();
  const [good, bad] = [join(home.path, "good"), join(home.path, "bad")];
  const written = openStore(good, { readOnly: false });
  written.transaction((stored) => {
    for (let id = 1; id <= 2_000; id += 1) stored.put(tables.inStock, id, true);
  });
  await written.close();
  cpSync(good, bad, { recursive: true });
  const bytes = readFileSync(join(good, "data.mdb"));
  const [key = 0] = branchKeys(bytes);
  bytes[key + 1] = (bytes[key + 1] ?? 0) ^ 0x20;
  writeFileSync(join(bad, "data.mdb"), bytes);
  const [intact, damaged] = [
    openStore(good, { readOnly: true }),
    openStore(bad, { readOnly: true }),
  ];
  const {
    isSame,
    before,
    after,
    tables: compared,
  } = await compareStores(damaged.pin(), intact.pin());
  assert.equal([isSame, before.digest], [false, after.digest]);
  const found = compared.filter(({ first }) => first.length > 0);
  assert.equal(
    found.map(({ table, first }) => [table, first[0]?.kind, first[0]?.isDamaged]),
    [["inStock", "changed", true]],
  );
  await intact.close();
  await damaged.close();
  home.remove();
});

test("an error of the machine is thrown and not reported as damage", async ({ one, other }) => {
  one.apply(...products);
  other.apply(...products);
  const onRow = (): void => {
    throw new Error("ENOSPC: no space left on device, write");
  };
  const failed = await compareStores(one.store.pin(), other.store.pin(), onRow).then(
    () => "compared",
    (error: Error) => error.message,
  );
  assert.match(failed, "no space left");
});

test.run();
