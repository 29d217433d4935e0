import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { introspected } from "./published-schema.ts";

const test = suite<{ service: TestServer }>("§1 what the service does");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated(),
    categoryUpserted(),
    productUpserted({ categoryIds: [1], gtin: "4006381333931", brand: "Acme" }),
    pageUpserted({ policy: "returns" }),
  );
});
test.after(({ service }) => service.close());

const everything = `{
  shop { name url language currency productCount categoryCount apiVersion deprecationPolicy }
  product(id: 1) { product { ...Facts } userErrors { code field message } }
  products(query: "product") {
    edges { cursor node { ...Facts } } nodes { id } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } userErrors { code }
  }
  categories { categories { id name url depth parentId productCount } userErrors { code } }
  policies { policies { id title url summary } userErrors { code } }
}
fragment Facts on Product {
  id name description url reference gtin brand price { amount currency } availability inStock updatedAt
}`;

test("§1.1 products, prices, stock state, category tree and policy pages are published", async ({
  service,
}) => {
  const { data, errors } = await service.graphql<{
    product: { product: { name: string; price: unknown; availability: string } };
    categories: { categories: unknown[] };
    policies: { policies: unknown[] };
  }>(everything);
  assert.is(errors, undefined);
  assert.is(data.product.product.name, "Product 1");
  assert.equal(data.product.product.price, { amount: "12.90", currency: "EUR" });
  assert.is(data.product.product.availability, "OUT_OF_STOCK");
  assert.is(data.categories.categories.length, 1);
  assert.is(data.policies.policies.length, 1);
});

test("§1.2 the schema has no mutation type, and a mutation is a malformed document", async ({
  service,
}) => {
  assert.not.ok((await introspected(service)).getMutationType());
  const { data, errors } = await service.graphql("mutation { shop { name } }");
  assert.is(data, undefined);
  assert.ok(errors?.length);
});

test("§1.2 every operation is safe to retry: the same request gets the same bytes", async ({
  service,
}) => {
  const answers: string[] = [];
  for (let time = 0; time < 4; time += 1) {
    answers.push(await (await service.post({ query: everything })).text());
  }
  assert.is(new Set(answers).size, 1, answers.join("\n"));
});

test("§1.3 GraphQL is POST at /graphql, without credentials", async ({ service }) => {
  const response = await service.post({ query: "{ shop { name } }" });
  assert.is(response.status, 200);
  assert.equal(await response.json(), { data: { shop: { name: "Example Shop" } } });
});

for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE"]) {
  test(`§1.3 GraphQL is POST: ${method} is 405 with Allow`, async ({ service }) => {
    const response = await service.request("/graphql", { method });
    await response.arrayBuffer();
    assert.is(response.status, 405);
    assert.is(response.headers.get("allow"), "POST");
  });
}

test("§1.3 the SDL is text at GET /graphql/schema.graphql, without credentials", async ({
  service,
}) => {
  const response = await service.get("/graphql/schema.graphql");
  assert.is(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^(text\/plain|application\/graphql)/);
  assert.match(await response.text(), /^type Query \{/m);
});

test("§1.3 the SDL is GET: POST is 405 with Allow", async ({ service }) => {
  const response = await service.request("/graphql/schema.graphql", { method: "POST" });
  await response.arrayBuffer();
  assert.is(response.status, 405);
  assert.match(response.headers.get("allow") ?? "", /\bGET\b/);
});

test("§1.6 the schema has no job type to poll and no subscription type", async ({ service }) => {
  const schema = await introspected(service);
  assert.not.ok(schema.getSubscriptionType());
  const names = Object.keys(schema.getTypeMap());
  assert.equal(
    names.filter((name) => /job|task|progress|async/i.test(name)),
    [],
  );
});

test("§1.6 a result too large for one answer is paged with cursors", async ({ service }) => {
  service.apply(...[2, 3].map((id) => productUpserted({ id })));
  const query =
    "query ($after: String) { products(first: 2, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } }";
  type Page = {
    products: { nodes: { id: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } };
  };
  const one = (await service.graphql<Page>(query)).data.products;
  const two = (await service.graphql<Page>(query, { after: one.pageInfo.endCursor })).data.products;
  assert.equal(
    [one, two].map(({ nodes }) => nodes.map(({ id }) => id)),
    [["1", "2"], ["3"]],
  );
  assert.equal(
    [one, two].map(({ pageInfo }) => pageInfo.hasNextPage),
    [true, false],
  );
});

test.run();
