import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("contract §4 products");

test.before(async (context) => {
  context.service = await openTestServer();
  // The order of the events differs from the order of the ids, and the ids differ in length.
  const ids = [30, 4, 100, 12, 1, 25, 9, 2000000000000000, ...range(200, 220)];
  context.service.apply(...ids.map((id) => productUpserted({ id })));
});
test.after(({ service }) => service.close());

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

interface Page {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly unknown[];
  readonly totalCount: number;
  readonly pageInfo: object;
  readonly userErrors: readonly { readonly code: string; readonly field: readonly string[] }[];
}

const page = async (service: TestServer, variables: object = {}): Promise<Page> => {
  const { data, errors } = await service.graphql<{ products: Page }>(
    `query ($first: Int, $after: String, $query: String, $inStockOnly: Boolean) {
      products(first: $first, after: $after, query: $query, inStockOnly: $inStockOnly) {
        nodes { id } edges { cursor } totalCount userErrors { code field }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`,
    variables,
  );
  assert.is(errors, undefined);
  return data.products;
};

const refused = async (service: TestServer, variables: object, argument: string) => {
  const { nodes, edges, pageInfo, userErrors } = await page(service, variables);
  assert.equal(userErrors, [{ code: "INVALID_ARGUMENT", field: ["products", argument] }]);
  assert.equal(nodes, []);
  assert.equal(edges, []);
  assert.equal(pageInfo, {
    hasNextPage: false,
    hasPreviousPage: false,
    startCursor: null,
    endCursor: null,
  });
};

test("contract §4 first is 20 when omitted or null", async ({ service }) => {
  for (const variables of [{}, { first: null }, { query: "product" }]) {
    assert.is((await page(service, variables)).nodes.length, 20);
  }
});

test("contract §4 products without a query are sorted by numeric id", async ({ service }) => {
  const { nodes } = await page(service, { first: 100 });
  const sorted = [1, 4, 9, 12, 25, 30, 100, ...range(200, 220), 2000000000000000];
  assert.equal(
    nodes.map(({ id }) => Number(id)),
    sorted,
  );
});

for (const first of [0, -1, -(2 ** 31)]) {
  test(`contract §4 first ${first} is INVALID_ARGUMENT and an empty page`, ({ service }) =>
    refused(service, { first }, "first"));
}

for (const after of ["", "abc", "?", "MTI=", "1:i:4", "x".repeat(10_000), "\u0000", "ünïcode"]) {
  test(`contract §4 the malformed after ${JSON.stringify(after.slice(0, 20))} is INVALID_ARGUMENT and an empty page`, ({
    service,
  }) => refused(service, { after }, "after"));
}

test("contract §4 a cursor with a missing or an additional character is INVALID_ARGUMENT", async ({
  service,
}) => {
  for (const query of [undefined, "product"]) {
    const { pageInfo } = await page(service, { query });
    const { endCursor } = pageInfo as { endCursor: string };
    for (let kept = 1; kept < endCursor.length; kept += 1) {
      await refused(service, { query, after: endCursor.slice(0, kept) }, "after");
    }
    for (const after of [`${endCursor}!`, ` ${endCursor}`]) {
      await refused(service, { query, after }, "after");
    }
  }
});

test("contract §4 a cursor of a search is invalid without the query, and the other way round", async ({
  service,
}) => {
  const cursorOf = async (query?: string) =>
    ((await page(service, { query, first: 1 })).pageInfo as { endCursor: string }).endCursor;
  await refused(service, { after: await cursorOf("product") }, "after");
  await refused(service, { query: "product", after: await cursorOf() }, "after");
});

test("contract §4 a query may have 200 characters; 201 are INVALID_ARGUMENT and an empty page", async ({
  service,
}) => {
  assert.equal((await page(service, { query: "x".repeat(200) })).userErrors, []);
  await refused(service, { query: "x".repeat(201) }, "query");
  await refused(service, { query: "product ".repeat(26) }, "query");
});

const product = async (service: TestServer, id: string | number) =>
  (
    await service.graphql<{
      product: { product: { id: string } | null; userErrors: { code: string; field: string[] }[] };
    }>("query ($id: ID!) { product(id: $id) { product { id } userErrors { code field } } }", { id })
  ).data.product;

for (const id of [
  "0",
  "-1",
  "1.5",
  "1e3",
  "abc",
  "",
  " 1",
  "0x1",
  "１",
  "1; DROP",
  "x".repeat(5_000),
]) {
  test(`contract §4 the product id ${JSON.stringify(id.slice(0, 20))} is not a positive integer: INVALID_ARGUMENT`, async ({
    service,
  }) => {
    assert.equal(await product(service, id), {
      product: null,
      userErrors: [{ code: "INVALID_ARGUMENT", field: ["product", "id"] }],
    });
  });
}

test("contract §4 a product id may be a JSON number or a string of digits", async ({ service }) => {
  for (const id of [4, "4"]) assert.equal((await product(service, id)).product, { id: "4" });
  assert.equal((await product(service, "2000000000000000")).product, { id: "2000000000000000" });
});

test("§4.1 rule 3 an integer above the largest possible id is NOT_FOUND", async ({ service }) => {
  assert.equal(await product(service, "99999999999999999999"), {
    product: null,
    userErrors: [{ code: "NOT_FOUND", field: ["product", "id"] }],
  });
});

test.run();
