import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, stockChanged } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { euros, jacket, settings } from "./goods/situations.ts";

interface Context {
  server: TestServer;
}

const test = suite<Context>("Contract 9, filters");

const before13 = Date.parse("2026-11-25T20:00:00Z");
const after13 = Date.parse("2026-11-25T23:00:00Z");
let now = before13;

const time = "2026-09-02T00:00:00Z";
const plainBlue = productUpserted(
  {
    id: 5,
    name: "Blue mug",
    price: euros("8.00"),
    specifications: [{ name: "Colour", value: "Blue", code: "color" }],
    rating: { value: 8.6, best: 10, worst: 0, count: 37 },
    releaseDate: "2026-05-01",
    condition: "used",
    mpn: "MUG-7",
  },
  { time },
);
/** D.20: a variant without a size has any size. */
const anySize = [
  productUpserted(
    {
      id: 20,
      name: "Shirt",
      variants: [
        {
          id: 1,
          price: euros("10.00"),
          options: [
            { name: "Color", value: "Red" },
            { name: "Size", value: "S" },
          ],
        },
        {
          id: 2,
          price: euros("12.00"),
          options: [{ name: "Color", value: "Red" }],
          sku: "SHIRT-ANY",
        },
      ],
    },
    { time },
  ),
  stockChanged({ productId: 20, quantity: 5 }, { time }),
];
/** D.19: two variants have one GTIN. */
const sameGtin = productUpserted(
  {
    id: 19,
    name: "Socks",
    variants: [
      { id: 90011, gtin: "012345678905", options: [{ name: "Size", value: "36" }] },
      {
        id: 90012,
        gtin: "012345678905",
        options: [{ name: "Size", value: "40" }],
        url: "?v=90012",
      },
    ],
  },
  { time },
);
const heavy = productUpserted(
  {
    id: 30,
    name: "Anvil",
    price: euros("200.00"),
    listPrice: euros("400.00"),
    releaseDate: "2026-06-01",
    specifications: [
      { name: "Weight", value: "12.5 kg", code: "weight", numericValue: "12.5", unit: "kg" },
    ],
    rating: { value: 3, count: 2 },
  },
  { time },
);

test.before(async (context) => {
  context.server = await openTestServer({ now: () => now });
  context.server.apply(settings(), ...jacket, plainBlue, ...anySize, sameGtin, heavy);
});
test.before.each(() => {
  now = before13;
});
test.after(({ server }) => server.close());

interface Found {
  readonly [product: string]: readonly string[];
}

/** Finds products by arguments of `products`; each with the ids of its matched variants. */
const find = async ({ server }: Context, args: string): Promise<Found> => {
  const { data, errors } = await server.graphql<{
    products: {
      edges: readonly {
        node: { id: string };
        matchedVariants: { nodes: readonly { variantId: string }[] };
      }[];
      userErrors: readonly { message: string }[];
    };
  }>(`{ products(${args}) { userErrors { message }
    edges { node { id } matchedVariants { nodes { variantId } } } } }`);
  assert.is(errors, undefined, JSON.stringify(errors));
  assert.equal(data.products.userErrors, []);
  return Object.fromEntries(
    data.products.edges.map(({ node, matchedVariants }) => [
      node.id,
      matchedVariants.nodes.map(({ variantId }) => variantId),
    ]),
  );
};

const rows: readonly (readonly [title: string, args: string, found: Found])[] = [
  [
    "12 words, a price and stock match one variant",
    'query: "red jacket m", priceMax: "90", inStockOnly: true',
    { 4711: ["90002"] },
  ],
  [
    "12 no variant has both values",
    'options: [{ name: "Color", value: "Blue" }, { name: "Size", value: "M" }]',
    {},
  ],
  [
    "an option is named by its code, in any case",
    'options: [{ name: "color", value: "blue" }, { name: "SIZE", value: "s" }]',
    { 4711: ["90003"] },
  ],
  [
    "a value, a price and stock have to be met by one variant",
    'options: [{ name: "Color", value: "Blue" }], inStockOnly: true',
    {},
  ],
  [
    "a price above the lowest one matches the variant that has it",
    'priceMin: "85", priceMax: "100", inStockOnly: true',
    { 4711: ["90001"] },
  ],
  [
    "an attribute meets an option of a product without variants",
    'options: [{ name: "color", value: "Blue" }]',
    { 4711: ["90003"], 5: [] },
  ],
  [
    "20 a variant without a size has any size",
    'options: [{ name: "Color", value: "Red" }, { name: "Size", value: "L" }]',
    { 20: ["2"] },
  ],
  ["on sale", "onSale: true", { 4711: ["90002"], 30: [] }],
  ["19 a GTIN of two variants", 'gtin: "0012345678905"', { 19: ["90011", "90012"] }],
  ["19 the same GTIN with other zeros", 'gtin: "00012345678905"', { 19: ["90011", "90012"] }],
  ["a SKU of a variant", 'sku: "shirt any"', { 20: ["2"] }],
  ["a SKU of a variant as the query", 'query: "SHIRT-ANY"', { 20: ["2"] }],
  ["a part number", 'mpn: "mug7"', { 5: [] }],
  ["the address of a variant", 'url: "/products/19?v=90012"', { 19: ["90012"] }],
  ["a condition", "condition: USED", { 5: [] }],
  [
    "a state of stock",
    "stockStatus: [OUT_OF_STOCK]",
    { 4711: ["90003"], 5: [], 19: ["90011", "90012"], 30: [] },
  ],
  ["stock alone", "inStockOnly: true", { 4711: ["90001", "90002"], 20: ["1", "2"] }],
  ["a rating in stars", "minRating: 4.3", { 5: [] }],
  ["an attribute equal to a value", 'attributes: [{ name: "Colour", value: "blue" }]', { 5: [] }],
  [
    "an attribute in a range",
    'attributes: [{ name: "weight", min: "10", max: "12.5" }]',
    { 30: [] },
  ],
  ["an attribute outside of a range", 'attributes: [{ name: "weight", min: "12.6" }]', {}],
];

for (const [title, args, found] of rows) {
  test(`Contract 9, filters: ${title}`, async (context) => {
    assert.equal(await find(context, args), found);
  });
}

test("Contract 9, filters: 13 a sale that ended finds nothing any more", async (context) => {
  now = after13;
  assert.equal(await find(context, "onSale: true"), { 30: [] });
});

test("Contract 9, filters: products are sorted by price, discount, rating and release", async ({
  server,
}) => {
  const sorted = async (orderBy: string) => {
    const { data } = await server.graphql<{ products: { nodes: { id: string }[] } }>(
      `{ products(orderBy: ${orderBy}) { nodes { id } } }`,
    );
    return data.products.nodes.map(({ id }) => id);
  };
  assert.equal(await sorted("PRICE_ASC"), ["5", "20", "19", "4711", "30"]);
  assert.equal(await sorted("PRICE_DESC"), ["30", "4711", "19", "20", "5"]);
  assert.equal((await sorted("DISCOUNT")).slice(0, 2), ["30", "4711"]);
  assert.equal((await sorted("RATING")).slice(0, 2), ["5", "30"]);
  assert.equal((await sorted("NEWEST")).slice(0, 2), ["30", "5"]);
});

test("Contract 9, filters: facets merge names by their code", async ({ server }) => {
  const { data } = await server.graphql<{ products: { facets: unknown } }>(
    `{ products { facets { options { name code values { value count } }
      attributes { name code values { value count } } } } }`,
  );
  assert.equal(data.products.facets, {
    options: [
      {
        name: "Size",
        code: null,
        values: [
          { value: "36", count: 1 },
          { value: "40", count: 1 },
          { value: "S", count: 1 },
        ],
      },
      { name: "Color", code: null, values: [{ value: "Red", count: 1 }] },
      {
        name: "Color",
        code: "color",
        values: [
          { value: "Blue", count: 1 },
          { value: "Red", count: 1 },
        ],
      },
      {
        name: "Size",
        code: "size",
        values: [
          { value: "M", count: 1 },
          { value: "S", count: 1 },
        ],
      },
    ],
    attributes: [
      { name: "Colour", code: "color", values: [{ value: "Blue", count: 1 }] },
      { name: "Weight", code: "weight", values: [{ value: "12.5 kg", count: 1 }] },
    ],
  });
});

test.run();
