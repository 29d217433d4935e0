/** Search features beyond the published minimum, alike in GraphQL and MCP. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf } from "../mcp/calls.ts";

const test = suite<{ service: TestServer; agent: Agent }>("search on both surfaces");

const eur = (amount: string) => ({ amount, currency: "EUR" });

test.before.each(async (context) => {
  context.service = await openTestServer();
  context.agent = await agentOf(context.service);
  context.service.apply(
    settingsUpdated({ language: "en" }),
    categoryUpserted({ id: 1, name: "Clothes" }),
    categoryUpserted({ id: 2, name: "Outdoor", parentId: 1 }),
    productUpserted({
      id: 1,
      name: "Red jacket",
      brand: "Acme",
      price: eur("90"),
      categoryIds: [2],
    }),
    productUpserted({
      id: 2,
      name: "Blue jacket",
      brand: "Other",
      price: eur("120"),
      gtin: "4006381333931",
    }),
    productUpserted({
      id: 3,
      name: "Red lamp",
      brand: "Acme",
      price: eur("15.50"),
      reference: "L-3",
    }),
    stockChanged({ productId: 1 }),
  );
});
test.after.each(({ service }) => service.close());

interface Connection {
  readonly nodes: readonly { readonly id: string }[];
  readonly totalCount: number;
  readonly userErrors: readonly { readonly code: string; readonly field: readonly string[] }[];
  readonly search: { readonly relaxed: boolean; readonly suggestions: readonly string[] } | null;
  readonly facets: unknown;
}

const products = async ({ graphql }: TestServer, args: string): Promise<Connection> => {
  const { data, errors } = await graphql<{ products: Connection }>(
    `{ products(${args}) { nodes { id } totalCount userErrors { code field }
      search { relaxed corrections { word words } unknownWords suggestions }
      facets { brands { brand count } categories { id name count } prices { min max count } } } }`,
  );
  assert.is(errors, undefined);
  return data.products;
};

const idsOf = ({ nodes, totalCount }: Connection): readonly number[] => {
  assert.is(totalCount, nodes.length);
  return nodes.map(({ id }) => Number(id));
};

type Found = { products: { id: number }[]; total: number } & Record<string, unknown>;

const both: readonly (readonly [args: string, tool: object, ids: readonly number[]])[] = [
  ['query: "jacket", brand: "ACME"', { query: "jacket", brand: "ACME" }, [1]],
  ['query: "jacket", priceMax: "100"', { query: "jacket", price_max: "100" }, [1]],
  [
    'priceMin: "15.50", priceMax: "90", orderBy: PRICE_DESC',
    { price_min: "15.50", price_max: "90", sort: "price_desc" },
    [1, 3],
  ],
  ["orderBy: PRICE_ASC", { sort: "price_asc" }, [3, 1, 2]],
  ["orderBy: NAME", { sort: "name" }, [2, 1, 3]],
  ['categoryId: "1"', { category_id: 1 }, [1]],
  ['reference: "l3"', { reference: "l3" }, [3]],
  ['gtin: "04006381333931"', { gtin: "04006381333931" }, [2]],
  ['url: "https://shop.example/products/2"', { url: "https://shop.example/products/2" }, [2]],
  ['query: "jakcet"', { query: "jakcet" }, [1, 2]],
  ['query: "red jacket kid", relax: true', { query: "red jacket kid" }, [1]],
  ['query: "red jacket kid"', { query: "red jacket kid", match_all: true }, []],
];

for (const [args, tool, ids] of both) {
  test(`products(${args}) and search_products agree`, async ({ service, agent }) => {
    assert.equal(idsOf(await products(service, args)), ids);
    const { structuredContent } = await agent.call<Found>("search_products", tool);
    assert.equal(
      structuredContent.products.map(({ id }) => id),
      ids,
    );
    assert.is(structuredContent.total, ids.length);
  });
}

test("the answer names corrections, ignored words, unknown words and suggestions", async ({
  service,
  agent,
}) => {
  assert.equal((await products(service, 'query: "jakcet"')).search, {
    relaxed: false,
    corrections: [{ word: "jakcet", words: ["jacket"] }],
    unknownWords: [],
    suggestions: [],
  });
  const call = async (args: object) => agent.call<Found>("search_products", args);
  const relaxed = await call({ query: "red jacket kid" });
  assert.is(relaxed.structuredContent.relaxed, true);
  assert.equal(relaxed.structuredContent.unknown_words, ["kid"]);
  assert.match(
    relaxed.content[0]?.text ?? "",
    /^Nothing matches every word; .*\nWords that products have: red, jacket\.\nNothing was found for: kid\./,
  );
  const none = await call({ query: "lxmq" });
  assert.equal(none.structuredContent.suggestions, ["lamp"]);
  assert.equal((await products(service, 'query: "lxmq"')).search?.suggestions, ["lamp"]);
  assert.is((await products(service, "first: 1")).search, null);
});

test("a partial match names the words that its products have, in GraphQL and MCP", async ({
  service,
  agent,
}) => {
  const matchedWords = async (args: string) => {
    const { data } = await service.graphql<{ products: { search: { matchedWords: string[] } } }>(
      `{ products(${args}) { search { matchedWords } } }`,
    );
    return data.products.search.matchedWords;
  };
  assert.equal(await matchedWords('query: "red jacket kid", relax: true'), ["red", "jacket"]);
  assert.equal(await matchedWords('query: "red jacket", relax: true'), []);
  const { structuredContent } = await agent.call<Found>("search_products", {
    query: "red jacket kid",
  });
  assert.equal(structuredContent.matched_words, ["red", "jacket"]);
});

test("facets count all matches, in GraphQL and MCP", async ({ service, agent }) => {
  const { facets } = await products(service, 'query: "jacket", first: 1');
  const expected = {
    brands: [
      { brand: "Acme", count: 1 },
      { brand: "Other", count: 1 },
    ],
    categories: [{ id: "2", name: "Outdoor", count: 1 }],
    prices: [
      { min: "50", max: "100", count: 1 },
      { min: "100", max: "200", count: 1 },
    ],
  };
  assert.equal(facets, expected);
  const { structuredContent } = await agent.call<Found>("search_products", {
    query: "jacket",
    with_facets: true,
  });
  const categories = [{ id: 2, name: "Outdoor", count: 1 }];
  assert.equal(structuredContent.facets, { ...expected, categories });
});

test("a price in a foreign currency is shown, but is in no range, facet or sort", async ({
  service,
  agent,
}) => {
  const usd = { amount: "60", currency: "USD" };
  service.apply(productUpserted({ id: 4, name: "Green jacket", brand: "Acme", price: usd }));
  for (const [args, tool, ids] of [
    ['priceMin: "10", priceMax: "100"', { price_min: "10", price_max: "100" }, [1, 3]],
    ["orderBy: PRICE_ASC", { sort: "price_asc" }, [3, 1, 2, 4]],
    ['orderBy: PRICE_DESC, query: "jacket"', { sort: "price_desc", query: "jacket" }, [2, 1, 4]],
  ] as const) {
    assert.equal(idsOf(await products(service, args)), ids, args);
    const { structuredContent } = await agent.call<Found>("search_products", tool);
    assert.equal(
      structuredContent.products.map(({ id }) => id),
      ids,
      args,
    );
  }
  const { facets } = await products(service, 'query: "jacket"');
  const prices = [
    { min: "50", max: "100", count: 1 },
    { min: "100", max: "200", count: 1 },
  ];
  assert.equal((facets as { prices: unknown }).prices, prices);
  const { data } = await service.graphql(
    "{ product(id: 4) { product { price { amount currency } } } }",
  );
  assert.equal(data, { product: { product: { price: usd } } });
});

test("a walk sorted by price continues when the shop's currency changes between two pages", async ({
  service,
}) => {
  service.apply(productUpserted({ id: 4, price: { amount: "60", currency: "USD" } }));
  const page = async (after: string) => {
    const { data } = await service.graphql<{
      products: { nodes: { id: string }[]; pageInfo: { endCursor: string } };
    }>(
      `{ products(first: 2, orderBy: PRICE_ASC${after}) { nodes { id } pageInfo { endCursor } } }`,
    );
    const { nodes, pageInfo } = data.products;
    return { ids: nodes.map(({ id }) => Number(id)), after: `, after: "${pageInfo.endCursor}"` };
  };
  const first = await page("");
  assert.equal(first.ids, [3, 1]);
  assert.equal((await page(first.after)).ids, [2, 4]);
  service.apply(settingsUpdated({ currency: "USD" }));
  // After 90 come the products without a comparable price.
  assert.equal((await page(first.after)).ids, [1, 2]);
  assert.equal((await page("")).ids, [4, 1]);
});

for (const [args, code, argument] of [
  ['categoryId: "x"', "INVALID_ARGUMENT", "categoryId"],
  ['categoryId: "99"', "NOT_FOUND", "categoryId"],
  ['ids: ["1", "0"]', "INVALID_ARGUMENT", "ids"],
  ['priceMin: "-1"', "INVALID_ARGUMENT", "priceMin"],
  ['priceMax: "1e3"', "INVALID_ARGUMENT", "priceMax"],
  [`brand: "${"b".repeat(501)}"`, "INVALID_ARGUMENT", "brand"],
  ['brand: " "', "INVALID_ARGUMENT", "brand"],
  ['gtin: ""', "INVALID_ARGUMENT", "gtin"],
] as const) {
  test(`products(${args.slice(0, 30)}) is an empty page and ${code}`, async ({ service }) => {
    const page = await products(service, args);
    assert.equal(idsOf(page), []);
    assert.equal(page.userErrors, [{ code, field: ["products", argument] }]);
  });
}

test("hidden prices filter, sort and count nothing", async ({ service, agent }) => {
  service.apply(settingsUpdated({ pricesVisible: false }));
  for (const [args, argument] of [
    ['priceMax: "100"', "priceMax"],
    ['priceMin: "100"', "priceMin"],
    ["orderBy: PRICE_ASC", "orderBy"],
  ]) {
    const page = await products(service, `${args}`);
    assert.equal(page.userErrors, [{ code: "UNAVAILABLE", field: ["products", argument] }]);
    assert.equal(idsOf(page), []);
  }
  assert.equal((await products(service, 'query: "jacket"')).facets, {
    brands: [
      { brand: "Acme", count: 1 },
      { brand: "Other", count: 1 },
    ],
    categories: [{ id: "2", name: "Outdoor", count: 1 }],
    prices: [],
  });
  for (const [args, field] of [
    [{ price_max: "100" }, "price_max"],
    [{ price_min: "100" }, "price_min"],
    [{ sort: "price_asc" }, "sort"],
  ] as const) {
    const { isError, structuredContent } = await agent.call("search_products", args);
    assert.is(isError, true);
    assert.equal([structuredContent.code, structuredContent.field], ["UNAVAILABLE", [field]]);
  }
});

test("a cursor of another sort or query is rejected", async ({ service }) => {
  const cursorOf = async (args: string): Promise<string> => {
    const { data } = await service.graphql<{ products: { pageInfo: { endCursor: string } } }>(
      `{ products(first: 1, ${args}) { pageInfo { endCursor } } }`,
    );
    return data.products.pageInfo.endCursor;
  };
  const ranked = await cursorOf('query: "red jacket"');
  const priced = await cursorOf("orderBy: PRICE_ASC");
  for (const args of [
    `after: "${ranked}"`,
    `after: "${ranked}", query: "jacket"`,
    `after: "${priced}", orderBy: NAME`,
    `after: "${priced}", query: "jacket"`,
  ]) {
    const { userErrors } = await products(service, args);
    assert.equal(userErrors, [{ code: "INVALID_ARGUMENT", field: ["products", "after"] }], args);
  }
});

test.run();
