import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§8 limits");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    ...Array.from({ length: 130 }, (_, index) => productUpserted({ id: index + 1 })),
  );
});
test.after(({ service }) => service.close());

interface Page {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly node: { readonly id: string } }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  readonly userErrors: readonly { readonly code: string; readonly field: readonly string[] }[];
}

const page = async (service: TestServer, variables: object): Promise<Page> => {
  const { data, errors } = await service.graphql<{ products: Page }>(
    `query ($first: Int, $after: String, $query: String) {
      products(first: $first, after: $after, query: $query) {
        nodes { id } edges { node { id } } totalCount pageInfo { hasNextPage endCursor }
        userErrors { code field }
      }
    }`,
    variables,
  );
  assert.is(errors, undefined);
  return data.products;
};

const capped = [{ code: "INVALID_ARGUMENT", field: ["products", "first"] }];

test("§8 page size: first up to 100 is served in full", async ({ service }) => {
  for (const first of [1, 99, 100]) {
    const { nodes, userErrors } = await page(service, { first });
    assert.is(nodes.length, first);
    assert.equal(userErrors, []);
  }
});

for (const first of [101, 1000, 2 ** 31 - 1]) {
  test(`§8 rule 1 first ${first} is capped at 100 and reported in userErrors`, async ({
    service,
  }) => {
    for (const query of [undefined, "product"]) {
      const { nodes, edges, totalCount, pageInfo, userErrors } = await page(service, {
        first,
        query,
      });
      assert.is(nodes.length, 100);
      assert.is(edges.length, 100);
      assert.is(totalCount, 130);
      assert.is(pageInfo.hasNextPage, true);
      assert.equal(userErrors, capped);
    }
  });
}

test("§8 rule 1 a capped page is followed by the remaining products", async ({ service }) => {
  const { pageInfo } = await page(service, { first: 500 });
  const rest = await page(service, { first: 500, after: pageInfo.endCursor });
  assert.is(rest.nodes.length, 30);
  assert.is(rest.nodes[0]?.id, "101");
});

test("§8 rule 1 a capped first is reported even where fewer products match", async ({
  service,
}) => {
  const { nodes, userErrors } = await page(service, { first: 101, query: "SKU-7" });
  assert.is(nodes[0]?.id, "7");
  assert.equal(userErrors, capped);
});

/** Builds a selection of this depth; only the depth of the document is valid. */
const nested = (depth: number): string =>
  `{ ${"shop { ".repeat(depth - 1)}name${" }".repeat(depth - 1)} }`;

const depthErrors = async (service: TestServer, query: string): Promise<readonly string[]> => {
  const { data, errors = [] } = await service.graphql(query);
  assert.is(data, undefined);
  return errors.map(({ message }) => message).filter((message) => /depth/i.test(message));
};

test("§8 depth 12 is accepted", async ({ service }) => {
  assert.equal(await depthErrors(service, nested(12)), []);
});

for (const depth of [13, 14, 100]) {
  test(`§8 depth ${depth} is rejected as a malformed document`, async ({ service }) => {
    assert.is((await depthErrors(service, nested(depth))).length, 1);
  });
}

test("§8 depth counts the fields of fragments where they are spread", async ({ service }) => {
  const chain = Array.from(
    { length: 12 },
    (_, at) => `fragment F${at} on Shop { shop { ...F${at + 1} } }`,
  );
  const query = `{ shop { ...F0 } } ${chain.join(" ")} fragment F12 on Shop { name }`;
  assert.is((await depthErrors(service, query)).length, 1);
  const inline = `{ ${"... on Query { ".repeat(20)}shop { name }${" }".repeat(20)} }`;
  assert.is((await service.graphql(inline)).errors, undefined);
});

test("§8 rule 2 cost weights are not enforced: nine full pages in one request are served", async ({
  service,
}) => {
  const fields = Array.from(
    { length: 9 },
    (_, at) => `p${at}: products(first: 100) { totalCount }`,
  );
  const { errors } = await service.graphql(`{ ${fields.join(" ")} }`);
  assert.is(errors, undefined);
});

test("§8 rule 3 first may be omitted or null", async ({ service }) => {
  for (const variables of [{}, { first: null }]) {
    const { nodes, userErrors } = await page(service, variables);
    assert.ok(nodes.length > 0 && nodes.length <= 100);
    assert.equal(userErrors, []);
  }
});

test("§8 rule 4 the code of a capped page is a member of UserErrorCode", async ({ service }) => {
  const { userErrors } = await page(service, { first: 101 });
  assert.is(userErrors[0]?.code, "INVALID_ARGUMENT");
});

test.run();
