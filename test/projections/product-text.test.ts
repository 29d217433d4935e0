import { suite } from "uvu";
import * as assert from "uvu/assert";
import { evolveCore } from "../../projections/product-core.ts";
import { buildProductText } from "../../projections/product-text.ts";
import type { AssembledVariant } from "../../projections/variants.ts";
import type { CoreRow } from "../../src/read-model/schema/rows.ts";
import { productPatched, productUpserted } from "../helpers/events.ts";
import { at, eventOf, fold, ms, text, withoutHtml } from "./events.ts";

const test = suite("the text of a product");

const evolve = withoutHtml((row: CoreRow | undefined, event: Parameters<typeof evolveCore>[1]) =>
  evolveCore(row, event, text),
);
const upserted = (data: Parameters<typeof productUpserted>[0] = {}, minute = 1) =>
  eventOf("shop.product.upserted", productUpserted({ id: 7, ...data }, at(minute)));
const coreOf = (data: Parameters<typeof productUpserted>[0] = {}) => fold(evolve, [upserted(data)]);
const textOf = (core: CoreRow | undefined, active: readonly AssembledVariant[] = [], namedAt = 0) =>
  buildProductText(7, core, active, namedAt);

test("shows the members of the core", () => {
  const url = "https://shop.example/7.jpg";
  const core = coreOf({
    brand: "Acme",
    categoryIds: [2, 1],
    specifications: [{ name: "Width", value: "3" }],
    images: [{ url, alt: "front" }],
    tags: ["new"],
    options: [{ name: "Size", values: [{ value: "S" }] }],
  });
  const size = { name: "Size", code: null, values: [{ value: "S" }] };
  assert.equal(textOf(core), {
    id: 7,
    name: "Product 7",
    url: "https://shop.example/products/7",
    reference: "SKU-7",
    gtin: null,
    brand: "Acme",
    categoryIds: [2, 1],
    specifications: [{ name: "Width", value: "3" }],
    images: [{ url, alt: "front" }],
    facts: { tags: ["new"] },
    options: [size],
    descriptionHash: "hash of <p>What product 7 is.</p>",
    changedAt: ms(1),
    shownAt: ms(1),
  });
});

test("has no hash without a description", () => {
  assert.is(textOf(coreOf({ descriptionHtml: null }))?.descriptionHash, null);
});

test("has another hash when its description is another", () => {
  const hashOf = (data: Parameters<typeof productUpserted>[0]) =>
    textOf(coreOf(data))?.descriptionHash;
  assert.is.not(hashOf({ descriptionHtml: "<p>Other</p>" }), hashOf({}));
  assert.is(hashOf({ name: "Other" }), hashOf({}));
});

test("does not exist for a product that is missing or inactive", () => {
  assert.is(textOf(undefined), undefined);
  assert.is(textOf(coreOf({ active: false })), undefined);
});

test("has the values of options that only variants have", () => {
  const content = {
    ...{ id: 1, sku: null, gtin: null, name: null, url: null, active: true },
    options: [
      { name: "Size", value: "M" },
      { name: "Colour", value: "red" },
    ],
  };
  const variant = { content } as unknown as AssembledVariant;
  const core = coreOf({ options: [{ name: "Size", values: [{ value: "S" }] }] });
  assert.equal(
    textOf(core, [variant])?.options.map(({ name, values }) => [
      name,
      values.map(({ value }) => value),
    ]),
    [
      ["Size", ["S", "M"]],
      ["Colour", ["red"]],
    ],
  );
});

test("a later name of a category dates the page only", () => {
  const { changedAt, shownAt } = textOf(coreOf(), [], ms(6)) ?? {};
  assert.equal([changedAt, shownAt], [ms(1), ms(6)]);
});

test("an earlier name of a category dates nothing", () => {
  const core = fold(evolve, [upserted({}, 4)]);
  const { changedAt, shownAt } = textOf(core, [], ms(2)) ?? {};
  assert.equal([changedAt, shownAt], [ms(4), ms(4)]);
});

test("a patch without a change dates nothing", () => {
  const patch = eventOf("shop.product.patched", productPatched({ id: 7, brand: null }, at(5)));
  assert.is(textOf(fold(evolve, [upserted(), patch]))?.changedAt, ms(1));
});

test.run();
