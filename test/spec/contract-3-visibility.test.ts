import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import {
  carrierUpserted,
  categoryUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { agentOf } from "../mcp/calls.ts";
import { bearer, listing, postTo, type SendRequest, surfaces } from "./every-surface.ts";

const test = suite<{ service: TestServer }>("contract §3 visibility");

test.before.each(async (context) => {
  context.service = await openTestServer();
  context.service.apply(settingsUpdated());
});
test.after.each(({ service }) => service.close());

const at = (hour: number) => ({ time: `2026-10-01T${String(hour).padStart(2, "0")}:00:00Z` });

interface Seen {
  readonly shop: { readonly productCount: number };
  readonly product: { readonly product: object | null; readonly userErrors: { code: string }[] };
  readonly products: { readonly nodes: object[]; readonly totalCount: number };
  readonly found: { readonly nodes: object[]; readonly totalCount: number };
}

/** Whether product 1 is visible; all surfaces of GraphQL must agree. */
const isVisible = async ({ graphql }: TestServer): Promise<boolean> => {
  const { data } = await graphql<Seen>(`{
    shop { productCount }
    product(id: 1) { product { id } userErrors { code } }
    products { nodes { id } totalCount }
    found: products(query: "product") { nodes { id } totalCount }
  }`);
  const seen = [
    data.shop.productCount === 1,
    data.product.product !== null,
    data.product.userErrors[0]?.code !== "NOT_FOUND",
    data.products.nodes.length === 1,
    data.products.totalCount === 1,
    data.found.nodes.length === 1,
    data.found.totalCount === 1,
  ];
  assert.is(new Set(seen).size, 1, JSON.stringify(data));
  return data.product.product !== null;
};

const lives: Readonly<Record<string, readonly [boolean, ...CloudEvent[]]>> = {
  "upserted is visible": [true, productUpserted()],
  "that only has stock and a price is not visible": [false, stockChanged(), priceChanged()],
  "that was only patched is not visible": [false, productPatched({ name: "Product 1" })],
  "that is not active is not visible": [false, productUpserted({ active: false })],
  "patched to inactive is not visible": [
    false,
    productUpserted(),
    productPatched({ active: false }),
  ],
  "made active again is visible": [
    true,
    productUpserted({ active: false }, at(8)),
    productPatched({ active: true }, at(9)),
  ],
  "that is deleted is not visible": [false, productUpserted({}, at(8)), productDeleted(1, at(9))],
  "deleted stays deleted when an older upsert arrives late": [
    false,
    productUpserted({}, at(7)),
    productDeleted(1, at(9)),
    productUpserted({}, at(8)),
  ],
  "deleted before its first upsert stays deleted when the older upsert arrives late": [
    false,
    productDeleted(1, at(9)),
    productUpserted({}, at(8)),
  ],
  "deleted and upserted again is visible": [
    true,
    productUpserted({}, at(7)),
    productDeleted(1, at(8)),
    productUpserted({}, at(9)),
  ],
  "upserted stays visible when an older delete arrives late": [
    true,
    productUpserted({}, at(9)),
    productDeleted(1, at(8)),
  ],
};

for (const [life, [visible, ...events]] of Object.entries(lives)) {
  test(`contract §3 a product ${life}`, async ({ service }) => {
    service.apply(...events);
    assert.is(await isVisible(service), visible);
  });

  test(`contract §3 a product ${life}, with one event per batch`, async ({ service }) => {
    for (const event of events) service.apply(event);
    assert.is(await isVisible(service), visible);
  });
}

const availabilityOf = async ({ graphql }: TestServer): Promise<string> =>
  (
    await graphql<{ product: { product: { availability: string } } }>(
      "{ product(id: 1) { product { availability } } }",
    )
  ).data.product.product.availability;

const stocks: Readonly<Record<string, readonly [string, ...CloudEvent[]]>> = {
  "OUT_OF_STOCK before the first stock event": ["OUT_OF_STOCK"],
  "IN_STOCK with a quantity": ["IN_STOCK", stockChanged({ quantity: 1 })],
  "OUT_OF_STOCK with none": ["OUT_OF_STOCK", stockChanged({ quantity: 0 })],
  "OUT_OF_STOCK with an unknown quantity": ["OUT_OF_STOCK", stockChanged({ quantity: null })],
  "IN_STOCK when orderable with quantity 0": [
    "IN_STOCK",
    stockChanged({ quantity: 0, orderable: true }),
  ],
  "IN_STOCK when orderable with an unknown quantity": [
    "IN_STOCK",
    stockChanged({ quantity: null, orderable: true }),
  ],
  "OUT_OF_STOCK when not orderable, whatever the quantity": [
    "OUT_OF_STOCK",
    stockChanged({ quantity: 9, orderable: false }),
  ],
  "that of the newest stock event, not of the last to arrive": [
    "IN_STOCK",
    stockChanged({ quantity: 1 }, at(9)),
    stockChanged({ quantity: 0 }, at(8)),
  ],
  "that of the stock event with the highest sequence, whatever the times": [
    "IN_STOCK",
    stockChanged({ quantity: 1 }, { ...at(8), sequence: 10 }),
    stockChanged({ quantity: 0 }, { ...at(9), sequence: 9 }),
  ],
};

for (const [name, [availability, ...events]] of Object.entries(stocks)) {
  test(`contract §3 availability is ${name}`, async ({ service }) => {
    service.apply(productUpserted(), ...events);
    assert.is(await availabilityOf(service), availability);
  });
}

test("contract §3 a stock event may arrive before its product", async ({ service }) => {
  service.apply(stockChanged({ quantity: 4 }));
  service.apply(productUpserted());
  assert.is(await availabilityOf(service), "IN_STOCK");
});

test("contract §3 pricesVisible false makes every price null, and true shows prices again", async ({
  service,
}) => {
  service.apply(productUpserted({ id: 1 }), productUpserted({ id: 2 }));
  const prices = async (): Promise<readonly unknown[]> => {
    const { data } = await service.graphql<{
      product: { product: { price: unknown } };
      products: { nodes: { price: unknown }[]; edges: { node: { price: unknown } }[] };
      found: { nodes: { price: unknown }[] };
    }>(`{
      product(id: 1) { product { price { amount } } }
      products { nodes { price { amount } } edges { node { price { amount } } } }
      found: products(query: "product") { nodes { price { amount } } }
    }`);
    return [
      data.product.product,
      ...data.products.nodes,
      ...data.products.edges.map(({ node }) => node),
      ...data.found.nodes,
    ].map(({ price }) => price);
  };
  const shown = { amount: "12.90" };
  assert.equal(await prices(), Array(7).fill(shown));
  service.apply(settingsUpdated({ pricesVisible: false }));
  assert.equal(await prices(), Array(7).fill(null));
  service.apply(settingsUpdated({ pricesVisible: true }));
  assert.equal(await prices(), Array(7).fill(shown));
});

test("contract §3 pricesVisible false removes every amount from all surfaces, shipping included", async ({
  service,
}) => {
  const eur = (amount: string) => ({ amount, currency: "EUR" });
  const checkoutLink = { preset: "shopify" } as const;
  const settings = { freeShippingThreshold: eur("71.17"), checkoutLink };
  service.apply(
    categoryUpserted({ id: 1 }),
    productUpserted({ id: 1, price: eur("72.17"), categoryIds: [1] }),
    stockChanged({ productId: 1 }),
    carrierUpserted({ price: { min: "73.17", max: "74.17", currency: "EUR" } }),
  );
  const agent = await agentOf(service);
  const reported = async (): Promise<readonly string[]> => {
    const texts = [
      ...Object.values(surfaces).map((ask) => ask(service)),
      ...["/index.md", "/openapi.json", "/auth.md", "/categories/1.md"].map((path) =>
        service.get(path),
      ),
      service.get("/", { accept: "text/html" }),
      service.post({ query: everyAmount }),
      research("search", { query: "product" })(service),
      ...["product:1", "category:1"].map((id) => research("fetch", { id })(service)),
    ].map(async (requested) => (await requested).text());
    const calls = [
      agent.call("search_products", { with_facets: true }),
      agent.call("get_product", { product_id: 1 }),
      agent.call("check_availability", { product_ids: [1] }),
      agent.call("get_shipping_options", { country_code: "DE" }),
      agent.call("create_checkout_link", { items: [{ product_id: 1 }] }),
    ].map(async (called) => JSON.stringify(await called));
    const all = (await Promise.all([...texts, ...calls])).join("\n");
    return [...new Set(all.match(/7\d\.17/g))].sort();
  };
  service.apply(settingsUpdated(settings, { time: "2026-10-02T08:00:00Z" }));
  assert.equal(await reported(), ["71.17", "72.17", "73.17", "74.17"]);
  service.apply(
    settingsUpdated({ ...settings, pricesVisible: false }, { time: "2026-10-03T08:00:00Z" }),
  );
  assert.equal(await reported(), []);
});

const research = (name: string, args: object): SendRequest => {
  const params = { name, arguments: args };
  return postTo("/agent/mcp/research", { ...listing, method: "tools/call", params }, bearer);
};

const everyAmount = `{ products {
  nodes { price { amount } } edges { cursor }
  facets { prices { min max } }
} }`;

test.run();
