import { suite } from "uvu";
import * as assert from "uvu/assert";
import { aProduct, aShop, type MemoryShop } from "../../../helpers/reader.ts";
import { open, type TestApp } from "../../../http/test-app.ts";

const shop: MemoryShop = {
  shop: aShop(),
  products: Array.from({ length: 130 }, (_, index) =>
    aProduct({
      id: index + 1,
      name: index % 2 ? "Blue cup" : "Red cup",
      availability: index % 3 ? "IN_STOCK" : "OUT_OF_STOCK",
    }),
  ),
};

interface Page {
  readonly products: {
    readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
    readonly nodes: readonly { readonly id: string }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
    readonly totalCount: number;
    readonly userErrors: readonly { readonly code: string; readonly field: readonly string[] }[];
  };
}

const document = `query Page($first: Int, $after: String, $query: String, $inStockOnly: Boolean) {
  products(first: $first, after: $after, query: $query, inStockOnly: $inStockOnly) {
    edges { cursor node { id } } nodes { id }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    totalCount userErrors { code field }
  } }`;

const test = suite<{ testApp: TestApp }>("GraphQL products");

test.before(async (context) => {
  context.testApp = await open(shop);
});
test.after(({ testApp }) => testApp.close());

const page = async (testApp: TestApp, variables: object = {}): Promise<Page["products"]> => {
  const { data, errors } = await testApp.ask<Page>(document, variables);
  assert.is(errors, undefined);
  return data.products;
};

const capped = [{ code: "INVALID_ARGUMENT", field: ["products", "first"] }];

const empty = (argument: string) => ({
  edges: [],
  nodes: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
  totalCount: 0,
  userErrors: [{ code: "INVALID_ARGUMENT", field: ["products", argument] }],
});

test("§8 rule 3: a page has 20 products when `first` is omitted or null", async ({ testApp }) => {
  assert.is((await page(testApp)).nodes.length, 20);
  assert.is((await page(testApp, { first: null, after: null, query: null })).nodes.length, 20);
});

test("§8 rule 1: `first` up to 100 is accepted; a larger value is capped and reported", async ({
  testApp,
}) => {
  const most = await page(testApp, { first: 100 });
  assert.is(most.nodes.length, 100);
  assert.equal(most.userErrors, []);
  for (const first of [101, 2_147_483_647]) {
    const over = await page(testApp, { first });
    assert.is(over.nodes.length, 100);
    assert.equal(over.userErrors, capped);
  }
});

test("§4.1 rule 1: a walk by endCursor returns each product once, sorted by id", async ({
  testApp,
}) => {
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const { edges, nodes, pageInfo, totalCount }: Page["products"] = await page(testApp, {
      first: 7,
      after,
    });
    assert.equal(
      edges.map(({ node }) => node),
      nodes,
    );
    assert.is(pageInfo.startCursor, edges[0]?.cursor);
    assert.is(pageInfo.endCursor, edges.at(-1)?.cursor);
    assert.is(pageInfo.hasPreviousPage, seen.length > 0);
    assert.is(totalCount, 130);
    seen.push(...nodes.map(({ id }) => id));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  assert.equal(
    seen,
    shop.products?.map(({ id }) => String(id)),
  );
});

test("§4.1 rule 2: `query` and `inStockOnly` filter, and totalCount counts all matches", async ({
  testApp,
}) => {
  const red = await page(testApp, { first: 5, query: "red" });
  assert.is(red.totalCount, 65);
  assert.is(red.nodes.length, 5);
  const orderable = await page(testApp, { query: "red cup", inStockOnly: true });
  assert.is(orderable.totalCount, 43);
  assert.is((await page(testApp, { inStockOnly: false })).totalCount, 130);
  assert.is((await page(testApp, { query: "  " })).totalCount, 130);
});

for (const first of [0, -1, -2_147_483_648]) {
  test(`§7.1: \`first\` of ${first} is an INVALID_ARGUMENT and an empty page`, async ({
    testApp,
  }) => {
    assert.equal(await page(testApp, { first }), empty("first"));
  });
}

for (const after of ["", "nonsense", "YWZ0ZXI6eA", "x".repeat(20_000)]) {
  test(`§7.1: the cursor ${JSON.stringify(after.slice(0, 12))} is an INVALID_ARGUMENT`, async ({
    testApp,
  }) => {
    assert.equal(await page(testApp, { after }), empty("after"));
  });
}

test("§7.1: a `query` of 200 characters is accepted; a longer one is an INVALID_ARGUMENT", async ({
  testApp,
}) => {
  assert.equal(await page(testApp, { query: "é".repeat(201) }), empty("query"));
  assert.equal((await page(testApp, { query: "😀".repeat(200) })).userErrors, []);
});

test("all errors of one field are reported together", async ({ testApp }) => {
  const { userErrors } = await page(testApp, { first: 0, query: "x".repeat(201) });
  assert.equal(
    userErrors.map(({ field }) => field[1]),
    ["first", "query"],
  );
  const cappedAndLost = await page(testApp, { first: 500, after: "nonsense" });
  assert.equal(
    cappedAndLost.userErrors.map(({ field }) => field[1]),
    ["first", "after"],
  );
  assert.equal(cappedAndLost.nodes, []);
});

test("§7.1: a variable of the wrong type is a malformed document", async ({ testApp }) => {
  for (const first of ["abc", 1.5, 2_147_483_648, true]) {
    const { data, errors } = await testApp.ask(document, { first });
    assert.is(data, undefined);
    assert.match(errors?.[0]?.message ?? "", 'Variable "$first" got invalid value');
  }
});

test.run();
