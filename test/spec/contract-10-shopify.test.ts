import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ShopifyConnection } from "../../src/connectors/shopify/state.ts";
import { translateShopify } from "../../src/connectors/shopify/translate.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { connection, levelBody, productBody, variantBody } from "../connectors/shopify/bodies.ts";
import {
  type Answer,
  membersOf,
  openConnection,
  type TestConnection,
} from "../helpers/connection-state.ts";

const test = suite("Contract 10, Shopify");

const open = (members: Partial<ShopifyConnection> = {}): TestConnection =>
  openConnection(translateShopify, { ...connection, ...members });

const eventsOf = (answer: Answer): readonly CloudEvent[] => {
  if (answer.outcome !== "prepared") throw new Error(`${answer.outcome}: ${answer.reason}`);
  return answer.events;
};

const dataOf = <T = Record<string, unknown>>(answer: Answer, subject: string): T | undefined =>
  eventsOf(answer).find((event) => event.subject === subject)?.data as T | undefined;

const later = (minutes: number) =>
  new Date(Date.UTC(2026, 9, 1, 9, minutes)).toISOString().replace(".000Z", "Z");

const product = (members: object = {}, settings: Partial<ShopifyConnection> = {}) =>
  open(settings).deliver("products/update", productBody(members));

test("a product has its members, its category and the stock of its variants", () => {
  const answer = product();
  assert.equal(
    eventsOf(answer).map(({ id, type, subject, time }) => [id, type, subject, time]),
    [
      [
        "main/test/1/0",
        "shop.category.upserted",
        "category/8474896767362643",
        "2026-10-01T08:00:00.000Z",
      ],
      ["main/test/1/1", "shop.product.upserted", "product/7", "2026-10-01T08:00:00.000Z"],
      ["main/test/1/2", "shop.stock.changed", "stock/7/501", "2026-10-01T08:00:00.000Z"],
      ["main/test/1/3", "shop.stock.changed", "stock/7/502", "2026-10-01T08:00:00.000Z"],
    ],
  );
  const eur = (amount: string) => ({ amount, currency: "EUR" });
  const variant = (id: number, size: string) => ({
    id,
    sku: `TEE-${size}`,
    gtin: "4006381333931",
    url: `?variant=${id}`,
    options: [{ name: "Size", value: size }],
    price: eur("19.99"),
    listPrice: null,
    images: [],
  });
  assert.equal(dataOf(answer, "product/7"), {
    id: 7,
    name: "Tee",
    descriptionHtml: "<p>Soft.</p>",
    url: "https://shop.example/products/tee",
    brand: "Acme",
    tags: ["summer", "cotton"],
    images: [
      { url: "https://cdn.example/a.jpg", alt: "Front", width: null, height: null },
      { url: "https://cdn.example/b.jpg", alt: null, width: 10, height: 20 },
    ],
    active: true,
    options: [{ name: "Size", values: ["S", "M"] }],
    variants: [variant(501, "S"), variant(502, "M")],
    categoryIds: [8474896767362643],
  });
  assert.equal(dataOf(answer, "stock/7/501"), { productId: 7, variantId: 501, quantity: 3 });
});

const visible: readonly [members: object, isVisible: boolean][] = [
  [{ status: "active" }, true],
  [{ status: undefined }, true],
  [{ status: "draft" }, false],
  [{ status: "archived" }, false],
  [{ status: "unlisted" }, false],
  [{ published_at: null }, false],
];

test("1: a product is visible when it is active and published", () => {
  for (const [members, isVisible] of visible) {
    assert.is(
      dataOf(product(members), "product/7")?.["active"],
      isVisible,
      JSON.stringify(members),
    );
  }
});

test("2: a variant alone is one, without options", () => {
  const answer = product({
    options: [{ name: "Title", position: 1, values: ["Default Title"] }],
    variants: [variantBody({ title: "Default Title", option1: "Default Title" })],
  });
  const data = dataOf<{ options: unknown; variants: { id: number; options: unknown }[] }>(
    answer,
    "product/7",
  );
  assert.equal(data?.options, []);
  assert.equal(
    data?.variants.map(({ id, options }) => [id, options]),
    [[501, []]],
  );
});

test("2: options and variants are in the sequence of the shop", () => {
  const [first, second] = [
    variantBody({ position: 2 }),
    variantBody({ id: 502, position: 1, option1: "M" }),
  ];
  const data = dataOf<{ variants: { id: number }[] }>(
    product({ variants: [first, second] }),
    "product/7",
  );
  assert.equal(
    data?.variants.map(({ id }) => id),
    [502, 501],
  );
});

const prices: readonly [price: unknown, before: unknown, expected: unknown, list: unknown][] = [
  ["19.99", "24.99", "19.99", "24.99"],
  ["19.99", "19.99", "19.99", undefined],
  ["19.99", "9.99", "19.99", undefined],
  ["9.99", "19.9", "9.99", "19.9"],
  ["0.00", null, "0.00", undefined],
  ["19.99", "0.00", "19.99", undefined],
];

test("3: a price to compare with is a list price above the price only", () => {
  for (const [price, before, expected, list] of prices) {
    const variants = [variantBody({ price, compare_at_price: before })];
    const data = dataOf<{
      variants: { price?: { amount: string }; listPrice?: { amount: string } }[];
    }>(product({ variants }), "product/7");
    const [variant] = data?.variants ?? [];
    assert.equal([variant?.price?.amount, variant?.listPrice?.amount], [expected, list]);
  }
});

test("3: without a currency a product is refused, and shop/update gives it", () => {
  const shop = openConnection(translateShopify, { url: "https://shop.example" });
  assert.is(shop.deliver("products/update", productBody()).outcome, "refused");
  const settings = { currency: "USD", primary_locale: "en", iana_timezone: "America/New_York" };
  assert.equal(eventsOf(shop.deliver("shop/update", { ...settings, updated_at: later(1) })), []);
  const old = shop.deliver("shop/update", { currency: "GBP", updated_at: later(0) });
  assert.is(old.outcome, "ignored");
  const data = dataOf<{ variants: { price: unknown }[] }>(
    shop.deliver("products/update", productBody()),
    "product/7",
  );
  assert.equal(data?.variants[0]?.price, { amount: "19.99", currency: "USD" });
});

test("4: a product type is a category, published once", () => {
  const shop = open();
  const first = shop.deliver("products/update", productBody({ product_type: "Tees & Tops" }));
  const [category] = eventsOf(first);
  const { name, url, externalId } = membersOf(category);
  assert.equal([name, externalId], ["Tees & Tops", "Tees & Tops"]);
  assert.is(url, "https://shop.example/collections/types?q=Tees%20%26%20Tops");
  const other = productBody({
    id: 8,
    handle: "top",
    product_type: "Tees & Tops",
    updated_at: later(5),
  });
  const second = eventsOf(shop.deliver("products/update", other));
  assert.not.ok(second.some(({ type }) => type === "shop.category.upserted"));
});

test("4: categories have the connection's address, or are turned off", () => {
  const [category] = eventsOf(product({}, { categoryUrl: "https://shop.example/c/{slug}" }));
  assert.is(membersOf(category)["url"], "https://shop.example/c/Shirts");
  const none = product({}, { categories: "none" });
  assert.equal(dataOf(none, "product/7")?.["categoryIds"], []);
  assert.is(eventsOf(none)[0]?.type, "shop.product.upserted");
});

type Step = readonly [topic: string, body: object];
const level = (minutes: number, members: object = {}): Step => [
  "inventory_levels/update",
  levelBody({ updated_at: later(minutes), ...members }),
];
const restated = (minutes: number, variant: object = {}): Step => [
  "products/update",
  productBody({ updated_at: later(minutes), variants: [variantBody(variant)] }),
];
const item = (minutes: number, tracked: boolean): Step => [
  "inventory_items/update",
  { id: 9001, sku: "TEE-S", tracked, updated_at: later(minutes) },
];

/** Returns the newest stock of variant 501 after some deliveries. */
const stockAfter = (steps: readonly Step[], locations?: number | readonly number[]) => {
  const shop = open(locations === undefined ? {} : { locations });
  let newest: unknown;
  for (const [topic, body] of steps) {
    const answer = shop.deliver(topic, body);
    if (answer.outcome === "refused") throw new Error(answer.reason);
    newest = (answer.outcome === "prepared" && dataOf(answer, "stock/7/501")) || newest;
  }
  const { quantity, orderable, availability } = (newest ?? {}) as Record<string, unknown>;
  return [quantity, orderable, availability].filter((value) => value !== undefined);
};

const inStock = [null, true, "in_stock"];
const stocks: Readonly<
  Record<
    string,
    readonly [
      steps: readonly Step[],
      locations: number | readonly number[] | undefined,
      expected: readonly unknown[],
    ]
  >
> = {
  "the product alone": [[restated(0)], 1, [3]],
  "a newer level of the one location": [[restated(0), level(1)], 1, [5]],
  "an older level": [[restated(2), level(1)], 1, [3]],
  "a level of the product's time": [[restated(1), level(1)], 1, [3]],
  "a product that is newer than the level": [
    [restated(0), level(1), restated(2, { inventory_quantity: 4 })],
    1,
    [4],
  ],
  "a level before its product": [[level(1), restated(0)], 1, [5]],
  "a level without stated locations": [[restated(0), level(1)], undefined, [3]],
  "one level of two locations": [[restated(0), level(1)], 2, [3]],
  "both levels of two locations": [
    [restated(0), level(1), level(2, { location_id: 2, available: 7 })],
    2,
    [12],
  ],
  "two levels that came in the other sequence": [
    [restated(0), level(2, { location_id: 2, available: 7 }), level(1)],
    2,
    [12],
  ],
  "a location that was disconnected": [
    [
      restated(0),
      level(1),
      ["inventory_levels/disconnect", { inventory_item_id: 9001, location_id: 2 }],
    ],
    2,
    [5],
  ],
  "locations that the connection lists": [
    [restated(0), level(1), level(2, { location_id: 2, available: 7 })],
    [2],
    [7],
  ],
  "a listed location and a newer product": [[restated(0), level(1), restated(5)], [1], [5]],
  "an older level of a location": [
    [restated(0), level(3, { available: 1 }), level(2, { available: 9 })],
    1,
    [1],
  ],
  "an item that is not tracked": [[restated(0), item(1, false)], 1, inStock],
  "an item that is not tracked, before its product": [[item(1, false), restated(0)], 1, inStock],
  "an item that is tracked again": [[restated(0), item(1, false), item(2, true)], 1, [3]],
  "a level that is not tracked": [[restated(0), level(1, { available: null })], 1, inStock],
  "no management of inventory": [[restated(0, { inventory_management: null })], 1, inStock],
  "management of inventory": [[restated(0, { inventory_management: "shopify" })], 1, [3]],
  "nothing left": [[restated(0, { inventory_quantity: 0 })], 1, [0]],
  oversold: [[restated(0, { inventory_quantity: -2 })], 1, [-2]],
  "a backorder": [
    [restated(0, { inventory_quantity: 0, inventory_policy: "continue" })],
    1,
    [0, "backorder"],
  ],
  "goods left that may be sold at 0": [[restated(0, { inventory_policy: "continue" })], 1, [3]],
};

for (const [name, [steps, locations, expected]] of Object.entries(stocks)) {
  test(`5, 6: the stock follows ${name}`, () => {
    assert.equal(stockAfter(steps, locations), expected);
  });
}

const refusals: readonly [path: string, topic: string, body: object][] = [
  ["variants", "products/update", productBody({ variants: undefined })],
  ["options", "products/update", productBody({ options: undefined })],
  ["variants", "products/update", productBody({ variant_gids: [{}, {}, {}] })],
  ["id", "products/update", productBody({ id: null })],
  ["title", "products/update", productBody({ title: " " })],
  ["handle", "products/update", productBody({ handle: "" })],
  ["updated_at", "products/update", productBody({ updated_at: "2026-10-01T10:00:00" })],
  ["variants[0].id", "products/update", productBody({ variants: [variantBody({ id: null })] })],
  ["id", "products/delete", {}],
  ["inventory_item_id", "inventory_levels/update", levelBody({ inventory_item_id: null })],
  ["location_id", "inventory_levels/disconnect", { inventory_item_id: 1 }],
  ["available", "inventory_levels/update", levelBody({ available: "many" })],
  ["updated_at", "inventory_levels/update", levelBody({ updated_at: null })],
  ["id", "inventory_items/update", { tracked: true, updated_at: later(1) }],
  ["tracked", "inventory_items/update", { id: 1, updated_at: later(1) }],
  ["", "products/update", []],
];

test("7: bodies that cannot be used are refused with the path, and change no state", () => {
  for (const [path, topic, body] of refusals) {
    const shop = open();
    const answer = shop.deliver(topic, body);
    assert.is(answer.outcome, "refused", `${topic} ${path}`);
    assert.is(answer.outcome === "refused" && answer.path, path);
    assert.is(shop.rows.size, 0);
  }
});

test("7: test deliveries and topics without goods are ignored", () => {
  const shop = open();
  const headers = { "x-shopify-test": "true" };
  assert.is(shop.deliver("products/update", productBody(), { headers }).outcome, "ignored");
  assert.is(shop.deliver("orders/create", { id: 1, email: "a@b.example" }).outcome, "ignored");
  assert.is(shop.rows.size, 0);
});

test("8: a barcode is a GTIN by its digits, and pictures get a scheme", () => {
  for (const [barcode, gtin] of [
    ["12345670", "12345670"],
    ["ABC-1", null],
    ["123456789", null],
    ["", null],
  ]) {
    const answer = product({ variants: [variantBody({ barcode })] });
    const data = dataOf<{ variants: { gtin: unknown }[] }>(answer, "product/7");
    assert.is(data?.variants[0]?.gtin, gtin);
  }
});

test("a deletion has the header's time, at most that of the arrival, and nothing older counts after it", () => {
  const shop = open();
  shop.deliver("products/update", productBody());
  const headers = { "x-shopify-triggered-at": "2026-10-02T10:00:00.5Z" };
  const [deleted] = eventsOf(shop.deliver("products/delete", { id: 7 }, { headers }));
  assert.equal(
    [deleted?.type, deleted?.time],
    ["shop.product.deleted", "2026-10-02T10:00:00.500Z"],
  );
  assert.is(
    shop.deliver("products/update", productBody({ updated_at: later(30) })).outcome,
    "ignored",
  );
  const ahead = { "x-shopify-triggered-at": "2036-10-02T10:00:00Z" };
  const [clamped] = eventsOf(open().deliver("products/delete", { id: 7 }, { headers: ahead }));
  assert.is(clamped?.time, "2026-11-01T12:00:00.000Z");
});

test("a variant that a product has no more loses its stock row", () => {
  const shop = open();
  shop.deliver("products/update", productBody());
  shop.deliver("products/update", productBody({ updated_at: later(5), variants: [variantBody()] }));
  assert.equal(
    [...shop.rows.keys()].filter((key) => key.startsWith("items/")),
    ["items/9001"],
  );
});

test.run();
