import {
  executeSync,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  parse,
} from "graphql";
import { pino } from "pino";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
} from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";
import { answer, createPlanned, schema } from "./compiled/compare-answers.ts";

const test = suite("GraphQL fields");

const selectAll = (type: GraphQLOutputType | undefined): string => {
  const named = type && getNamedType(type);
  if (!(named instanceof GraphQLObjectType)) return "";
  const fields = Object.values(named.getFields()).map(
    ({ name, type }) => `${name} ${selectAll(type)}`,
  );
  return `{ ${fields.join(" ")} }`;
};

const all = (field: string): string => selectAll(schema.getQueryType()?.getFields()[field]?.type);

/** Selects every field of every type, with values for each. */
const document = `{
  shop ${all("shop")} categories ${all("categories")} policies ${all("policies")}
  product(id: 1) ${all("product")} missing: product(id: 9) ${all("product")}
  products(query: "red sheo") ${all("products")}
}`;

const openShop = () => {
  const model = openModel();
  model.apply(
    settingsUpdated(),
    categoryUpserted({ id: 1 }),
    pageUpserted({ id: 1, policy: "returns" }),
    ...["Red shoe", "Blue shoe"].map((name, at) =>
      productUpserted({
        id: at + 1,
        name,
        brand: "Acme",
        categoryIds: [1],
        price: { amount: `${at + 1}.00`, currency: "EUR" },
      }),
    ),
  );
  return model;
};

test("every field of the schema is a member of what its parent resolves to, or has a resolver", async () => {
  const model = openShop();
  const read = new Set<string>();
  const absent = new Set<string>();
  const fieldResolver: GraphQLFieldResolver<Record<string, unknown>, unknown> = (
    source,
    _args,
    _context,
    { parentType, fieldName },
  ) => {
    const isMember = fieldName in source;
    (isMember ? read : absent).add(`${parentType.name}.${fieldName}`);
    return source[fieldName];
  };
  const result = openReader(model.store).snapshot((snapshot) =>
    executeSync({
      schema,
      document: parse(document),
      fieldResolver,
      contextValue: {
        snapshot,
        baseUrl: "https://agents.shop.example",
        log: pino({ level: "silent" }),
        budget: { characters: 0, isIncomplete: false },
      },
    }),
  );
  await model.close();
  assert.is(result.errors, undefined);
  assert.equal([...absent], []);
  const unread = Object.values(schema.getTypeMap()).flatMap((type) =>
    type instanceof GraphQLObjectType && !type.name.startsWith("__")
      ? Object.values(type.getFields())
          .filter(({ name, resolve }) => !resolve && !read.has(`${type.name}.${name}`))
          .map(({ name }) => `${type.name}.${name}`)
      : [],
  );
  assert.equal(unread, []);
});

test("a plan writes every field of every type", async () => {
  const model = openShop();
  const { byPlan } = answer(createPlanned(), openReader(model.store), document, {}, 2);
  await model.close();
  assert.ok(byPlan);
});

test.run();
