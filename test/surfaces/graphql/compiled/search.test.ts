import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openReader } from "../../../../src/read-model/reader/open-reader.ts";
import type { Reader } from "../../../../src/read-model/reader/reader.ts";
import {
  categoryUpserted,
  priceChanged,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../../helpers/events.ts";
import { history } from "../../../helpers/histories.ts";
import { openModel, type TestModel } from "../../../helpers/model.ts";
import { answer, answersAlike, createPlanned, selectEverything } from "./compare-answers.ts";

const test = suite<{ model: TestModel; reader: Reader }>("compiled GraphQL plans of searches");

const names = ["Red shoe", "Blue shoe", "Ångström lamp", "Red lamp", "Shoe rack"];

test.before.each((context) => {
  const model = openModel();
  model.apply(categoryUpserted({ id: 1 }), categoryUpserted({ id: 2, parentId: 1 }));
  for (const [at, name] of names.entries()) {
    const id = at + 1;
    const brand = id % 2 ? "Acme" : "Bolt ä";
    model.apply(
      productUpserted({ id, name, brand, categoryIds: [1 + (id % 2)], reference: `R-${id}` }),
      priceChanged({ productId: id, price: { amount: `${10 - id}.50`, currency: "EUR" } }),
      stockChanged({ productId: id, quantity: id % 3 }),
    );
  }
  Object.assign(context, { model, reader: openReader(model.store) });
});

test.after.each(({ model }) => model.close());

const all = `totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  edges { cursor node { id name brand price { amount } inStock } }
  facets { brands { brand count } categories { id name count } prices { min max count } }
  search { relaxed matchedWords corrections { word words } unknownWords suggestions }
  userErrors { code field message }`;

const head = `query($first: Int, $after: String, $query: String, $stock: Boolean, $relax: Boolean,
  $sort: ProductOrder, $category: ID, $brand: String, $min: String, $max: String, $ids: [ID!],
  $reference: String, $gtin: String, $url: String)`;

const byVariables = `${head} { products(first: $first, after: $after, query: $query,
  inStockOnly: $stock, relax: $relax, orderBy: $sort, categoryId: $category, brand: $brand,
  priceMin: $min, priceMax: $max, ids: $ids, reference: $reference, gtin: $gtin, url: $url) { ${all} } }`;

const questions: readonly object[] = [
  {},
  { query: "shoe" },
  { query: "red sheo", first: 1 },
  { query: "red bicycle", relax: true },
  { query: "shoo", relax: false },
  { query: "Ångstrom", stock: true },
  ...["RELEVANCE", "PRICE_ASC", "PRICE_DESC", "NAME"].map((sort) => ({ sort, first: 2 })),
  { query: "lamp", sort: "NAME" },
  { category: "1" },
  { category: 2, brand: "ACME" },
  { category: "99" },
  { brand: "bolt a" },
  { min: "6", max: "8.50" },
  { min: "six" },
  { ids: ["3", 1, "77"] },
  { ids: "2" },
  { ids: null },
  { ids: ["x"] },
  { reference: "r3" },
  { gtin: "4006381333931" },
  { url: "/p/1" },
];

test("every kind of search is compiled, and answered as by graphql-js", ({ reader }) => {
  for (const variables of questions) answersAlike(reader, byVariables, variables);
});

test("pages of a search continue after the last cursor", ({ reader }) => {
  for (const search of [{ query: "shoe" }, { sort: "PRICE_ASC" }, { brand: "acme" }]) {
    const first = { ...search, first: 1 };
    const { body } = answer(createPlanned(), reader, byVariables, first);
    const after = JSON.parse(body).data.products.pageInfo.endCursor;
    answersAlike(reader, byVariables, { ...first, after });
  }
});

test("arguments within lists and objects are answered as by graphql-js", ({ reader }) => {
  answersAlike(reader, `{ products(ids: [1, "2"], orderBy: NAME, relax: true) { ${all} } }`, {});
  const within = `query($id: ID!, $value: String!) {
    products(ids: [$id, 2], options: [{ name: "Color", value: $value }]) { ${all} } }`;
  answersAlike(reader, within, { id: 1, value: "red" });
});

test("a compiled plan hides the prices of a shop that hides them", ({ model, reader }) => {
  model.apply(settingsUpdated({ pricesVisible: false }));
  for (const variables of questions) answersAlike(reader, byVariables, variables);
});

test("random shops with sales and variants are answered as by graphql-js", async () => {
  const everything = selectEverything("product(id: 1)", "products(first: 4)");
  for (const events of fc.sample(history, 8)) {
    const shop = openModel();
    shop.apply(...events);
    assert.ok(answersAlike(openReader(shop.store), everything, {}));
    await shop.close();
  }
});

test.run();
