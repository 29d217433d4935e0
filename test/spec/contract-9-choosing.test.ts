import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { ProductData } from "../../src/events/event.ts";
import { productUpserted, stockChanged, variantDeleted } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf } from "../mcp/calls.ts";
import { euros, settings } from "./goods/situations.ts";

interface Context {
  server: TestServer;
  agent: Agent;
}

const test = suite<Context>("Contract 9, choosing variants");

const time = "2026-09-02T00:00:00Z";
const later = "2026-09-03T00:00:00Z";

/** A product of which each variant has stock, except those with an amount of their own here. */
const goods = (
  data: Partial<ProductData> & { readonly id: number },
  quantities: Readonly<Record<number, number>> = {},
): readonly CloudEvent[] => [
  productUpserted({ price: euros("10.00"), ...data }, { time }),
  stockChanged({ productId: data.id, quantity: 5 }, { time }),
  ...Object.entries(quantities).map(([variant, quantity]) =>
    stockChanged({ productId: data.id, variantId: Number(variant), quantity }, { time }),
  ),
];

const valued = (id: number, options: Readonly<Record<string, string>>) => ({
  id,
  options: Object.entries(options).map(([name, value]) => ({ name, value })),
});

const kilos = (value: string, unit: string) => [
  { name: "Net", value: `${value} ${unit}`, numericValue: value, unit },
];

const events: readonly CloudEvent[] = [
  ...goods({
    ...{ id: 1, name: "Anorak" },
    options: [{ name: "Farbe", code: "color", values: ["Petrol", "Ocker"] }],
    variants: [valued(1, { COLOR: "Petrol" }), valued(2, { farbe: "Ocker" })],
  }),
  ...goods({
    ...{ id: 31, name: "Lamp" },
    options: [{ name: "Shade", values: ["Rose", "Teal"] }],
    variants: [valued(1, { Shade: "Rose" }), valued(2, { Shade: "Teal" })],
  }),
  ...goods({
    ...{ id: 32, name: "Lantern" },
    options: [{ name: "Shade", values: ["Teal", "Rose"] }],
    variants: [valued(1, { Shade: "Teal" }), valued(2, { Shade: "Rose" })],
  }),
  ...goods({
    ...{ id: 2, name: "Quilt" },
    options: [{ name: "Filling", values: ["Down", "Wool"] }],
    variants: [valued(1, { Filling: "Down" }), valued(2, {})],
  }),
  ...goods({
    ...{ id: 3, name: "Ribbon" },
    variants: [
      valued(1, { Tone: "pink" }),
      valued(2, { Tone: "PINK" }),
      valued(3, { Tone: "Tan" }),
    ],
  }),
  ...goods({
    ...{ id: 4, name: "Kiln shelf", condition: "new" },
    specifications: kilos("3", "lb"),
    variants: [
      { id: 1, price: euros("8.00"), specifications: kilos("900", "g") },
      { id: 2, price: euros("80.00"), condition: "used" },
    ],
  }),
  ...goods(
    {
      ...{ id: 5, name: "Sandal" },
      variants: [
        { ...valued(1, { Size: "37" }), price: euros("15.00"), sku: "SANDAL-37" },
        { ...valued(2, { Size: "38" }), price: euros("25.00"), url: "/sandal?size=38" },
        { ...valued(3, { Size: "39" }), price: euros("35.00") },
      ],
    },
    { 1: 0 },
  ),
  ...goods({
    ...{ id: 6, name: "Cable drum" },
    variants: [
      valued(1, { Length: "1,500 cm" }),
      valued(2, { Length: "Up to 3 m" }),
      valued(3, { Length: "2 × 1.5 m" }),
    ],
  }),
  ...goods({
    ...{ id: 7, name: "Overall" },
    variants: [
      valued(1, { Cut: "34/34" }),
      valued(2, { Cut: "34/36" }),
      valued(3, { Cut: "T-Fit" }),
    ],
  }),
  ...goods({
    ...{ id: 8, name: "Adapter plug" },
    variants: [valued(1, { Type: "Mini-HDMI" }), valued(2, { Type: "Type A" })],
  }),
  ...goods({
    ...{
      id: 9,
      name: "Ruler",
      specifications: [
        { name: "Span", value: "9 to 10 cm", numericValue: "9", max: "10", unit: "cm" },
      ],
    },
  }),
  ...goods(
    {
      ...{ id: 10, name: "Poncho" },
      variants: [
        { id: 1, price: euros("9.00"), listPrice: euros("12.00") },
        { id: 2, price: euros("11.00") },
      ],
    },
    { 1: 0 },
  ),
  ...goods(
    {
      ...{ id: 11, name: "Cape" },
      variants: [
        { id: 1, price: { amount: "9.00", currency: "USD" } },
        { id: 2, price: euros("9.00"), listPrice: euros("12.00") },
      ],
    },
    { 2: 0 },
  ),
  ...goods({
    ...{ id: 12, name: "Shawl" },
    variants: ["9.50", "9.5", "9.500000"].map((amount, at) => ({
      id: at + 1,
      price: euros(amount),
    })),
  }),
  ...goods({
    ...{ id: 13, name: "Muff" },
    options: [
      { name: "Trim", values: ["Fur", "Plain"] },
      { name: "Lining", values: ["Silk"] },
    ],
    variants: [valued(1, { Lining: "Silk" }), valued(2, { Lining: "Satin" })],
  }),
  ...goods({
    ...{ id: 14, name: "Stole" },
    variants: [valued(1, { Weave: "Twill", weave: "Lace" }), valued(2, { Weave: "Jersey" })],
  }),
];

test.before(async (context) => {
  context.server = await openTestServer({ now: () => Date.parse("2026-11-25T20:00:00Z") });
  context.server.apply(settings(), ...events);
  context.agent = await agentOf(context.server);
});
test.after(({ server }) => server.close());

type Found = Readonly<Record<string, readonly string[]>>;

/** Finds products by arguments of `products`; each with the ids of its matched variants. */
const find = async ({ server }: Context, args: string): Promise<Found> => {
  const { data, errors } = await server.graphql<{
    products: {
      totalCount: number;
      edges: { node: { id: string }; matchedVariants: { nodes: { variantId: string }[] } }[];
    };
  }>(`{ products(${args}) { totalCount
    edges { node { id } matchedVariants { nodes { variantId } } } } }`);
  assert.is(errors, undefined, JSON.stringify(errors));
  assert.is(data.products.totalCount, data.products.edges.length);
  return Object.fromEntries(
    data.products.edges.map(({ node, matchedVariants }) => [
      node.id,
      matchedVariants.nodes.map(({ variantId }) => variantId),
    ]),
  );
};

const option = (name: string, value: string): string =>
  `options: [{ name: "${name}", value: "${value}" }]`;

const rows: readonly (readonly [title: string, args: string, found: Found])[] = [
  ["1 variants name an option by its code", option("Color", "petrol"), { 1: ["1"] }],
  ["1 variants name an option in other letters", option("FARBE", "Ocker"), { 1: ["2"] }],
  ["1 the value that is spelled as requested", option("Tone", "PINK"), { 3: ["2"] }],
  ["1 a value in neither spelling", option("tone", "Pink"), { 3: ["1", "2"] }],
  ["1 the first of two names of one option", option("Weave", "Twill"), { 14: ["1"] }],
  ["1 the second of two names of one option", option("weave", "Lace"), {}],
  ["1 each product of a page by its own values", option("Shade", "Teal"), { 31: ["2"], 32: ["1"] }],
  ["2 a listed value that no variant states", option("Filling", "Wool"), { 2: ["2"] }],
  ["2 a value that the option does not have", option("Filling", "Hay"), {}],
  ["2 words name a listed value", 'query: "quilt wool"', { 2: ["2"] }],
  [
    "2 an option that all leave out, with another one",
    'options: [{ name: "trim", value: "fur" }, { name: "Lining", value: "satin" }]',
    { 13: ["2"] },
  ],
  ["3 the condition of a variant", "condition: USED", { 4: ["2"] }],
  ["3 the condition of the product", "condition: NEW", { 4: ["1"] }],
  ["3 condition and price", 'condition: USED, priceMax: "9"', {}],
  ["3 an attribute of a variant", 'attributes: [{ name: "net", min: "500" }]', { 4: ["1"] }],
  ["3 an attribute of the product", 'attributes: [{ name: "net", max: "5" }]', { 4: ["2"] }],
  ["3 attribute and price", 'attributes: [{ name: "Net", max: "5" }], priceMax: "9"', {}],
  ["4 a price of a sold out variant", 'priceMax: "16", ids: [5]', {}],
  ["4 a price that counts", 'priceMin: "30", priceMax: "36", ids: [5]', { 5: ["3"] }],
  ["4 an option names the variant", `${option("Size", "37")}, priceMax: "16"`, { 5: ["1"] }],
  ["4 words name the variant", 'query: "sandal 37", priceMax: "16"', { 5: ["1"] }],
  ["4 words that name no variant", 'query: "sandal", priceMax: "16"', {}],
  ["4 a code names the variant", 'sku: "SANDAL-37", priceMax: "16"', { 5: ["1"] }],
  ["5 groups of a number", 'query: "drum 1500 cm"', { 6: ["1"] }],
  ["5 without a stop word", 'query: "drum 3m"', { 6: ["2"] }],
  ["5 a number twice", 'query: "overall 34/34"', { 7: ["1"] }],
  ["5 two numbers", 'query: "overall 34/36"', { 7: ["2"] }],
  ["5 a hyphen", 'query: "overall tfit"', { 7: ["3"] }],
  ["5 parts of a word as one", 'query: "adapter minihdmi"', { 8: ["1"] }],
  ["5 a single letter is no stop word", 'query: "adapter type"', { 8: [] }],
  ["6 words and stock", 'query: "sandal 37", inStockOnly: true', {}],
  ["6 words and a price", 'query: "sandal 38", priceMax: "16"', {}],
  ["6 a code and stock", 'sku: "sandal37", inStockOnly: true', {}],
  ["6 a code as the query", 'query: "SANDAL-37", inStockOnly: true', {}],
  ["6 an address and a price", 'url: "/sandal?size=38", priceMax: "16"', {}],
  ["6 words and an option", `query: "sandal 38", ${option("Size", "39")}`, {}],
  ["6 words that name no value", 'query: "sandal", inStockOnly: true', { 5: ["2", "3"] }],
  [
    "8 another unit",
    'attributes: [{ name: "Net", min: "0.85", max: "1", unit: "kg" }]',
    { 4: ["1"] },
  ],
  [
    "8 a unit of the product",
    'attributes: [{ name: "Net", min: "1.3", max: "1.4", unit: "KG" }]',
    { 4: ["2"] },
  ],
  ["8 a range overlaps", 'attributes: [{ name: "span", min: "9.5" }]', { 9: [] }],
  [
    "8 a range in another unit",
    'attributes: [{ name: "span", min: "95", max: "99", unit: "mm" }]',
    { 9: [] },
  ],
  ["8 outside of a range", 'attributes: [{ name: "span", min: "10.1" }]', {}],
  ["a reduced variant that does not count", "onSale: true", { 11: ["2"] }],
  ["the address of a variant with tracking", 'url: "/sandal?size=38&gclid=1"', { 5: ["2"] }],
  ["the address of a variant with a referrer", 'url: "/sandal?size=38&ref=mail"', { 5: ["2"] }],
];

for (const [title, args, found] of rows) {
  test(`Contract 9, choosing variants: ${title}`, async (context) => {
    assert.equal(await find(context, args), found);
  });
}

test("Contract 9, choosing variants 6: the tool gives what GraphQL gives, in data and text", async ({
  agent,
}) => {
  const { structuredContent, content } = await agent.call<{ total: number }>("search_products", {
    ...{ query: "sandal 37", in_stock_only: true },
  });
  assert.is(structuredContent.total, 0);
  assert.match(content[0]?.text ?? "", "No products match");
  const named = await agent.call<{
    products: { matched_variants: { id: string; availability: string }[] }[];
  }>("search_products", { query: "sandal 37", price_max: "16" });
  const [variant] = named.structuredContent.products[0]?.matched_variants ?? [];
  assert.equal([variant?.id, variant?.availability], ["5.1", "OUT_OF_STOCK"]);
  const weights = await agent.call<{ products: { id: number }[] }>("search_products", {
    attributes: [{ name: "Net", min: 0.85, max: 1, unit: "kg" }],
  });
  assert.equal(
    weights.structuredContent.products.map(({ id }) => id),
    [4],
  );
});

const read = async <T>({ server }: Pick<Context, "server">, id: number, fields: string) => {
  const { data, errors } = await server.graphql<{ product: { product: T } }>(
    `{ product(id: "${id}") { product { ${fields} } } }`,
  );
  assert.is(errors, undefined, JSON.stringify(errors));
  return data.product.product;
};

type Chosen = { readonly variant: { readonly variantId: string } | null };

const choices: readonly (readonly [
  title: string,
  id: number,
  args: string,
  variant: string | null,
])[] = [
  ["1 an option by its code", 1, option("color", "OCKER"), "2"],
  ["1 the exact spelling", 3, option("Tone", "PINK"), "2"],
  ["1 another spelling", 3, option("Tone", "Pink"), "1"],
  ["2 a listed value", 2, option("Filling", "Wool"), "2"],
  ["2 a stated value before one that is left out", 2, option("Filling", "down"), "1"],
  ["2 no value of it", 2, option("Filling", "Hay"), null],
  ["2 the first of two that leave the option out", 13, option("Trim", "Fur"), "1"],
];

for (const [title, id, args, variant] of choices) {
  test(`Contract 9, choosing variants: variant(options:), ${title}`, async (context) => {
    const chosen = await read<Chosen>(context, id, `variant(${args}) { variantId }`);
    assert.is(chosen.variant?.variantId ?? null, variant);
  });
}

test("Contract 9, choosing variants 1: options and variants have one name for an option", async (context) => {
  const product = await read<{
    options: { name: string; values: { value: string; available: boolean }[] }[];
    variants: { nodes: { options: { name: string }[] }[] };
  }>(
    context,
    1,
    "options { name values { value available } } variants { nodes { options { name } } }",
  );
  assert.equal(
    product.options.map(({ name, values }) => [name, values.map(({ value }) => value)]),
    [["Farbe", ["Petrol", "Ocker"]]],
  );
  assert.equal(
    product.variants.nodes.map(({ options }) => options.map(({ name }) => name)),
    [["Farbe"], ["Farbe"]],
  );
  const page = await (await context.server.get("/products/1.md")).text();
  assert.not.match(page, "COLOR");
});

test("Contract 9, choosing variants 1: values that differ in case have states of their own", async (context) => {
  const fields = "options(selected: []) { values { value available } }";
  const states = async () => {
    const { options } = await read<{
      options: { values: { value: string; available: boolean }[] }[];
    }>(context, 3, fields);
    return options[0]?.values.filter(({ available }) => available).map(({ value }) => value);
  };
  assert.equal(await states(), ["pink", "PINK", "Tan"]);
  context.server.apply(stockChanged({ productId: 3, variantId: 1, quantity: 0 }, { time: later }));
  assert.equal(await states(), ["PINK", "Tan"]);
});

test("Contract 9, choosing variants 4: equal amounts are one price, and the first is featured", async (context) => {
  const shown = await read<{
    priceRange: { min: { amount: string }; max: { amount: string } };
    featuredVariant: { variantId: string };
  }>(context, 12, "priceRange { min { amount } max { amount } } featuredVariant { variantId }");
  assert.is(shown.featuredVariant.variantId, "1");
  assert.equal(shown.priceRange, { min: { amount: "9.50" }, max: { amount: "9.50" } });
});

test("Contract 9, choosing variants 4: a variant that does not count has no place among discounts", async ({
  server,
}) => {
  const { data } = await server.graphql<{ products: { nodes: { id: string }[] } }>(
    "{ products(orderBy: DISCOUNT, first: 1) { nodes { id } } }",
  );
  assert.equal(
    data.products.nodes.map(({ id }) => id),
    ["11"],
  );
});

test("Contract 9, choosing variants 7: hidden prices do not order the variants", async () => {
  for (const amounts of [
    ["3.00", "2.00", "1.00"],
    ["1.00", "2.00", "3.00"],
  ]) {
    const server = await openTestServer();
    try {
      const variants = amounts.map((amount, at) => ({ id: at + 1, price: euros(amount) }));
      server.apply(settings({ pricesVisible: false }), ...goods({ id: 1, variants }, { 1: 0 }));
      const featured = () =>
        read<{ featuredVariant: { variantId: string } }>(
          { server },
          1,
          "featuredVariant { variantId }",
        );
      assert.is((await featured()).featuredVariant.variantId, "2");
      for (const variantId of [2, 3]) {
        server.apply(stockChanged({ productId: 1, variantId, quantity: 0 }, { time: later }));
      }
      assert.is((await featured()).featuredVariant.variantId, "1");
    } finally {
      await server.close();
    }
  }
});

interface Page {
  readonly nodes: readonly { readonly variantId: string }[];
  readonly pageInfo: { readonly endCursor: string };
  readonly userErrors: readonly unknown[];
}

test("Contract 4: a walk through variants goes on where those at its end have left", async () => {
  const server = await openTestServer();
  try {
    const readPage = async (after?: string): Promise<Page> => {
      const args = after === undefined ? "first: 2" : `first: 2, after: "${after}"`;
      const fields = `variants(${args}) { nodes { variantId } pageInfo { endCursor } userErrors { code } }`;
      return (await read<{ variants: Page }>({ server }, 1, fields)).variants;
    };
    const ids = ({ nodes }: Page) => nodes.map(({ variantId }) => variantId);
    const variants = Array.from({ length: 6 }, (_, at) => valued(at + 1, { Size: `${at}` }));
    server.apply(settings(), ...goods({ id: 1, variants }));
    const { endCursor } = (await readPage()).pageInfo;
    const old = Buffer.from("v2").toString("base64url");
    assert.equal(ids(await readPage(old)), ["3", "4"]);
    // Without both variants of the page, then without the next one, too.
    for (const [id, rest] of [
      [2, ["3", "4"]],
      [1, ["3", "4"]],
    ] as const) {
      server.apply(variantDeleted(1, id, { time: later }));
      const page = await readPage(endCursor);
      assert.equal(page.userErrors, []);
      assert.equal(ids(page), rest);
    }
    assert.equal((await readPage(old)).userErrors, [{ code: "INVALID_ARGUMENT" }]);
    assert.equal((await readPage("djAuMQ")).userErrors, [{ code: "INVALID_ARGUMENT" }]);
  } finally {
    await server.close();
  }
});

test("Contract 4: a walk through variants goes on by number where its neighbours have left", async () => {
  const server = await openTestServer();
  try {
    const variants = Array.from({ length: 4 }, (_, at) => valued(at + 1, { Size: `${at}` }));
    server.apply(settings(), ...goods({ id: 1, variants }));
    const fields = (args: string) =>
      `variants(${args}) { nodes { variantId } pageInfo { endCursor } }`;
    const first = await read<{ variants: Page }>({ server }, 1, fields("first: 2"));
    for (const id of [2, 3]) server.apply(variantDeleted(1, id, { time: later }));
    const args = `first: 2, after: "${first.variants.pageInfo.endCursor}"`;
    const next = await read<{ variants: Page }>({ server }, 1, fields(args));
    assert.equal(
      next.variants.nodes.map(({ variantId }) => variantId),
      ["4"],
    );
  } finally {
    await server.close();
  }
});

test.run();
