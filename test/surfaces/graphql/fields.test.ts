import { executeSync, type GraphQLFieldResolver, GraphQLObjectType, parse } from "graphql";
import { pino } from "pino";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ProductData } from "../../../src/events/event.ts";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
} from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";
import { answersAlike, schema, selectEverything } from "./compiled/compare-answers.ts";

const test = suite("GraphQL fields");

/** Selects every field of every type, with values for each. */
const document = selectEverything(
  "shop",
  "categories",
  "policies",
  "product(id: 1)",
  "missing: product(id: 9)",
  'products(first: 5, query: "red sheo")',
);

const money = (amount: string) => ({ amount, currency: "EUR" });

/** Has a value for every field that a product and a variant may have. */
const everyFact: Partial<ProductData> = {
  sales: [
    { price: money("0.90"), to: "2099-01-01T00:00:00Z" },
    { price: money("0.80"), from: "2099-01-01T00:00:00Z" },
  ],
  priorPrice: money("0.95"),
  mpn: "M-1",
  condition: "used",
  unitPricing: { measure: { value: "500", unit: "g" }, base: { value: "1", unit: "kg" } },
  quantityRule: { min: 1, max: 9, step: 1 },
  rating: { value: 4, count: 3 },
  related: [{ productId: 2, relationship: "similar" }],
  releaseDate: "2026-01-01",
  delivery: "physical",
  tags: ["shoe"],
  highlights: ["Light"],
  minimumAge: 16,
  warnings: [{ text: "Hot", code: "hot", url: "https://shop.example/hot" }],
  returns: { accepted: true, days: 30, countries: ["DE"] },
  manufacturer: { name: "Acme" },
  responsiblePerson: { name: "Acme EU" },
  energyLabel: { class: "B", scale: ["A", "G"] },
  media: [{ type: "video", url: "https://shop.example/film.mp4" }],
  specifications: [{ name: "Weight", value: "1 kg", code: "weight" }],
  images: [{ url: "https://shop.example/1.jpg", width: 9, height: 9 }],
  options: [{ name: "Size", code: "size", values: ["40"] }],
  variants: [
    {
      id: 2,
      options: [{ name: "Size", value: "40" }],
      images: [{ url: "/2.jpg" }],
      specifications: [{ name: "Weight", value: "1 kg", code: "weight" }],
    },
  ],
};

const openShop = () => {
  const model = openModel();
  model.apply(
    settingsUpdated({ upcomingSales: "shown", listPriceKind: "former", taxIncluded: true }),
    categoryUpserted({ id: 1 }),
    pageUpserted({ id: 1, policy: "returns" }),
    ...["Red shoe", "Blue shoe"].map((name, at) =>
      productUpserted({
        id: at + 1,
        name,
        brand: "Acme",
        categoryIds: [1],
        price: money(`${at + 1}.00`),
        ...(at === 0 && everyFact),
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
        budget: { fields: 0, characters: 0, variants: 0, isIncomplete: false },
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

test("a plan writes every field of every type as graphql-js does", async () => {
  const model = openShop();
  assert.ok(answersAlike(openReader(model.store), document, {}));
  await model.close();
});

test.run();
