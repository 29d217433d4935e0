import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  productPatched,
  productUpserted,
  settingsUpdated,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("contract §4 search");

test.before.each(async (context) => {
  context.service = await openTestServer();
  context.service.apply(settingsUpdated({ language: "en" }));
});
test.after.each(({ service }) => service.close());

const search = async ({ graphql }: TestServer, query: string): Promise<readonly number[]> => {
  const { data } = await graphql<{
    products: { nodes: { id: string }[]; totalCount: number; userErrors: unknown[] };
  }>(
    "query ($query: String) { products(first: 100, query: $query) { nodes { id } totalCount userErrors { code } } }",
    { query },
  );
  assert.equal(data.products.userErrors, []);
  assert.is(data.products.totalCount, data.products.nodes.length);
  return data.products.nodes.map(({ id }) => Number(id));
};

/** A product without any word that a query of a test could match by chance. */
const bare = { name: "Thing", descriptionHtml: null, reference: null };

test("contract §4 search covers name, brand, reference, gtin, description and category names", async ({
  service,
}) => {
  service.apply(
    categoryUpserted({ id: 5, name: "Wordy things" }),
    productUpserted({ ...bare, id: 1, name: "A wordy thing" }),
    productUpserted({ ...bare, id: 2, brand: "Wordy" }),
    productUpserted({ ...bare, id: 3, reference: "WORDY-3" }),
    productUpserted({ ...bare, id: 4, gtin: "WORDY4" }),
    productUpserted({ ...bare, id: 5, descriptionHtml: "<p>Quite <b>wordy</b>.</p>" }),
    productUpserted({ ...bare, id: 6, categoryIds: [5] }),
    productUpserted({ ...bare, id: 7 }),
  );
  assert.equal([...(await search(service, "wordy"))].sort(), [1, 2, 3, 4, 5, 6]);
});

test("contract §4 all words of a query must match, each in any field", async ({ service }) => {
  service.apply(
    categoryUpserted({ id: 5, name: "Kitchen" }),
    productUpserted({ ...bare, id: 1, name: "Blue mug", brand: "Acme", categoryIds: [5] }),
    productUpserted({ ...bare, id: 2, name: "Blue mug", categoryIds: [5] }),
    productUpserted({ ...bare, id: 3, name: "Red mug", brand: "Acme", categoryIds: [5] }),
  );
  assert.equal(await search(service, "kitchen acme blue"), [1]);
  assert.equal(await search(service, "blue acme kitchen"), [1]);
  assert.equal(await search(service, "blue lamp"), []);
});

test("contract §4 only the last word is a prefix", async ({ service }) => {
  service.apply(
    productUpserted({ ...bare, id: 1, name: "Teapot kettle" }),
    productUpserted({ ...bare, id: 2, name: "Tea kettle" }),
  );
  assert.equal(await search(service, "tea kettle"), [2]);
  assert.equal([...(await search(service, "kettle tea"))].sort(), [1, 2]);
  assert.equal(await search(service, "kettle teap"), [1]);
  assert.equal(await search(service, "kett tea"), []);
});

test("contract §4 search ignores case and accents, in the query and in the product", async ({
  service,
}) => {
  service.apply(
    productUpserted({ ...bare, id: 1, name: "Ångström CRÈME" }),
    productUpserted({ ...bare, id: 2, name: "angstrom creme" }),
  );
  for (const query of [
    "angstrom creme",
    "ÅNGSTRÖM crème",
    "ANGSTROM CREME",
    "A\u030angstro\u0308m",
  ]) {
    assert.equal([...(await search(service, query))].sort(), [1, 2], query);
  }
});

test("contract §4 words are stemmed in the shop's language: English", async ({ service }) => {
  service.apply(
    productUpserted({ ...bare, id: 1, name: "Running shoe blue" }),
    productUpserted({ ...bare, id: 2, name: "Runs shoes blue" }),
  );
  assert.equal([...(await search(service, "shoes blue"))].sort(), [1, 2]);
  assert.equal([...(await search(service, "shoe blue"))].sort(), [1, 2]);
  assert.equal([...(await search(service, "run blue"))].sort(), [1, 2]);
});

test("contract §4 words are stemmed in the shop's language: German", async ({ service }) => {
  service.apply(
    settingsUpdated({ language: "de" }),
    productUpserted({ ...bare, id: 1, name: "Tisch blau" }),
    productUpserted({ ...bare, id: 2, name: "Tische blau" }),
  );
  assert.equal([...(await search(service, "tische blau"))].sort(), [1, 2]);
});

test("contract §4 the last word stays a prefix when it is stemmed", async ({ service }) => {
  service.apply(productUpserted({ ...bare, id: 1, name: "Running shoes" }));
  for (const query of [
    "r",
    "run",
    "runni",
    "running",
    "running s",
    "running shoe",
    "running shoes",
  ]) {
    assert.equal(await search(service, query), [1], query);
  }
});

for (const [field, fields, queries] of [
  ["reference", { reference: "MUG-BLUE" }, ["MUG-BLUE", "mug-blue", "Mug-Blue"]],
  ["gtin", { gtin: "4006381333931" }, ["4006381333931"]],
] as const) {
  test(`contract §4 an exact match of ${field} is ranked first`, async ({ service }) => {
    const words = `mug blue ${queries[0]} 4006381333931`;
    const louder = { name: words, brand: words, descriptionHtml: `<p>${words}</p>` };
    service.apply(
      productUpserted({ ...bare, ...louder, id: 1 }),
      productUpserted({ ...bare, ...fields, id: 2 }),
      productUpserted({ ...bare, ...louder, id: 3 }),
    );
    for (const query of queries) assert.equal(await search(service, query), [2, 1, 3], query);
  });
}

test("contract §4 a match in the name is ranked before one in the description", async ({
  service,
}) => {
  service.apply(
    productUpserted({ ...bare, id: 1, descriptionHtml: "<p>Goes with any lamp.</p>" }),
    productUpserted({ ...bare, id: 2, name: "Lamp" }),
  );
  assert.equal(await search(service, "lamp"), [2, 1]);
});

test("contract §4 products of equal relevance are sorted by id", async ({ service }) => {
  const ids = [12, 3, 100, 7];
  service.apply(...ids.map((id) => productUpserted({ ...bare, id, name: "Lamp" })));
  assert.equal(await search(service, "lamp"), [3, 7, 12, 100]);
});

test("contract §4 after an edit a product is found by its new words and no longer by its old words", async ({
  service,
}) => {
  service.apply(categoryUpserted({ id: 5, name: "Kitchen" }));
  service.apply(productUpserted({ ...bare, name: "Lamp", reference: "L-1", categoryIds: [5] }));
  service.apply(productPatched({ name: "Chair", reference: "C-1", categoryIds: [] }));
  service.apply(categoryUpserted({ id: 6, name: "Office" }), productPatched({ categoryIds: [6] }));
  service.apply(categoryUpserted({ id: 6, name: "Study" }));
  for (const gone of ["lamp", "L-1", "kitchen", "office"]) {
    assert.equal(await search(service, gone), [], gone);
  }
  for (const found of ["chair", "C-1", "study"]) {
    assert.equal(await search(service, found), [1], found);
  }
});

test("contract §4 a query in another script is searched in the same way", async ({ service }) => {
  service.apply(productUpserted({ ...bare, name: "Кружка синяя 赤い靴" }));
  for (const query of ["кружка", "СИНЯЯ", "赤い靴", "赤"]) {
    assert.equal(await search(service, query), [1], query);
  }
});

test("contract §4 a query of punctuation alone matches nothing and is not an error", async ({
  service,
}) => {
  service.apply(productUpserted());
  for (const query of ["!", "---", "' = --", '"', "%"]) {
    assert.equal(await search(service, query), [], query);
  }
});

test.run();
