import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { priceChanged, productUpserted, stockChanged } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf } from "../mcp/calls.ts";
import { euros, settings } from "./goods/situations.ts";

/** Variants and prices that are in no filter, look-up, facet or sort (situations 11, 16, 19, 20 and 22). */
interface Context {
  server: TestServer;
  agent: Agent;
}

const test = suite<Context>("Contract 9, unlisted");

const time = "2026-09-02T00:00:00Z";
const size = (value: string) => [{ name: "Size", value }];
const xs = {
  id: 9,
  options: size("XS"),
  price: euros("9.00"),
  active: false,
  ...{ sku: "TEE-XS", gtin: "4006381333931", mpn: "TEE9", url: "?v=9" },
};
const shop: readonly CloudEvent[] = [
  settings({ checkoutLink: { preset: "shopify" } }),
  productUpserted(
    { id: 16, name: "Tee", variants: [{ id: 1, options: size("S"), price: euros("19.00") }, xs] },
    { time },
  ),
  stockChanged({ productId: 16, variantId: 1, quantity: 1 }, { time }),
  stockChanged({ productId: 16, variantId: 9, quantity: 5 }, { time }),
  productUpserted(
    { id: 17, name: "Cap", price: euros("50.00"), variants: [{ ...xs, gtin: "96385074" }] },
    { time },
  ),
  stockChanged({ productId: 17 }, { time }),
  productUpserted(
    {
      id: 22,
      name: "Glove",
      variants: [
        { id: 1, options: size("L"), price: euros("10.00") },
        { id: 2, options: size("XL"), price: euros("9.00", "USD") },
      ],
    },
    { time },
  ),
  stockChanged({ productId: 22 }, { time }),
  productUpserted(
    { id: 23, name: "Belt", variants: [{ id: 3, price: euros("1.00", "USD") }] },
    { time },
  ),
  stockChanged({ productId: 23 }, { time }),
];

test.before(async (context) => {
  context.server = await openTestServer({ now: () => Date.parse("2026-11-25T20:00:00Z") });
  context.server.apply(...shop);
  context.agent = await agentOf(context.server);
});
test.after(({ server }) => server.close());

/** Finds products; each with its matched variants, such as `22: 1,2`. */
const find = async ({ server }: Context, args: string): Promise<readonly string[]> => {
  const { data, errors } = await server.graphql<{
    products: {
      edges: readonly {
        node: { id: string };
        matchedVariants: { nodes: readonly { variantId: string }[] };
      }[];
      userErrors: readonly unknown[];
    };
  }>(`{ products(${args}) { userErrors { message }
    edges { node { id } matchedVariants { nodes { variantId } } } } }`);
  assert.is(errors, undefined, JSON.stringify(errors));
  assert.equal(data.products.userErrors, []);
  return data.products.edges.map(
    ({ node, matchedVariants }) =>
      `${node.id}: ${matchedVariants.nodes.map(({ variantId }) => variantId).join()}`,
  );
};

const rows: readonly (readonly [title: string, args: string, found: readonly string[]])[] = [
  ["16 no SKU of an inactive variant", 'sku: "TEE-XS"', []],
  ["16 no SKU as the query", 'query: "TEE-XS"', []],
  ["16 no GTIN of an inactive variant", 'gtin: "4006381333931"', []],
  ["16 no part number of an inactive variant", 'mpn: "TEE9"', []],
  ["16 no address of an inactive variant", 'url: "/products/16?v=9", query: "tee"', []],
  ["16 no value of an inactive variant", 'options: [{ name: "Size", value: "XS" }]', []],
  ["16 no price of an inactive variant", 'ids: [16, 17], priceMax: "18.99"', []],
  ["16 the own price, all variants inactive", 'priceMin: "49", priceMax: "51"', ["17: "]],
  [
    "16 out of stock, all variants inactive",
    'ids: [16, 17], inStockOnly: true, priceMax: "60"',
    ["16: 1"],
  ],
  ["16 still visible, all variants inactive", 'query: "cap"', ["17: "]],
  ["22 no price in another currency", 'priceMax: "9.50"', []],
  ["22 the price in the shop's currency alone", 'priceMin: "9", priceMax: "10"', ["22: 1"]],
  [
    "22 a price in another currency without a filter",
    'options: [{ name: "Size", value: "XL" }]',
    ["22: 2"],
  ],
  [
    "22 the lowest price in the shop's currency sorts",
    "orderBy: PRICE_ASC",
    ["22: 1,2", "16: 1", "17: ", "23: 3"],
  ],
];

for (const [title, args, found] of rows) {
  test(`Contract 9, unlisted: ${title}`, async (context) => {
    const matched = args.startsWith("orderBy") || args.startsWith("query");
    const answers = await find(context, args);
    const strip = (each: string) => (matched ? each.replace(/:.*/, "") : each);
    assert.equal(answers.map(strip), found.map(strip));
  });
}

test("Contract 9, unlisted: 16 and 22 facets have neither inactive variants nor other currencies", async ({
  server,
}) => {
  const { data } = await server.graphql<{
    products: {
      facets: {
        options: { name: string; values: { value: string }[] }[];
        prices: { min: string; max: string; count: number }[];
      };
    };
  }>("{ products { facets { options { name values { value } } prices { min max count } } } }");
  const { options, prices } = data.products.facets;
  assert.equal(options.flatMap(({ values }) => values.map(({ value }) => value)).toSorted(), [
    "L",
    "S",
    "XL",
  ]);
  for (const { min } of prices) assert.ok(Number(min) >= 10, JSON.stringify(prices));
  assert.is(
    prices.reduce((sum, { count }) => sum + count, 0),
    3,
  );
});

test("Contract 9, unlisted: 16 no look-up of a tool knows an inactive variant", async ({
  agent,
  server,
}) => {
  const { data } = await server.graphql<{ product: { product: object } }>(
    `{ product(id: 16) { product { variants { totalCount } variant(id: "9") { variantId }
      options { values { value } } } } }`,
  );
  const options = [{ values: [{ value: "S" }] }];
  assert.equal(data.product.product, { variants: { totalCount: 1 }, variant: null, options });
  const checked = await agent.call("check_availability", {
    product_ids: [],
    variant_ids: ["16.9"],
  });
  assert.equal(checked.structuredContent.variants_not_found, ["16.9"]);
  const link = await agent.call("create_checkout_link", {
    items: [{ product_id: 16, variant_id: "16.9" }],
  });
  assert.is(link.structuredContent.code, "NOT_FOUND");
  const product = await agent.call("get_product", { product_id: 16 });
  assert.not.match(JSON.stringify(product), /XS|TEE9|\b9\.00|4006381333931/);
});

test("Contract 9, unlisted: 16 a new quantity of an inactive variant changes no page", async ({
  server,
}) => {
  const read = async () => {
    const page = await server.get("/products/16.md");
    return [await page.text(), page.headers.get("etag"), page.headers.get("last-modified")];
  };
  const before = await read();
  const later = { time: "2026-09-03T00:00:00Z" };
  server.apply(stockChanged({ productId: 16, variantId: 9, quantity: 15 }, later));
  assert.equal(await read(), before);
});

test("Contract 9, unlisted: 11 hidden prices refuse each filter and sort of prices, and a page stays through a sale", async () => {
  let now = Date.parse("2026-11-26T22:59:59Z");
  const server = await openTestServer({ now: () => now });
  const page = async () => (await server.get("/products/1.md")).text();
  const sales = [{ price: euros("69.00"), from: "2026-11-27T00:00:00+01:00" }];
  try {
    server.apply(settings({ pricesVisible: false }), productUpserted({}, { time }));
    server.apply(priceChanged({ price: euros("89.00"), sales }, { time }));
    const before = await page();
    now += 1_000;
    assert.is(await page(), before);
    for (const args of [
      'priceMax: "90"',
      "onSale: true",
      "orderBy: DISCOUNT",
      "orderBy: PRICE_ASC",
    ]) {
      const { data } = await server.graphql<{
        products: { nodes: unknown[]; userErrors: { code: string }[] };
      }>(`{ products(${args}) { nodes { id } userErrors { code } } }`);
      assert.equal(data.products.userErrors, [{ code: "UNAVAILABLE" }], args);
    }
  } finally {
    await server.close();
  }
});

const red = { name: "Color", value: "Red" };
const gtin = "012345678905";
const others: readonly CloudEvent[] = [
  productUpserted(
    {
      id: 20,
      name: "Shirt",
      variants: [
        { id: 1, price: euros("10.00"), options: [red, ...size("S")] },
        { id: 2, price: euros("12.00"), options: [red] },
      ],
    },
    { time },
  ),
  stockChanged({ productId: 20 }, { time }),
  productUpserted(
    {
      id: 19,
      name: "Socks",
      variants: [
        { id: 90012, gtin },
        { id: 90011, gtin },
      ],
    },
    { time },
  ),
];

test("Contract 9, unlisted: 20 the variant that states a size comes before the one of any size", async () => {
  const server = await openTestServer();
  const select = async (value: string) => {
    const { data } = await server.graphql<{
      product: { product: { variant: { variantId: string; price: { amount: string } } | null } };
    }>(`{ product(id: 20) { product { variant(options: [{ name: "Color", value: "Red" },
      { name: "Size", value: "${value}" }]) { variantId price { amount } } } } }`);
    const { variant } = data.product.product;
    return [variant?.variantId, variant?.price.amount];
  };
  try {
    server.apply(settings(), ...others);
    assert.equal(await select("M"), ["2", "12.00"]);
    assert.equal(await select("S"), ["1", "10.00"]);
  } finally {
    await server.close();
  }
});

test("Contract 9, unlisted: 19 each spelling of a GTIN finds the product once, with both variants in the shop's sequence", async () => {
  const server = await openTestServer();
  try {
    server.apply(settings(), ...others);
    const agent = await agentOf(server);
    for (const spelling of [gtin, `0${gtin}`, `00${gtin}`]) {
      const found = await find({ server, agent }, `gtin: "${spelling}"`);
      assert.equal(found, ["19: 90012,90011"], spelling);
      const { structuredContent } = await agent.call<{
        products: { id: number; matched_variants: { id: string }[] }[];
      }>("search_products", { gtin: spelling });
      assert.equal(
        structuredContent.products.map((each) => each.matched_variants.map(({ id }) => id)),
        [["19.90012", "19.90011"]],
      );
    }
  } finally {
    await server.close();
  }
});

test.run();
