import type { ConstDirectiveNode, DocumentNode, GraphQLSchema } from "graphql";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { introspected, publishedSdl } from "./published-schema.ts";

const test = suite<{ service: TestServer; schema: GraphQLSchema; sdl: DocumentNode }>(
  "§4.1 GraphQL",
);

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated(),
    ...Array.from({ length: 120 }, (_, index) => productUpserted({ id: index + 1 })),
  );
  context.schema = await introspected(context.service);
  context.sdl = await publishedSdl(context.service);
});
test.after(({ service }) => service.close());

test("§4.1 the body is a JSON object with query and variables", async ({ service }) => {
  const response = await service.post({
    query: "query ($id: ID!) { product(id: $id) { product { id } } }",
    variables: { id: "7" },
  });
  assert.is(response.status, 200);
  assert.equal(await response.json(), { data: { product: { product: { id: "7" } } } });
});

test("§4.1 variables may be omitted or null", async ({ service }) => {
  for (const body of [{ query: "{ __typename }" }, { query: "{ __typename }", variables: null }]) {
    assert.equal(await (await service.post(body)).json(), { data: { __typename: "Query" } });
  }
});

test("§4.1 the response is JSON with data", async ({ service }) => {
  const response = await service.post({ query: "{ shop { name } }" });
  assert.match(response.headers.get("content-type") ?? "", /^application\/json; charset=utf-8$/i);
  assert.equal(Object.keys((await response.json()) as object), ["data"]);
});

test("§4.1 a malformed document gets top-level errors and no data", async ({ service }) => {
  for (const malformed of ["{", "{ nothing }", "{ shop }", "{ product { product { id } } }", ""]) {
    const { data, errors } = await service.graphql(malformed);
    assert.is(data, undefined, malformed);
    assert.ok(errors?.length, malformed);
  }
});

test("§4.1 Query is the single root type", ({ schema, sdl }) => {
  assert.is(schema.getQueryType()?.name, "Query");
  assert.not.ok(schema.getMutationType());
  assert.not.ok(schema.getSubscriptionType());
  const definitions = sdl.definitions.flatMap((node) =>
    node.kind === "SchemaDefinition" ? node.operationTypes.map(({ operation }) => operation) : [],
  );
  assert.equal(definitions, ["query"]);
});

test("§4.1 introspection is enabled", async ({ service }) => {
  const { data } = await service.graphql<{ __schema: { types: unknown[] }; __type: unknown }>(
    '{ __schema { types { name } } __type(name: "Shop") { name } }',
  );
  assert.ok(data.__schema.types.length > 15);
  assert.equal(data.__type, { name: "Shop" });
});

const directives: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  include: { if: "Boolean!" },
  skip: { if: "Boolean!" },
  deprecated: { reason: "String" },
  cost: { weight: "String!" },
  listSize: {
    assumedSize: "Int",
    slicingArguments: "[String!]",
    sizedFields: "[String!]",
    requireOneSlicingArgument: "Boolean",
  },
  rateLimit: { max: "Int!", window: "String!" },
  idempotent: {},
};

for (const [name, expected] of Object.entries(directives)) {
  test(`§4.1 @${name} is defined with its arguments, in introspection and in the SDL`, ({
    schema,
    sdl,
  }) => {
    const directive = schema.getDirective(name);
    const args = directive?.args.map((arg) => [arg.name, String(arg.type)]) ?? [];
    // graphql-js changed the type of its own @deprecated from String to String! with a default.
    assert.equal(
      Object.fromEntries(
        args.map(([arg, type]) => [arg, name === "deprecated" ? type?.replace("!", "") : type]),
      ),
      expected,
    );
    assert.ok(
      sdl.definitions.some(
        (node) => node.kind === "DirectiveDefinition" && node.name.value === name,
      ),
    );
  });
}

test("§4.1 @include and @skip work", async ({ service }) => {
  const { data } = await service.graphql(
    "query ($yes: Boolean!) { shop { name @include(if: $yes) url @skip(if: $yes) } }",
    { yes: true },
  );
  assert.equal(data, { shop: { name: "Example Shop" } });
});

/** The table of §4.1. */
const queryFields: Readonly<
  Record<string, { type: string; weight: string; args: Readonly<Record<string, string>> }>
> = {
  shop: { type: "Shop!", weight: "1", args: {} },
  product: { type: "ProductPayload!", weight: "2", args: { id: "ID!" } },
  products: {
    type: "ProductConnection!",
    weight: "10",
    args: {
      ...{ first: "Int", after: "String", query: "String", inStockOnly: "Boolean" },
      // Later additions.
      ...{ relax: "Boolean", orderBy: "ProductOrder", categoryId: "ID", brand: "String" },
      ...{ priceMin: "String", priceMax: "String", ids: "[ID!]" },
      ...{ reference: "String", gtin: "String", url: "String", sku: "String", mpn: "String" },
      ...{ options: "[OptionInput!]", attributes: "[AttributeInput!]", onSale: "Boolean" },
      ...{ condition: "Condition", stockStatus: "[StockStatus!]", minRating: "Float" },
    },
  },
  categories: { type: "CategoryPayload!", weight: "3", args: {} },
  policies: { type: "PolicyPayload!", weight: "2", args: {} },
};

for (const [name, { type, weight, args }] of Object.entries(queryFields)) {
  test(`§4.1 Query.${name} takes ${Object.keys(args).join(", ") || "no arguments"} and returns ${type}`, ({
    schema,
  }) => {
    const field = schema.getQueryType()?.getFields()[name];
    assert.is(String(field?.type), type);
    assert.equal(
      Object.fromEntries(field?.args.map((arg) => [arg.name, String(arg.type)]) ?? []),
      args,
    );
  });

  test(`§4.1 Query.${name} has the cost weight ${weight} in the SDL`, ({ sdl }) => {
    assert.equal(applied(sdl, name, "cost"), { weight });
  });

  test(`contract §4 Query.${name} carries @rateLimit and @idempotent in the SDL`, ({ sdl }) => {
    assert.equal(applied(sdl, name, "rateLimit"), { max: "600", window: "60s" });
    assert.equal(applied(sdl, name, "idempotent"), {});
  });
}

test("contract §4 products carries @listSize in the SDL, sized by first", ({ sdl }) => {
  const listSize = sdlField(sdl, "Query", "products").find(({ name }) => name.value === "listSize");
  const lists = Object.fromEntries(
    listSize?.arguments?.map(({ name, value }) => [
      name.value,
      value.kind === "ListValue"
        ? value.values.map((entry) => "value" in entry && entry.value)
        : "value" in value && value.value,
    ]) ?? [],
  );
  assert.equal(lists, {
    assumedSize: "20",
    slicingArguments: ["first"],
    sizedFields: ["edges", "nodes"],
    requireOneSlicingArgument: false,
  });
});

const sdlField = (sdl: DocumentNode, type: string, field: string): readonly ConstDirectiveNode[] =>
  sdl.definitions.flatMap((node) =>
    node.kind === "ObjectTypeDefinition" && node.name.value === type
      ? (node.fields?.find(({ name }) => name.value === field)?.directives ?? [])
      : [],
  );

/** Arguments of a directive on a field of Query, as text of the SDL. */
const applied = (sdl: DocumentNode, field: string, directive: string): unknown => {
  const node = sdlField(sdl, "Query", field).find(({ name }) => name.value === directive);
  if (!node) return undefined;
  return Object.fromEntries(
    (node.arguments ?? []).map(({ name, value }) => [
      name.value,
      "value" in value ? value.value : value.kind,
    ]),
  );
};

test.run();
