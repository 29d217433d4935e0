import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  stockChanged,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§2 payloads and connections");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    ...[1, 2, 3, 4, 5].map((id) => productUpserted({ id })),
    stockChanged({ productId: 2 }),
    stockChanged({ productId: 4 }),
    categoryUpserted(),
    pageUpserted({ policy: "terms" }),
  );
});
test.after(({ service }) => service.close());

interface UserError {
  readonly code: string;
  readonly field: readonly string[] | null;
  readonly message: string;
}

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly nodes: readonly { readonly id: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
  readonly userErrors: readonly UserError[];
}

const page = async (service: TestServer, variables: object = {}): Promise<Page> => {
  const { data, errors } = await service.graphql<{ products: Page }>(
    `query ($first: Int, $after: String, $query: String, $inStockOnly: Boolean) {
      products(first: $first, after: $after, query: $query, inStockOnly: $inStockOnly) {
        edges { cursor node { id } } nodes { id } totalCount userErrors { code field message }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`,
    variables,
  );
  assert.is(errors, undefined);
  return data.products;
};

const ids = ({ nodes }: Page): readonly string[] => nodes.map(({ id }) => id);

test("§2 ProductPayload.userErrors is empty on success", async ({ service }) => {
  const { data } = await service.graphql(
    "{ product(id: 1) { product { id } userErrors { code } } }",
  );
  assert.equal(data, { product: { product: { id: "1" }, userErrors: [] } });
});

test("§2 ProductPayload.product is null when userErrors gives the reason", async ({ service }) => {
  const { data } = await service.graphql<{ product: { product: null; userErrors: UserError[] } }>(
    "{ product(id: 999) { product { id } userErrors { code field message } } }",
  );
  assert.is(data.product.product, null);
  const [error] = data.product.userErrors;
  assert.is(error?.code, "NOT_FOUND");
});

test("§2 UserError.field is the path of the argument at fault; message is a text for people", async ({
  service,
}) => {
  const { data } = await service.graphql<{ product: { userErrors: UserError[] } }>(
    "{ product(id: 999) { userErrors { field message } } }",
  );
  const [error] = data.product.userErrors;
  assert.equal(error?.field, ["product", "id"]);
  assert.match(error?.message ?? "", /\w+ \w+/);
});

test("§2 CategoryPayload and PolicyPayload: userErrors is empty on success", async ({
  service,
}) => {
  const { data } = await service.graphql(
    "{ categories { categories { id } userErrors { code } } policies { policies { id } userErrors { code } } }",
  );
  assert.equal(data, {
    categories: { categories: [{ id: "1" }], userErrors: [] },
    policies: { policies: [{ id: "1" }], userErrors: [] },
  });
});

test("§2 CategoryPayload and PolicyPayload: the lists are empty, not null, in an empty shop", async () => {
  const empty = await openTestServer();
  const { data } = await empty.graphql(
    "{ categories { categories { id } userErrors { code } } policies { policies { id } userErrors { code } } }",
  );
  await empty.close();
  assert.equal(data, {
    categories: { categories: [], userErrors: [] },
    policies: { policies: [], userErrors: [] },
  });
});

test("§2 ProductConnection: edges and nodes have the same products in the same order", async ({
  service,
}) => {
  const connection = await page(service, { first: 3 });
  assert.equal(ids(connection), ["1", "2", "3"]);
  assert.equal(
    connection.edges.map(({ node }) => node),
    connection.nodes,
  );
  assert.equal(connection.userErrors, []);
});

test("§2 ProductConnection.totalCount counts all matches of the filter, not those of this page", async ({
  service,
}) => {
  assert.is((await page(service, { first: 1 })).totalCount, 5);
  assert.is((await page(service, { first: 1, inStockOnly: true })).totalCount, 2);
  assert.is((await page(service, { first: 1, query: "product" })).totalCount, 5);
  assert.is((await page(service, { first: 1, query: "product", inStockOnly: true })).totalCount, 2);
  const [last] = (await page(service)).edges.slice(-1);
  assert.is((await page(service, { after: last?.cursor })).totalCount, 5);
});

for (const query of [undefined, "product"]) {
  const walk = query ? "with a query" : "without a query";

  test(`§2 ProductEdge.cursor of any edge can be passed back as after, ${walk}`, async ({
    service,
  }) => {
    const { edges } = await page(service, { query });
    for (const [index, { cursor }] of edges.entries()) {
      const rest = await page(service, { query, after: cursor });
      assert.equal(ids(rest), ["1", "2", "3", "4", "5"].slice(index + 1));
    }
  });

  test(`§2 PageInfo: startCursor and endCursor are those of the first and last edge, ${walk}`, async ({
    service,
  }) => {
    const { edges, pageInfo } = await page(service, { query, first: 2 });
    assert.is(pageInfo.startCursor, edges[0]?.cursor);
    assert.is(pageInfo.endCursor, edges[1]?.cursor);
  });

  test(`§2 PageInfo.hasNextPage and hasPreviousPage are exact, ${walk}`, async ({ service }) => {
    const facts: [boolean, boolean][] = [];
    let after: string | null = null;
    for (let pages = 0; pages < 3; pages += 1) {
      const { pageInfo }: Page = await page(service, { query, first: 2, after });
      facts.push([pageInfo.hasPreviousPage, pageInfo.hasNextPage]);
      after = pageInfo.endCursor;
    }
    assert.equal(facts, [
      [false, true],
      [true, true],
      [true, false],
    ]);
    assert.is((await page(service, { query, first: 5 })).pageInfo.hasNextPage, false);
  });

  test(`§2 PageInfo: startCursor and endCursor are null when the page is empty, ${walk}`, async ({
    service,
  }) => {
    const { pageInfo } = await page(service, { query });
    const beyond = await page(service, { query, after: pageInfo.endCursor });
    assert.equal(beyond.nodes, []);
    assert.equal(beyond.pageInfo, {
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: null,
      endCursor: null,
    });
  });
}

test.run();
