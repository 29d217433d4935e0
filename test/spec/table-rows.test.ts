import { suite } from "uvu";
import * as assert from "uvu/assert";
import { categoryUpserted, settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { smallShop } from "../mcp/shop.ts";
import {
  anonymous,
  discovery,
  listing,
  markdown,
  postTo,
  statusOf,
  tools,
} from "./every-surface.ts";

/** Rows of the tables of §1 to §5 of the specification, each over HTTP. */
const test = suite<Servers>("rows of the tables of §1 to §5");

interface Servers {
  open: TestServer;
  closed: TestServer;
}

test.before(async (context) => {
  context.open = await openTestServer();
  context.closed = await openTestServer({ registration: "closed" });
  for (const service of [context.open, context.closed]) service.apply(...smallShop());
});
test.after(async ({ open, closed }) => {
  await open.close();
  await closed.close();
});

for (const [name, ask] of Object.entries(anonymous)) {
  test(`§1.3 ${name} answers without credentials and requests none`, async ({ open }) => {
    const response = await ask(open);
    assert.is(await statusOf(response), name === "registration" ? 201 : 200);
    assert.is(response.headers.get("www-authenticate"), null);
    assert.is(response.headers.get("set-cookie"), null);
  });
}

test("§1.3 the tool endpoint is JSON-RPC 2.0 by POST with a bearer token", async ({ open }) => {
  const response = await tools(open);
  assert.is(response.status, 200);
  assert.is(((await response.json()) as { jsonrpc: string }).jsonrpc, "2.0");
  assert.is(await statusOf(await postTo("/agent/mcp", listing)(open)), 401);
});

for (const [name, path] of Object.entries(discovery)) {
  test(`§1.3 the ${name} document is JSON by GET; POST is 405`, async ({ open }) => {
    const response = await open.get(path);
    assert.match(response.headers.get("content-type") ?? "", /^application\/(linkset\+)?json/);
    assert.type(await response.json(), "object");
    assert.is(await statusOf(await open.request(path, { method: "POST" })), 405);
  });
}

test("§1.3 registration is POST: any other method is 405 with Allow", async ({ open }) => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const response = await open.request("/v1/register", { method });
    assert.is(await statusOf(response), 405);
    assert.match(response.headers.get("allow") ?? "", /^POST/);
  }
});

const productOf = async ({ graphql }: TestServer, id: number, fields: string) => {
  const { data } = await graphql<{ product: { product: unknown } }>(
    `{ product(id: ${id}) { product { ${fields} } } }`,
  );
  return data.product.product;
};

test("§2 Product.name, reference, gtin and brand are as the merchant recorded them", async ({
  open,
}) => {
  assert.equal(await productOf(open, 1, "name reference gtin brand"), {
    name: "Blue mug",
    reference: "SKU-1",
    gtin: "4006381333931",
    brand: "Acme",
  });
});

test("§2 Product.url with .md appended is the Markdown page of that product", async ({ open }) => {
  const { url } = (await productOf(open, 1, "url")) as { url: string };
  const response = await open.get(`${new URL(url).pathname}.md`);
  assert.is(response.headers.get("content-type"), "text/markdown; charset=utf-8");
  assert.match(await response.text(), /^# Blue mug\n/);
});

test("§2 CategoryPayload.categories are ordered by depth, then name", async () => {
  const service = await openTestServer();
  const named = (id: number, name: string, parentId: number | null = null) =>
    categoryUpserted({ id, name, parentId });
  service.apply(settingsUpdated(), named(1, "Zoo"), named(2, "Bags", 1), named(3, "Art"));
  service.apply(named(4, "Apes", 1));
  const { data } = await service.graphql("{ categories { categories { name depth } } }");
  assert.equal(data, {
    categories: {
      categories: [
        { name: "Art", depth: 1 },
        { name: "Zoo", depth: 1 },
        { name: "Apes", depth: 2 },
        { name: "Bags", depth: 2 },
      ],
    },
  });
  await service.close();
});

test("§2 ProductEdge.node is the full product", async ({ open }) => {
  const { data } = await open.graphql<{ products: { edges: { node: unknown }[] } }>(
    "{ products(first: 1) { edges { node { id name url } } } }",
  );
  assert.equal(data.products.edges[0]?.node, await productOf(open, 1, "id name url"));
});

/** A query for each row of the table of §4.1, and its result in the small shop. */
const queryFields = {
  shop: ["shop { name productCount }", { name: "Example Shop", productCount: 3 }],
  product: ["product(id: 2) { product { name } }", { product: { name: "Red mug" } }],
  products: [
    'products(first: 1, query: "mug", inStockOnly: true) { totalCount nodes { id } }',
    { totalCount: 2, nodes: [{ id: "1" }] },
  ],
  categories: [
    "categories { categories { name } }",
    { categories: [{ name: "Empty" }, { name: "Kitchen" }, { name: "Mugs" }] },
  ],
  policies: ["policies { policies { id } }", { policies: [{ id: "1" }, { id: "2" }] }],
} as const;

for (const [name, [question, answer]] of Object.entries(queryFields)) {
  test(`§4.1 Query.${name} answers`, async ({ open }) => {
    const { data, errors } = await open.graphql(`{ ${question} }`);
    assert.is(errors, undefined);
    assert.equal(data, { [name]: answer });
  });
}

test("§5 anonymous: catalogue, prices, stock, shipping and policies need no token", async ({
  open,
}) => {
  const { data, errors } = await open.graphql(
    "{ products { nodes { name availability price { amount } } } policies { policies { title } } }",
  );
  assert.is(errors, undefined);
  assert.ok(JSON.stringify(data).includes('"amount":"12.90"'));
  const overview = await (await open.get("/", markdown)).text();
  assert.match(overview, "Free shipping from: 50.00 EUR");
});

interface AuthorizationServer {
  readonly grant_types_supported: readonly string[];
  readonly agent_auth: {
    readonly service_auth?: { readonly supported: string };
    readonly identity_assertion: { readonly supported: boolean };
  };
}

const authorizationServerOf = async ({ get }: TestServer): Promise<AuthorizationServer> => {
  const response = await get(discovery["authorization server"]);
  return (await response.json()) as AuthorizationServer;
};

test("§5 service_auth: manual: a token that the owner issued works", async ({ closed }) => {
  assert.is(await statusOf(await tools(closed)), 200);
  const { agent_auth } = await authorizationServerOf(closed);
  assert.is(agent_auth.service_auth?.supported, "manual");
});

test("§5 identity_assertion: not supported; no grant, no token endpoint", async ({
  open,
  closed,
}) => {
  for (const service of [open, closed]) {
    const document = await authorizationServerOf(service);
    assert.equal(document.agent_auth.identity_assertion, { supported: false });
    assert.equal(document.grant_types_supported, []);
    assert.not("token_endpoint" in document);
    for (const path of ["/token", "/oauth/token", "/oauth2/token", "/authorize"]) {
      assert.is(await statusOf(await service.request(path, { method: "POST" })), 404);
    }
  }
});

test.run();
