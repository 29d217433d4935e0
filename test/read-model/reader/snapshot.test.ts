import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { readFlag } from "../../../src/read-model/store/damage-flag.ts";
import { categoryUpserted, pageUpserted, productUpserted } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const test = suite<{ model: TestModel }>("snapshot");

test.before.each((context) => {
  context.model = openModel();
  context.model.apply(categoryUpserted({ id: 1 }), pageUpserted({ id: 1, policy: "returns" }));
});
test.after.each(({ model }) => model.close());

test("all categories and all policies are read once per snapshot", ({ model }) => {
  const read = () =>
    model.read((snapshot) => {
      const [categories, policies] = [snapshot.categories(), snapshot.policies()];
      assert.is(snapshot.categories(), categories);
      assert.is(snapshot.policies(), policies);
      return { counts: categories.map(({ productCount }) => productCount), policies };
    });
  assert.equal(read().counts, [0]);
  assert.is(read().policies.length, 1);
  model.apply(productUpserted({ id: 1, categoryIds: [1] }), categoryUpserted({ id: 2 }));
  model.apply(pageUpserted({ id: 2, policy: "shipping" }));
  assert.equal(read().counts, [1, 0]);
  assert.is(read().policies.length, 2);
});

test("a nested snapshot reads for itself, so that each has its own footprint", ({ model }) => {
  model.read((snapshot) => {
    const outer = snapshot.policies();
    assert.is.not(
      model.read((inner) => inner.policies()),
      outer,
    );
    assert.is(snapshot.policies(), outer);
  });
});

const assertDamage = (
  { store, apply, read }: TestModel,
  table: typeof tables.products | typeof tables.offers,
): void => {
  apply(productUpserted({ id: 7 }));
  assert.ok(read((snapshot) => snapshot.product(7)));
  store.transaction((stored) => stored.remove<number, unknown>(table, 7));
  assert.throws(
    () => read((snapshot) => snapshot.product(7)),
    (error: unknown) => error instanceof VitrineError && error.code === "model_damaged",
  );
  assert.match(readFlag(store.directory)?.reason ?? "", `the row 7 of the table "${table.name}"`);
};

test("a visible product without its texts is damage, and flags the generation", ({ model }) => {
  assertDamage(model, tables.products);
});

test("a visible product without its offer is damage, and flags the generation", ({ model }) => {
  assertDamage(model, tables.offers);
});

test("a walk whose generation is closed meanwhile throws, and does not end early", async () => {
  const { store, apply, close } = openModel();
  apply(...[1, 2, 3].map((id) => productUpserted({ id })));
  const seen: number[] = [];
  const walked = openReader(store).scanPages(async (pages) => {
    seen.push(...pages({ limit: 2 }).map(({ id }) => id));
    await close();
    pages({ after: { kind: "product", id: 2 }, limit: 2 });
  });
  const why = await walked.then(
    () => "",
    ({ code }: VitrineError) => code,
  );
  assert.equal([seen, why], [[1, 2], "no_model"]);
});

test.run();
