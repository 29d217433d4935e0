import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  pageUpserted,
  priceChanged,
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§2 resources");

test.before.each(async (context) => {
  context.service = await openTestServer();
});
test.after.each(({ service }) => service.close());

type Fields = Readonly<Record<string, unknown>>;

const shop = async (service: TestServer, fields: string): Promise<Fields> => {
  const { data, errors } = await service.graphql<{ shop: Fields }>(`{ shop { ${fields} } }`);
  assert.is(errors, undefined);
  return data.shop;
};

const product = async (service: TestServer, fields: string, id = 1): Promise<Fields> => {
  const { data, errors } = await service.graphql<{ product: { product: Fields } }>(
    `{ product(id: ${id}) { product { ${fields} } } }`,
  );
  assert.is(errors, undefined);
  return data.product.product;
};

const categories = async (service: TestServer, fields: string): Promise<readonly Fields[]> =>
  (
    await service.graphql<{ categories: { categories: Fields[] } }>(
      `{ categories { categories { ${fields} } } }`,
    )
  ).data.categories.categories;

const policies = async (service: TestServer, fields: string): Promise<readonly Fields[]> =>
  (
    await service.graphql<{ policies: { policies: Fields[] } }>(
      `{ policies { policies { ${fields} } } }`,
    )
  ).data.policies.policies;

const at = (hour: number) => ({ time: `2026-10-01T${String(hour).padStart(2, "0")}:00:00Z` });

test("§2 Shop.name, url, language and currency are those of the newest settings event", async ({
  service,
}) => {
  const fields = "name url language currency";
  service.apply(settingsUpdated());
  const settings = {
    name: "Tesoro",
    url: "https://tesoro.example",
    language: "it",
    currency: "CHF",
  };
  service.apply(settingsUpdated(settings));
  assert.equal(await shop(service, fields), settings);
});

test("§2 Shop.productCount is the number of active products", async ({ service }) => {
  service.apply(
    productUpserted({ id: 1 }),
    productUpserted({ id: 2 }),
    productUpserted({ id: 3, active: false }),
    stockChanged({ productId: 4 }),
  );
  assert.equal(await shop(service, "productCount"), { productCount: 2 });
});

test("§2 Shop.categoryCount is the number of categories with at least one product", async ({
  service,
}) => {
  service.apply(
    ...[1, 2, 3].map((id) => categoryUpserted({ id })),
    productUpserted({ id: 1, categoryIds: [1] }),
    productUpserted({ id: 2, categoryIds: [1, 2] }),
    productUpserted({ id: 3, categoryIds: [3], active: false }),
  );
  assert.equal(await shop(service, "categoryCount"), { categoryCount: 2 });
});

test("§2 Shop.apiVersion equals the API-Version header", async ({ service }) => {
  const response = await service.post({ query: "{ shop { apiVersion } }" });
  const apiVersion = response.headers.get("api-version");
  assert.equal(await response.json(), { data: { shop: { apiVersion } } });
});

test("§2 Shop.deprecationPolicy states how the schema evolves, in the shop's words when it has any", async ({
  service,
}) => {
  service.apply(settingsUpdated());
  assert.match(String((await shop(service, "deprecationPolicy")).deprecationPolicy), /180 days/);
  const deprecationPolicy = "We \u202eannounce\u3164 by\u{e0041} letter.\u0007";
  service.apply(settingsUpdated({ deprecationPolicy }));
  assert.equal(await shop(service, "deprecationPolicy"), {
    deprecationPolicy: "We announce by letter.",
  });
});

test("§2 Product.id is numeric and stable across renames", async ({ service }) => {
  service.apply(productUpserted({ id: 4711, name: "Old", url: "https://shop.example/old" }));
  service.apply(productPatched({ id: 4711, name: "New", url: "https://shop.example/new" }));
  assert.equal(await product(service, "id name url", 4711), {
    id: "4711",
    name: "New",
    url: "https://shop.example/new",
  });
});

test("§2 Product.description is plain text without markup", async ({ service }) => {
  service.apply(
    productUpserted({
      descriptionHtml:
        "<h2>Mug</h2><p onclick='x()'>Holds <b>0.3</b> l &amp; more.</p><script>alert(1)</script><style>p{}</style>",
    }),
  );
  const { description } = await product(service, "description");
  assert.match(String(description), "Holds 0.3 l & more.");
  assert.not.match(String(description), /[<>]|alert|onclick|p\{\}/);
});

test("§2 Product.description, reference, gtin and brand are null when the shop has no value", async ({
  service,
}) => {
  const fields = "description reference gtin brand";
  service.apply(productUpserted({ reference: "A-1", gtin: "4006381333931", brand: "Acme" }));
  assert.equal(await product(service, fields), {
    description: "What product 1 is.",
    reference: "A-1",
    gtin: "4006381333931",
    brand: "Acme",
  });
  service.apply(
    productPatched({ descriptionHtml: null, reference: null, gtin: null, brand: null }),
  );
  assert.equal(await product(service, fields), {
    description: null,
    reference: null,
    gtin: null,
    brand: null,
  });
});

test("§2 Product.url is the canonical product page", async ({ service }) => {
  service.apply(productUpserted({ url: "https://shop.example/mugs/blue?size=1" }));
  assert.equal(await product(service, "url"), { url: "https://shop.example/mugs/blue?size=1" });
});

test("§2 Product.price is the current price", async ({ service }) => {
  service.apply(productUpserted({}, at(8)));
  assert.equal(await product(service, "price { amount currency }"), {
    price: { amount: "12.90", currency: "EUR" },
  });
  service.apply(priceChanged({ price: { amount: "9.90", currency: "USD" } }, at(9)));
  assert.equal(await product(service, "price { amount currency }"), {
    price: { amount: "9.90", currency: "USD" },
  });
  service.apply(priceChanged({ price: null }, at(10)));
  assert.equal(await product(service, "price { amount }"), { price: null });
});

test("§2 Product.price is null when the shop hides prices from anonymous callers", async ({
  service,
}) => {
  service.apply(settingsUpdated({ pricesVisible: false }), productUpserted());
  assert.equal(await product(service, "price { amount }"), { price: null });
});

test("§2 Product.availability is current: the request after a change shows it", async ({
  service,
}) => {
  service.apply(productUpserted());
  for (const quantity of [3, 0, 1]) {
    service.apply(stockChanged({ quantity }));
    assert.equal(await product(service, "availability"), {
      availability: quantity > 0 ? "IN_STOCK" : "OUT_OF_STOCK",
    });
  }
});

test("§2 Product.inStock agrees with availability", async ({ service }) => {
  service.apply(productUpserted());
  assert.equal(await product(service, "inStock"), { inStock: false });
  service.apply(stockChanged());
  assert.equal(await product(service, "inStock"), { inStock: true });
});

test("§2 Product.updatedAt is an ISO 8601 timestamp of the last edit", async ({ service }) => {
  service.apply(productUpserted({}, { time: "2026-10-01T10:30:00+02:00" }));
  const { updatedAt } = await product(service, "updatedAt");
  assert.match(String(updatedAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
  assert.is(Date.parse(String(updatedAt)), Date.parse("2026-10-01T08:30:00Z"));
});

for (const amount of ["12.90", "0", "0.10", "100000000000000.01", "0.000001"]) {
  test(`§2 Money.amount is a decimal string, never a float: ${amount}`, async ({ service }) => {
    service.apply(productUpserted({ price: { amount, currency: "EUR" } }));
    assert.equal(await product(service, "price { amount }"), { price: { amount } });
  });
}

test("§2 Money.currency is the price's ISO 4217 code", async ({ service }) => {
  service.apply(settingsUpdated(), productUpserted({ price: { amount: "1", currency: "JPY" } }));
  assert.equal(await product(service, "price { currency }"), { price: { currency: "JPY" } });
});

test("§2 Category.id, name and url are those of the newest category event", async ({ service }) => {
  service.apply(categoryUpserted({ id: 12, name: "Old" }));
  service.apply(categoryUpserted({ id: 12, name: "Mugs", url: "https://shop.example/mugs" }));
  assert.equal(await categories(service, "id name url"), [
    { id: "12", name: "Mugs", url: "https://shop.example/mugs" },
  ]);
});

test("§2 Category.depth is 1 at the root, where parentId is null", async ({ service }) => {
  service.apply(
    categoryUpserted({ id: 1 }),
    categoryUpserted({ id: 2, parentId: 1 }),
    categoryUpserted({ id: 3, parentId: 2 }),
  );
  assert.equal(await categories(service, "id depth parentId"), [
    { id: "1", depth: 1, parentId: null },
    { id: "2", depth: 2, parentId: "1" },
    { id: "3", depth: 3, parentId: "2" },
  ]);
});

test("§2 Category.productCount counts the active products directly in it", async ({ service }) => {
  service.apply(
    categoryUpserted({ id: 1 }),
    categoryUpserted({ id: 2, parentId: 1 }),
    productUpserted({ id: 1, categoryIds: [2] }),
    productUpserted({ id: 2, categoryIds: [2] }),
    productUpserted({ id: 3, categoryIds: [2], active: false }),
  );
  assert.equal(await categories(service, "id productCount"), [
    { id: "1", productCount: 0 },
    { id: "2", productCount: 2 },
  ]);
});

test("§2 Policy.id, title and url are the page's own", async ({ service }) => {
  const page = { id: 7, title: "Returns", url: "https://shop.example/returns" };
  service.apply(pageUpserted({ ...page, policy: "returns" }));
  assert.equal(await policies(service, "id title url"), [{ ...page, id: "7" }]);
});

test("§2 Policy.summary is the first paragraph as plain text", async ({ service }) => {
  service.apply(
    pageUpserted({
      policy: "returns",
      contentHtml: "<h1>Returns</h1><p>Within <em>30</em> days &amp; free.</p><p>Else not.</p>",
    }),
  );
  assert.equal(await policies(service, "summary"), [{ summary: "Within 30 days & free." }]);
});

test("§2 PolicyPayload.policies has every published policy page and no other page", async ({
  service,
}) => {
  const topics = [
    "returns",
    "shipping",
    "payment",
    "terms",
    "privacy",
    "contact",
    "other",
  ] as const;
  service.apply(
    ...topics.map((policy, index) => pageUpserted({ id: index + 1, policy })),
    pageUpserted({ id: 8, policy: "returns" }),
    pageUpserted({ id: 9, policy: null }),
    pageUpserted({ id: 10, policy: "terms", published: false }),
  );
  const ids = (await policies(service, "id")).map(({ id }) => id);
  assert.equal(ids.sort(), ["1", "2", "3", "4", "5", "6", "7", "8"]);
});

test.run();
