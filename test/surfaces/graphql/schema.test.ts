import {
  buildSchema,
  type DirectiveNode,
  GraphQLEnumType,
  type GraphQLNamedType,
  GraphQLObjectType,
  getIntrospectionQuery,
  isSpecifiedScalarType,
  print,
  validateSchema,
} from "graphql";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { graphqlLimits } from "../../../src/surfaces/graphql/limits/limits.ts";
import { readSdl } from "../../../src/surfaces/graphql/schema.ts";
import { open, type TestApp } from "../../http/test-app.ts";
import { enums, types } from "../../spec/section-2-tables.ts";

const sdl = readSdl().toString();
const schema = buildSchema(sdl);

import { addedTypes, additions } from "./additions.ts";

const test = suite<{ testApp: TestApp }>("GraphQL schema");

test.before(async (context) => {
  context.testApp = await open();
});
test.after(({ testApp }) => testApp.close());

/** Maps the fields of an object type to their types as written. */
const shapeOf = (name: string): Record<string, string> => {
  const type = schema.getType(name);
  if (!(type instanceof GraphQLObjectType)) throw new Error(`${name} is not an object type`);
  return Object.fromEntries(
    Object.values(type.getFields()).map((field) => [field.name, String(field.type)]),
  );
};

const membersOf = (name: string): string[] => {
  const type = schema.getType(name);
  if (!(type instanceof GraphQLEnumType)) throw new Error(`${name} is not an enum`);
  return type.getValues().map((value) => value.name);
};

const shapes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...types,
  ProductFacets: {
    brands: "[BrandFacet!]!",
    categories: "[CategoryFacet!]!",
    prices: "[PriceFacet!]!",
  },
  BrandFacet: { brand: "String!", count: "Int!" },
  CategoryFacet: { id: "ID!", name: "String!", count: "Int!" },
  PriceFacet: { min: "String!", max: "String!", count: "Int!" },
  SearchReport: {
    relaxed: "Boolean!",
    corrections: "[Correction!]!",
    unknownWords: "[String!]!",
    suggestions: "[String!]!",
    matchedWords: "[String!]!",
  },
  Correction: { word: "String!", words: "[String!]!" },
  Query: {
    shop: "Shop!",
    product: "ProductPayload!",
    products: "ProductConnection!",
    categories: "CategoryPayload!",
    policies: "PolicyPayload!",
  },
};

for (const [name, shape] of Object.entries(shapes)) {
  test(`§2 and §4.1: ${name} has the fields of the specification and no others`, () => {
    const { [name]: added = [] } = additions;
    const fields = Object.entries(shapeOf(name)).filter(([field]) => !added.includes(field));
    assert.equal(Object.fromEntries(fields), shape);
  });
}

test("Contract 9: the additions of variants, prices and stock are there", () => {
  for (const [name, fields] of Object.entries(additions)) {
    const shape = shapeOf(name);
    for (const field of fields) assert.type(shape[field], "string", `${name}.${field}`);
  }
});

test("§2: the enums have the members of the specification and no others", () => {
  for (const [name, members] of Object.entries(enums)) assert.equal(membersOf(name), members);
});

test("§4.1: product and products have their arguments", () => {
  const argumentsOf = (field: string): Record<string, string> =>
    Object.fromEntries(
      (schema.getQueryType()?.getFields()[field]?.args ?? []).map((argument) => [
        argument.name,
        String(argument.type),
      ]),
    );
  assert.equal(argumentsOf("product"), { id: "ID!" });
  assert.equal(argumentsOf("products"), {
    first: "Int",
    after: "String",
    query: "String",
    inStockOnly: "Boolean",
    // Later additions.
    relax: "Boolean",
    orderBy: "ProductOrder",
    categoryId: "ID",
    brand: "String",
    priceMin: "String",
    priceMax: "String",
    ids: "[ID!]",
    reference: "String",
    gtin: "String",
    url: "String",
    sku: "String",
    mpn: "String",
    options: "[OptionInput!]",
    attributes: "[AttributeInput!]",
    onSale: "Boolean",
    condition: "Condition",
    stockStatus: "[StockStatus!]",
    minRating: "Float",
  });
});

test("§4.1: the schema is valid, has one root type and only the scalars of the specification", () => {
  assert.equal(validateSchema(schema), []);
  assert.is(schema.getMutationType(), undefined);
  assert.is(schema.getSubscriptionType(), undefined);
  const own = Object.keys(schema.getTypeMap()).filter((name) => {
    const type = schema.getType(name);
    return !name.startsWith("__") && type && !isSpecifiedScalarType(type);
  });
  const enums = ["Availability", "ProductOrder", "UserErrorCode"];
  assert.equal(own.sort(), [...Object.keys(shapes), ...enums, ...addedTypes].sort());
});

test("§4.1: the SDL defines the directives", () => {
  for (const signature of [
    "@include(",
    "@skip(",
    "@deprecated(",
    "@cost(",
    "@listSize(",
    "@rateLimit(",
    "@idempotent on",
  ]) {
    assert.ok(sdl.includes(`directive ${signature}`), signature);
  }
  const argumentsOf = (name: string) =>
    schema.getDirective(name)?.args.map((argument) => `${argument.name}: ${argument.type}`);
  assert.equal(argumentsOf("cost"), ["weight: String!"]);
  assert.equal(argumentsOf("rateLimit"), ["max: Int!", "window: String!"]);
  assert.equal(argumentsOf("idempotent"), []);
  assert.equal(argumentsOf("listSize"), [
    "assumedSize: Int",
    "slicingArguments: [String!]",
    "sizedFields: [String!]",
    "requireOneSlicingArgument: Boolean",
  ]);
});

test("§4.1: each root field has its weight, the rate limit and @idempotent", () => {
  const weights = { shop: 1, product: 2, products: 10, categories: 3, policies: 2 };
  for (const [name, weight] of Object.entries(weights)) {
    const applied = directivesOf(name);
    assert.ok(applied.includes(`@cost(weight: "${weight}")`), name);
    assert.ok(applied.includes('@rateLimit(max: 600, window: "60s")'), name);
    assert.ok(applied.includes("@idempotent"), name);
  }
  assert.ok(
    directivesOf("products").includes(
      '@listSize(assumedSize: 20, slicingArguments: ["first"], sizedFields: ["edges", "nodes"], requireOneSlicingArgument: false)',
    ),
  );
});

test("§9 rule 3: inStock is deprecated and names availability", () => {
  const product = schema.getType("Product");
  if (!(product instanceof GraphQLObjectType)) throw new Error("no Product");
  const deprecated = Object.values(product.getFields()).filter((field) => field.deprecationReason);
  assert.equal(
    deprecated.map((field) => field.name),
    ["inStock"],
  );
  assert.match(deprecated[0]?.deprecationReason ?? "", "availability");
});

/** Lists a type and what it consists of, each with its description. */
const describedParts = (type: GraphQLNamedType): readonly (readonly [string, unknown])[] => {
  const own = [type.name, type.description] as const;
  if (type instanceof GraphQLEnumType)
    return [own, ...type.getValues().map(({ name, description }) => [name, description] as const)];
  if (!(type instanceof GraphQLObjectType)) return [own];
  const fields = Object.values(type.getFields()).flatMap((field) => [
    [`${type.name}.${field.name}`, field.description] as const,
    ...field.args.map(
      ({ name, description }) => [`${type.name}.${field.name}(${name})`, description] as const,
    ),
  ]);
  return [own, ...fields];
};

test("every type, field and argument has a description", () => {
  const parts = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith("__"))
    .flatMap(describedParts);
  assert.ok(parts.length > 50, `${parts.length} parts`);
  assert.equal(
    parts.filter(([, description]) => !description),
    [],
  );
});

test("the limits in the schema's description are those that are enforced", () => {
  assert.is(graphqlLimits.categoryLists, graphqlLimits.policyLists);
  const published = schema.description ?? "";
  for (const line of [
    `request body: ${graphqlLimits.bytes} bytes`,
    `tokens: ${graphqlLimits.tokens}`,
    `selection depth: ${graphqlLimits.depth} `,
    `aliases: ${graphqlLimits.aliases},`,
    `root fields: ${graphqlLimits.rootFields},`,
    `lists of all categories: ${graphqlLimits.categoryLists}, and as many of all policies,`,
    `\`__schema\` fields: ${graphqlLimits.schemas}, \`__type\` fields: ${graphqlLimits.types},`,
    `\`args\`: ${graphqlLimits.introspectionLists}, once`,
    `fields in all: ${graphqlLimits.fields},`,
    `fragment definitions: ${graphqlLimits.fragments}`,
    `fields with a \`query\`: ${graphqlLimits.searches}`,
    `\`products\` fields with \`facets\`: ${graphqlLimits.facets} (`,
    `fields of listed categories and policies: ${graphqlLimits.listedFields},`,
    `descriptions in one answer: ${graphqlLimits.answerCharacters}`,
    `fields and list entries of the answer: ${graphqlLimits.writtenFields},`,
    `expensive arguments of all \`products\` fields: ${graphqlLimits.expensiveArguments} (`,
    `directives: ${graphqlLimits.directives},`,
    `selections of one field of the response: ${graphqlLimits.repeats},`,
    `all \`products\` fields: ${graphqlLimits.pageSizes} (\`first\` over ${graphqlLimits.pageSize} counts as ${graphqlLimits.pageSize}`,
    `\`matchedVariants\`: ${graphqlLimits.variants}, for each product of a page (\`options\` and \`variant\` count as ${graphqlLimits.defaultPageSize})`,
    `an omitted one as ${graphqlLimits.defaultPageSize})`,
  ]) {
    assert.ok(published.replaceAll(/\s+/g, " ").includes(line), line);
  }
});

test("§4.1: introspection is enabled, in every form of the standard query", async ({ testApp }) => {
  const flags = [
    "descriptions",
    "specifiedByUrl",
    "directiveIsRepeatable",
    "schemaDescription",
    "inputValueDeprecation",
    "oneOf",
  ];
  for (let bits = 0; bits < 2 ** flags.length; bits += 1) {
    const options = Object.fromEntries(flags.map((flag, at) => [flag, Boolean(bits & (2 ** at))]));
    const { errors, data, status } = await testApp.ask(getIntrospectionQuery(options));
    assert.is(errors, undefined, JSON.stringify(options));
    assert.ok(data);
    assert.is(status, 200);
  }
});

test("§4.1: introspection shows the deprecation and the descriptions", async ({ testApp }) => {
  const { data } = await testApp.ask(
    '{ __type(name: "Money") { description fields { name description } } }',
  );
  assert.equal(data, {
    __type: {
      description: "An amount of money.",
      fields: [
        { name: "amount", description: "Decimal string, never a float, such as `12.90`." },
        { name: "currency", description: "ISO 4217 code." },
      ],
    },
  });
});

test("§4.1: mutations and subscriptions are malformed documents", async ({ testApp }) => {
  for (const operation of ["mutation", "subscription"]) {
    const { data, errors } = await testApp.ask(`${operation} { shop { name } }`);
    assert.is(data, undefined);
    assert.match(errors?.[0]?.message ?? "", operation);
  }
});

const directivesOf = (field: string): string[] =>
  (schema.getQueryType()?.getFields()[field]?.astNode?.directives ?? []).map(
    (directive: DirectiveNode) => print(directive),
  );

test.run();
