import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, stockChanged } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf } from "../mcp/calls.ts";
import { euros, jacket, settings } from "./goods/situations.ts";

interface Context {
  server: TestServer;
  agent: Agent;
}

const test = suite<Context>("Contract 9, tools");

const time = "2026-09-02T00:00:00Z";
const bottles = [
  productUpserted(
    { id: 6, name: "Bottle", price: euros("1.50"), quantityRule: { min: 6, step: 6, max: 24 } },
    { time },
  ),
  stockChanged({ productId: 6, quantity: 100 }, { time }),
];
const rules = (
  [
    [7, { min: 3, step: 2 }],
    [8, { min: 1_200, step: 100 }],
    [9, { min: 400, step: 400 }],
    [10, { min: 1_000_000 }],
  ] as const
).flatMap(([id, quantityRule]) => [
  productUpserted({ id, name: `Goods ${id}`, price: euros("2.00"), quantityRule }, { time }),
  stockChanged({ productId: id, quantity: 100 }, { time }),
]);
const lamp = [
  productUpserted(
    {
      ...{ id: 11, name: "Lamp", price: euros("90.00"), listPrice: euros("120.00") },
      ...{ priorPrice: euros("85.00"), sales: [{ price: euros("70.00") }] },
    },
    { time },
  ),
  stockChanged({ productId: 11, quantity: 4 }, { time }),
];

test.before(async (context) => {
  const now = Date.parse("2026-11-25T20:00:00Z");
  context.server = await openTestServer({ now: () => now });
  const checkoutLink = { preset: "shopify" } as const;
  context.server.apply(settings({ checkoutLink }), ...jacket, ...bottles, ...rules);
  context.agent = await agentOf(context.server);
});
test.after(({ server }) => server.close());

interface Found {
  readonly products: readonly {
    readonly id: number;
    readonly variant_count?: number;
    readonly matched_variants?: readonly {
      readonly id: string;
      readonly price: { readonly amount: string } | null;
    }[];
  }[];
}

test("Contract 9, tools: 12 search_products tells which variant matches, with its price", async ({
  agent,
}) => {
  const { structuredContent, content } = await agent.call<Found>("search_products", {
    query: "red jacket m",
    price_max: "90",
    in_stock_only: true,
  });
  const [found] = structuredContent.products;
  assert.is(found?.variant_count, 3);
  assert.equal(
    found?.matched_variants?.map(({ id, price }) => [id, price?.amount]),
    [["4711.90002", "79.00"]],
  );
  assert.match(content[0]?.text ?? "", /4711\.90002 Red \/ M: 79\.00 EUR, in stock/);
});

test("Contract 9, tools: search_products filters by options, sales and attributes", async ({
  agent,
}) => {
  const find = async (args: object) => {
    const { structuredContent } = await agent.call<Found>("search_products", args);
    return structuredContent.products.map(({ id }) => id);
  };
  const blue = { name: "color", value: "blue" };
  assert.equal(await find({ options: [blue] }), [4711]);
  assert.equal(await find({ options: [blue, { name: "size", value: "m" }] }), []);
  assert.equal(await find({ on_sale: true }), [4711]);
  assert.equal(await find({ sort: "discount", limit: 1 }), [4711]);
});

test("Contract 9, tools: get_product pages its variants and cuts none silently", async ({
  agent,
}) => {
  const read = async (args: object) => {
    const { structuredContent } = await agent.call<{
      product: {
        variants?: readonly { id: string }[];
        variant_count?: number;
        has_more_variants?: boolean;
      };
    }>("get_product", { product_id: 4711, ...args });
    const { variants, variant_count, has_more_variants } = structuredContent.product;
    return [variants?.map(({ id }) => id), variant_count, has_more_variants];
  };
  const all = ["4711.90001", "4711.90002", "4711.90003"];
  assert.equal(await read({}), [all, 3, undefined]);
  assert.equal(await read({ variant_limit: 2 }), [all.slice(0, 2), 3, true]);
  assert.equal(await read({ variant_offset: 2 }), [all.slice(2), 3, undefined]);
  assert.equal(await read({ variant_offset: 3 }), [undefined, 3, undefined]);
});

test("Contract 9, tools: check_availability answers per variant", async ({ agent }) => {
  const { structuredContent } = await agent.call<{
    variants?: readonly { id: string; availability: string; price: { amount: string } }[];
    variants_not_found?: readonly string[];
    products: readonly { variant_count?: number }[];
  }>("check_availability", {
    product_ids: [4711],
    variant_ids: ["4711.90002", "4711.90003", "4711.1"],
  });
  assert.is(structuredContent.products[0]?.variant_count, 3);
  assert.equal(
    structuredContent.variants?.map(({ id, availability, price }) => [
      id,
      availability,
      price.amount,
    ]),
    [
      ["4711.90002", "IN_STOCK", "79.00"],
      ["4711.90003", "OUT_OF_STOCK", "84.00"],
    ],
  );
  assert.equal(structuredContent.variants_not_found, ["4711.1"]);
  const none = await agent.call("check_availability", { product_ids: [] });
  assert.is(none.structuredContent.code, "INVALID_ARGUMENT");
});

interface Checkout {
  readonly url?: string;
  readonly subtotal?: { readonly amount: string };
  readonly code?: string;
  readonly field?: readonly string[];
  readonly message?: string;
}

const checkout = async (agent: Agent, items: readonly object[]): Promise<Checkout> =>
  (await agent.call<Checkout>("create_checkout_link", { items })).structuredContent;

test("Contract 9, tools: 27 quantities follow the rule of the product", async ({ agent }) => {
  for (const quantity of [4, 9, 30]) {
    const refused = await checkout(agent, [{ product_id: 6, quantity }]);
    assert.is(refused.code, "INVALID_ARGUMENT");
    assert.equal(refused.field, ["items", "0", "quantity"]);
    assert.match(refused.message ?? "", "6, 12, 18 or 24");
  }
  const twelve = await checkout(agent, [{ product_id: 6, quantity: 12 }]);
  assert.is(twelve.subtotal?.amount, "18.00");
  const summed = await checkout(agent, [
    { product_id: 6, quantity: 5 },
    { product_id: 6, quantity: 7 },
  ]);
  assert.is(summed.subtotal?.amount, "18.00");
});

test("Contract 9, tools: 27 steps of a quantity count from its minimum", async ({ agent }) => {
  assert.is((await checkout(agent, [{ product_id: 7, quantity: 5 }])).subtotal?.amount, "10.00");
  const refused = await checkout(agent, [{ product_id: 7, quantity: 4 }]);
  assert.is(refused.code, "INVALID_ARGUMENT");
  assert.match(refused.message ?? "", "3, 5, 7 and so on");
});

test("Contract 9, tools: 27 a rule that begins above 999 is refused with its words", async ({
  agent,
}) => {
  for (const [id, least] of [
    [8, 1_200],
    [10, 1_000_000],
  ]) {
    const refused = await checkout(agent, [{ product_id: id, quantity: 5 }]);
    assert.is(refused.code, "UNAVAILABLE");
    assert.equal(refused.field, ["items", "0", "quantity"]);
    assert.match(refused.message ?? "", `sold from ${least} pieces on, and a link has 999 at most`);
  }
});

test("Contract 9, tools: 27 a message names no quantity that a link cannot have", async ({
  agent,
}) => {
  const { message = "" } = await checkout(agent, [{ product_id: 9, quantity: 5 }]);
  assert.match(message, "quantities of 400 or 800, not 5");
});

test("Contract 9, tools: check_availability shows the list price of a sale, not the prior price", async ({
  server,
  agent,
}) => {
  server.apply(...lamp);
  const { structuredContent } = await agent.call<{ products: readonly Record<string, unknown>[] }>(
    "check_availability",
    { product_ids: [11] },
  );
  const [found] = structuredContent.products;
  assert.equal([found?.price, found?.list_price], [euros("70.00"), euros("90.00")]);
});

test("Contract 9, tools: 27 a product with variants needs one that can be ordered", async ({
  agent,
}) => {
  const unnamed = await checkout(agent, [{ product_id: 4711 }]);
  assert.is(unnamed.code, "INVALID_ARGUMENT");
  assert.match(unnamed.message ?? "", "4711.90001 (Red / S), 4711.90002 (Red / M)");
  assert.not.match(unnamed.message ?? "", /90003/);
  const soldOut = await checkout(agent, [{ product_id: 4711, variant_id: "4711.90003" }]);
  assert.is(soldOut.code, "UNAVAILABLE");
  const other = await checkout(agent, [{ product_id: 4711, variant_id: "6.90001" }]);
  assert.is(other.code, "NOT_FOUND");
  const link = await checkout(agent, [
    { product_id: 4711, variant_id: "4711.90002" },
    { product_id: 4711, variant_id: 90001, quantity: 2 },
  ]);
  assert.is(link.url, "https://shop.example/cart/90002:1,90001:2");
  assert.is(link.subtotal?.amount, "257.00");
});

test.run();
