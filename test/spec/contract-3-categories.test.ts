import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { emptyOperatorState } from "../../src/read-model/operator/state.ts";
import { readModelCounts } from "../../src/read-model/reader/model-counts.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { property } from "../helpers/effort.ts";
import {
  categoryDeleted,
  categoryUpserted,
  productDeleted,
  productPatched,
  productUpserted,
  settingsUpdated,
} from "../helpers/events.ts";
import { openModel } from "../helpers/model.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("contract §3 categories");

test.before.each(async (context) => {
  context.service = await openTestServer();
});
test.after.each(({ service }) => service.close());

const at = (hour: number) => ({ time: `2026-10-01T${String(hour).padStart(2, "0")}:00:00Z` });

interface Category {
  readonly id: string;
  readonly name: string;
  readonly depth: number;
  readonly productCount: number;
}

const listed = async ({ graphql }: TestServer): Promise<readonly Category[]> =>
  (
    await graphql<{ categories: { categories: Category[] } }>(
      "{ categories { categories { id name depth productCount } } }",
    )
  ).data.categories.categories;

const ids = async (service: TestServer): Promise<readonly number[]> =>
  (await listed(service)).map(({ id }) => Number(id));
const names = async (service: TestServer): Promise<readonly string[]> =>
  (await listed(service)).map(({ name }) => name);
const counts = async (service: TestServer): Promise<readonly (readonly [string, number])[]> =>
  (await listed(service)).map(({ id, productCount }) => [id, productCount]);

const parents = async ({ graphql }: TestServer): Promise<Record<string, number | null>> => {
  type Answer = { categories: { categories: { id: string; parentId: string | null }[] } };
  const { data } = await graphql<Answer>("{ categories { categories { id parentId } } }");
  return Object.fromEntries(
    data.categories.categories.map(({ id, parentId }) => [
      id,
      parentId === null ? null : Number(parentId),
    ]),
  );
};

const categoryCount = async ({ graphql }: TestServer): Promise<number> =>
  (await graphql<{ shop: { categoryCount: number } }>("{ shop { categoryCount } }")).data.shop
    .categoryCount;

test("contract §3 a category's depth follows its parent chain, also when a branch moves", async ({
  service,
}) => {
  const depths = async () =>
    Object.fromEntries((await listed(service)).map(({ id, depth }) => [id, depth]));
  service.apply(
    categoryUpserted({ id: 1 }),
    categoryUpserted({ id: 2, parentId: 1 }),
    categoryUpserted({ id: 3, parentId: 2 }),
    categoryUpserted({ id: 4, parentId: 3 }),
  );
  assert.equal(await depths(), { 1: 1, 2: 2, 3: 3, 4: 4 });
  service.apply(categoryUpserted({ id: 3, parentId: null }, at(9)));
  assert.equal(await depths(), { 1: 1, 2: 2, 3: 1, 4: 2 });
});

test("contract §3 a category whose parent is unknown stays hidden until the parent arrives", async ({
  service,
}) => {
  service.apply(categoryUpserted({ id: 3, parentId: 2 }));
  assert.equal(await ids(service), []);
  service.apply(categoryUpserted({ id: 2, parentId: 1 }));
  assert.equal(await ids(service), []);
  service.apply(categoryUpserted({ id: 1 }));
  assert.equal(await ids(service), [1, 2, 3]);
});

test("contract §3 a category below an inactive or deleted parent is hidden, with its descendants", async ({
  service,
}) => {
  const root = { id: 1 };
  service.apply(
    categoryUpserted(root, at(8)),
    categoryUpserted({ id: 2, parentId: 1 }),
    categoryUpserted({ id: 3, parentId: 2 }),
    categoryUpserted({ id: 4 }),
  );
  service.apply(categoryUpserted({ ...root, active: false }, at(9)));
  assert.equal(await ids(service), [4]);
  service.apply(categoryUpserted(root, at(10)));
  assert.equal(await ids(service), [1, 4, 2, 3]);
  service.apply(categoryDeleted(1, at(11)));
  assert.equal(await ids(service), [4]);
});

test("contract §3 a product of a hidden category stays visible", async ({ service }) => {
  service.apply(categoryUpserted({ id: 2, parentId: 1 }), productUpserted({ categoryIds: [2] }));
  const { data } = await service.graphql("{ products { totalCount } shop { categoryCount } }");
  assert.equal(data, { products: { totalCount: 1 }, shop: { categoryCount: 0 } });
});

test("contract §3 a category event that names itself as the parent is rejected and changes nothing", async ({
  service,
}) => {
  service.apply(categoryUpserted({ id: 1 }), categoryUpserted({ id: 3 }));
  const before = await listed(service);
  assert.is(service.apply(categoryUpserted({ id: 3, parentId: 3 }, at(9))).rejected, 1);
  assert.equal(await listed(service), before);
});

test("contract §3 a cycle of categories is hidden with its descendants, and no event is rejected", async ({
  service,
}) => {
  service.apply(
    categoryUpserted({ id: 1 }, at(8)),
    categoryUpserted({ id: 2, parentId: 1 }, at(8)),
    categoryUpserted({ id: 3, parentId: 2 }, at(8)),
    categoryUpserted({ id: 4 }, at(8)),
  );
  assert.is(service.apply(categoryUpserted({ id: 1, parentId: 2 }, at(9))).rejected, 0);
  assert.equal(await ids(service), [4]);
  service.apply(categoryUpserted({ id: 2, parentId: null }, at(10)));
  assert.equal(await parents(service), { 2: null, 1: 2, 3: 2, 4: null });
});

test("contract §3 after a cycle was resolved, the tree is that of the last event of each category", async ({
  service,
}) => {
  service.apply(
    categoryUpserted({ id: 10, name: "A", parentId: null }, at(8)),
    categoryUpserted({ id: 11, name: "B", parentId: 10 }, at(9)),
    categoryUpserted({ id: 10, name: "A", parentId: 11 }, at(10)),
    categoryUpserted({ id: 11, name: "B", parentId: null }, at(11)),
  );
  assert.equal(await parents(service), { 10: 11, 11: null });
});

test("contract §3 the tree depends only on the last event of each category", async () => {
  const id = fc.integer({ min: 1, max: 5 });
  const change = fc.record({ id, parentId: fc.option(id, { nil: null }), active: fc.boolean() });
  const changes = fc.array(
    change.filter(({ id, parentId }) => id !== parentId),
    { minLength: 1, maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(changes, async (changes) => {
      const events = changes.map((data, minute) => categoryUpserted(data, atMinute(minute)));
      const last = new Map(events.map((event) => [event.subject, event]));
      assert.equal(await treeAfter(events), await treeAfter([...last.values()]));
    }),
    property(100),
  );
});

const atMinute = (minute: number) => ({
  time: new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString(),
});

const treeAfter = async (events: readonly CloudEvent[]): Promise<unknown> => {
  const model = openModel();
  try {
    for (const event of events) model.apply(event);
    return model.read((snapshot) => [
      snapshot.categories(),
      model.store.get(tables.counters, "heldBackCategories"),
    ]);
  } finally {
    await model.close();
  }
};

test("contract §3 hidden categories are counted", async ({ service }) => {
  const heldBack = () => {
    const store = openStore(service.generation, { readOnly: true });
    const { heldBackCategories } = readModelCounts(store, emptyOperatorState);
    return store.close().then(() => heldBackCategories);
  };
  service.apply(
    categoryUpserted({ id: 1, parentId: 2 }, at(8)),
    categoryUpserted({ id: 2, parentId: 1 }, at(8)),
    categoryUpserted({ id: 3, parentId: 9 }, at(8)),
    categoryUpserted({ id: 4, parentId: 3 }, at(8)),
    categoryUpserted({ id: 5, parentId: 3, active: false }, at(8)),
    categoryUpserted({ id: 6 }, at(8)),
  );
  assert.is(await heldBack(), 4);
  service.apply(categoryUpserted({ id: 9 }, at(9)), categoryUpserted({ id: 1 }, at(9)));
  assert.is(await heldBack(), 0);
});

test("contract §3 productCount follows the visible products directly in a category", async ({
  service,
}) => {
  service.apply(
    categoryUpserted({ id: 1 }),
    categoryUpserted({ id: 2, parentId: 1 }),
    productUpserted({ id: 1, categoryIds: [1, 2, 2] }),
    productUpserted({ id: 2, categoryIds: [2] }),
  );
  const of = (one: number, two: number) => [
    ["1", one],
    ["2", two],
  ];
  assert.equal(await counts(service), of(1, 2));
  service.apply(productPatched({ id: 2, active: false }, at(9)));
  assert.equal(await counts(service), of(1, 1));
  service.apply(productPatched({ id: 2, active: true, categoryIds: [1] }, at(10)));
  assert.equal(await counts(service), of(2, 1));
  service.apply(productDeleted(1, at(11)));
  assert.equal(await counts(service), of(1, 0));
});

test("contract §3 productCount includes products that arrived before their category", async ({
  service,
}) => {
  service.apply(productUpserted({ categoryIds: [1] }));
  service.apply(categoryUpserted({ id: 1 }));
  assert.equal(await counts(service), [["1", 1]]);
  assert.is(await categoryCount(service), 1);
});

test("contract §3 categoryCount counts visible categories with at least one product", async ({
  service,
}) => {
  service.apply(
    categoryUpserted({ id: 1 }, at(8)),
    categoryUpserted({ id: 2, parentId: 1 }),
    productUpserted({ id: 1, categoryIds: [2] }),
  );
  const seen = [await categoryCount(service)];
  for (const event of [
    productUpserted({ id: 2, categoryIds: [1] }),
    categoryUpserted({ id: 1, active: false }, at(9)),
    categoryUpserted({ id: 1 }, at(10)),
    productDeleted(1, at(11)),
    productPatched({ id: 2, active: false }, at(12)),
  ]) {
    service.apply(event);
    seen.push(await categoryCount(service));
  }
  assert.equal(seen, [1, 2, 0, 2, 1, 0]);
});

test("contract §3 categories are ordered by depth, then name, then id", async ({ service }) => {
  service.apply(
    settingsUpdated(),
    categoryUpserted({ id: 9, name: "Zebra" }),
    categoryUpserted({ id: 8, name: "apple" }),
    categoryUpserted({ id: 7, name: "Mango" }),
    categoryUpserted({ id: 6, name: "Mango" }),
    categoryUpserted({ id: 5, name: "Aardvark", parentId: 9 }),
    categoryUpserted({ id: 4, name: "Berry", parentId: 8 }),
    categoryUpserted({ id: 3, name: "Aaa", parentId: 4 }),
  );
  assert.equal(await ids(service), [8, 6, 7, 9, 5, 4, 3]);
});

test("contract §3 names are sorted in the shop's language, and sorted again when the language changes", async ({
  service,
}) => {
  service.apply(
    settingsUpdated({ language: "de" }, at(8)),
    ...["Zebra", "Öl", "Olive", "Ostern"].map((name, index) =>
      categoryUpserted({ id: index + 1, name }),
    ),
  );
  assert.equal(await names(service), ["Öl", "Olive", "Ostern", "Zebra"]);
  service.apply(settingsUpdated({ language: "sv" }, at(9)));
  assert.equal(await names(service), ["Olive", "Ostern", "Zebra", "Öl"]);
});

test.run();
