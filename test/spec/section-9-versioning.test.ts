import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated, stockChanged } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { introspected } from "./published-schema.ts";

const test = suite<{ service: TestServer; empty: TestServer }>("§9 versioning");

test.before(async (context) => {
  context.service = await openTestServer();
  context.empty = await openTestServer({ loaded: false });
  context.service.apply(
    settingsUpdated(),
    ...[1, 2, 3].map((id) => productUpserted({ id })),
    stockChanged({ productId: 2 }),
  );
});
test.after(async ({ service, empty }) => {
  await service.close();
  await empty.close();
});

const query = "{ shop { name } }";
const sdl = "/graphql/schema.graphql";

const meetings: Readonly<
  Record<string, (servers: { service: TestServer; empty: TestServer }) => Promise<Response>>
> = {
  "200 from GraphQL": ({ service }) => service.post({ query }),
  "200 from the SDL": ({ service }) => service.get(sdl),
  "HEAD of the SDL": ({ service }) => service.request(sdl, { method: "HEAD" }),
  "304 of the SDL": async ({ service }) =>
    service.get(sdl, { "if-none-match": (await service.get(sdl)).headers.get("etag") ?? "" }),
  "a malformed document": ({ service }) => service.post({ query: "{" }),
  "a malformed document as application/graphql-response+json": ({ service }) =>
    service.post({ query: "{" }, { accept: "application/graphql-response+json" }),
  "user errors": ({ service }) =>
    service.post({ query: "{ product(id: 9) { userErrors { code } } }" }),
  "a preflight": ({ service }) =>
    service.request("/graphql", {
      method: "OPTIONS",
      headers: { origin: "https://a.example", "access-control-request-method": "POST" },
    }),
  "400": ({ service }) => service.post("{"),
  "404": ({ service }) => service.get("/graphql/nothing"),
  "404 at an address that cannot be decoded": ({ service }) => service.get("/%E0%A4%A"),
  "404 at the root of nothing": ({ service }) => service.get("/nothing"),
  "405": ({ service }) => service.get("/graphql", { accept: "application/json" }),
  "413": ({ service }) => service.post({ query: " ".repeat(70_000) }),
  "415": ({ service }) => service.post({ query }, { "content-type": "text/plain" }),
  "503": ({ empty }) => empty.post({ query }),
};

for (const [name, meet] of Object.entries(meetings)) {
  test(`§9 rule 1 API-Version: 1 and Deprecation: false on ${name}`, async (servers) => {
    const response = await meet(servers);
    await response.arrayBuffer();
    assert.is(response.headers.get("api-version"), "1");
    assert.is(response.headers.get("deprecation"), "false");
  });
}

test("§9 rule 3 Product.inStock is deprecated, with a reason that names its replacement", async ({
  service,
}) => {
  const { data } = await service.graphql<{
    __type: { fields: { name: string; isDeprecated: boolean; deprecationReason: string | null }[] };
  }>(
    '{ __type(name: "Product") { fields(includeDeprecated: true) { name isDeprecated deprecationReason } } }',
  );
  const deprecated = data.__type.fields.filter(({ isDeprecated }) => isDeprecated);
  assert.equal(
    deprecated.map(({ name }) => name),
    ["inStock"],
  );
  assert.match(deprecated[0]?.deprecationReason ?? "", "availability");
});

test("§9 rule 3 Product.inStock is deprecated in the SDL too", async ({ service }) => {
  const text = await (await service.get(sdl)).text();
  assert.match(text, /inStock: Boolean! @deprecated\(reason: "[^"]*availability[^"]*"\)/);
});

test("§9 rule 3 no other field or enum value is deprecated", async ({ service }) => {
  const schema = await introspected(service);
  const deprecated = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith("__"))
    .flatMap((type) => [
      ...("getFields" in type ? Object.values(type.getFields()) : []),
      ...("getValues" in type ? type.getValues() : []),
    ])
    .filter(({ deprecationReason }) => deprecationReason != null);
  assert.equal(
    deprecated.map(({ name }) => name),
    ["inStock"],
  );
});

test("§9 rule 3 Product.inStock keeps working and agrees with availability", async ({
  service,
}) => {
  const { data } = await service.graphql<{
    products: { nodes: { availability: string; inStock: boolean }[] };
  }>("{ products { nodes { availability inStock } } }");
  assert.equal(data.products.nodes, [
    { availability: "OUT_OF_STOCK", inStock: false },
    { availability: "IN_STOCK", inStock: true },
    { availability: "OUT_OF_STOCK", inStock: false },
  ]);
});

test("§9 rule 4 a version that is not retired carries no Sunset header", async ({ service }) => {
  assert.is((await service.post({ query })).headers.get("sunset"), null);
});

test.run();
