import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productDeleted, productUpserted, stockChanged } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§4.1 rules");

test.before.each(async (context) => {
  context.service = await openTestServer();
});
test.after.each(({ service }) => service.close());

interface Page {
  readonly nodes: readonly { readonly id: string }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const page = async (service: TestServer, variables: object): Promise<Page> => {
  const { data, errors } = await service.graphql<{ products: Page }>(
    `query ($first: Int, $after: String, $query: String, $inStockOnly: Boolean) {
      products(first: $first, after: $after, query: $query, inStockOnly: $inStockOnly) {
        nodes { id } totalCount pageInfo { hasNextPage endCursor }
      }
    }`,
    variables,
  );
  assert.is(errors, undefined);
  return data.products;
};

const walk = async (service: TestServer, variables: object): Promise<readonly string[]> => {
  const seen: string[] = [];
  let after: string | null = null;
  for (let more = true; more; ) {
    const { nodes, pageInfo }: Page = await page(service, { ...variables, after });
    seen.push(...nodes.map(({ id }) => id));
    after = pageInfo.endCursor;
    // Ends an endless walk; the assertions below report it.
    more = pageInfo.hasNextPage && seen.length <= 100;
  }
  return seen;
};

const ids = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1));

for (const [name, filter] of Object.entries({
  "all products": {},
  "a keyword": { query: "product" },
  "orderable products": { inStockOnly: true },
  "a keyword among orderable products": { query: "product", inStockOnly: true },
})) {
  test(`§4.1 rule 1 a walk of ${name} by endCursor shows each product once, whatever the page size`, async ({
    service,
  }) => {
    const all = ids(23);
    service.apply(
      ...all.map((id) => productUpserted({ id: Number(id) })),
      ...all.map((id) => stockChanged({ productId: Number(id) })),
    );
    for (const first of [1, 7, 22, 23, 100]) {
      assert.equal(await walk(service, { ...filter, first }), all);
    }
  });
}

test("§4.1 rule 1 a cursor is not an offset: it continues after its product when earlier ones are gone", async ({
  service,
}) => {
  service.apply(...ids(6).map((id) => productUpserted({ id: Number(id) })));
  const { pageInfo } = await page(service, { first: 3 });
  service.apply(productDeleted(1), productDeleted(3));
  const { nodes } = await page(service, { first: 3, after: pageInfo.endCursor });
  assert.equal(
    nodes.map(({ id }) => id),
    ["4", "5", "6"],
  );
});

test("§4.1 rule 1 cursors are opaque: they show no id, name or position", async ({ service }) => {
  service.apply(productUpserted({ id: 4711 }));
  const { pageInfo } = await page(service, {});
  assert.match(pageInfo.endCursor ?? "", /^[\w=-]+$/);
  assert.not.match(pageInfo.endCursor ?? "", "4711");
});

test("§4.1 rule 2 query filters by keyword, and totalCount counts all matches", async ({
  service,
}) => {
  service.apply(
    ...[1, 2, 3].map((id) => productUpserted({ id, name: `Blue mug ${id}` })),
    ...[4, 5].map((id) => productUpserted({ id, name: `Lamp ${id}` })),
  );
  const { nodes, totalCount } = await page(service, { query: "mug", first: 2 });
  assert.is(nodes.length, 2);
  assert.is(totalCount, 3);
  assert.is((await page(service, { query: "chair" })).totalCount, 0);
});

test("§4.1 rule 2 inStockOnly restricts nodes and totalCount to orderable products", async ({
  service,
}) => {
  service.apply(
    ...[1, 2, 3, 4].map((id) => productUpserted({ id })),
    stockChanged({ productId: 2 }),
    stockChanged({ productId: 4, quantity: 0, orderable: true }),
  );
  const { nodes, totalCount } = await page(service, { inStockOnly: true });
  assert.equal(
    nodes.map(({ id }) => id),
    ["2", "4"],
  );
  assert.is(totalCount, 2);
  assert.is((await page(service, { inStockOnly: false })).totalCount, 4);
});

test("§4.1 rule 3 an unknown id: product null, NOT_FOUND at product, id, and no top-level errors", async ({
  service,
}) => {
  for (const id of ["1", "4711", "9007199254740991"]) {
    const { data, errors, status } = await service.graphql<{
      product: { product: null; userErrors: { code: string; field: string[] }[] };
    }>("query ($id: ID!) { product(id: $id) { product { id } userErrors { code field } } }", {
      id,
    });
    assert.is(status, 200);
    assert.is(errors, undefined);
    assert.equal(data.product, {
      product: null,
      userErrors: [{ code: "NOT_FOUND", field: ["product", "id"] }],
    });
  }
});

test("§4.1 rule 4 weights are advisory: a query of far higher cost is served", async ({
  service,
}) => {
  service.apply(...ids(100).map((id) => productUpserted({ id: Number(id) })));
  const fields = Array.from(
    { length: 9 },
    (_, index) => `p${index}: products(first: 100) { nodes { id price { amount } } }`,
  );
  const { data, errors } = await service.graphql<Record<string, { nodes: unknown[] }>>(
    `{ ${fields.join(" ")} }`,
  );
  assert.is(errors, undefined);
  for (const { nodes } of Object.values(data)) assert.is(nodes.length, 100);
});

test.run();
