import fc from "fast-check";
import { suite } from "uvu";
import type { Availability } from "../../../../src/read-model/schema/documents.ts";
import { property } from "../../../helpers/effort.ts";
import {
  aCategory,
  aPage,
  aProduct,
  aShop,
  type FlatProduct,
  memoryReader,
} from "../../../helpers/reader.ts";
import { answersAlike } from "./compare-answers.ts";

const test = suite("compiled GraphQL plans over random models");

/** Any text of a merchant, and texts that would end a JSON member if its quotes were not escaped. */
const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(
    ',"url":"',
    'x,","url":null,"',
    '\\",\\"price\\":',
    '{"id":7,"name":"',
    "\u2028\ud800",
    "\\",
    ",\\",
  ),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const time = fc
  .integer({ min: 0, max: 4_000_000_000_000 })
  .map((since) => new Date(since).toISOString());

const product: fc.Arbitrary<Partial<FlatProduct>> = fc.record({
  id: fc.integer({ min: 1, max: 12 }),
  name: words,
  description: maybe(words),
  url: words,
  reference: maybe(words),
  gtin: maybe(words),
  brand: maybe(words),
  price: maybe(fc.constantFrom("0", "12.90", "9999999.999999")).map((amount) =>
    amount === null ? null : { amount, currency: "EUR" },
  ),
  availability: fc.constantFrom<Availability>("IN_STOCK", "OUT_OF_STOCK"),
  updatedAt: time,
  lastmod: time,
});

const model = fc.record({
  products: fc.uniqueArray(product, { maxLength: 6, selector: ({ id }) => id }),
  shop: fc.option(fc.record({ name: words, pricesVisible: fc.constantFrom(true, true, false) }), {
    nil: undefined,
  }),
  categories: fc.array(words, { maxLength: 3 }),
  summary: maybe(words),
});

const when = fc.constantFrom("", "", "", "@include(if: $x)", "@skip(if: $y)", "@skip(if: false)");
const fieldsOf = (...names: readonly string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom("", "", "a: ", "b: "), fc.constantFrom(...names), when), {
      minLength: 1,
      maxLength: 12,
    })
    // An alias for one field only, whatever the aliases of the others are.
    .map((ones) => ones.map(([, name, on], at) => `${ones[at]?.[0] && `k${at}: `}${name} ${on}`));

const leaves = ["id", "name", "description", "url", "reference", "gtin", "brand", "availability"];
const productFields = fc
  .tuple(
    fieldsOf(...leaves, "inStock", "updatedAt", "__typename"),
    fieldsOf("amount", "currency", "__typename"),
    fc.nat(),
    when,
  )
  .map(([fields, money, at, on]) =>
    fields.toSpliced(at % (fields.length + 1), 0, `price ${on} { ${money.join(" ")} }`).join(" "),
  );
const storedFields = `${leaves.slice(1, 7).join(" ")} price { amount currency } availability updatedAt`;

const roots = fc.oneof(
  fc
    .tuple(productFields, when)
    .map(
      ([fields, on]) =>
        `product(id: $id) ${on} { product { ${fields} } userErrors { code field message } }`,
    ),
  fc.constant(`product(id: $id) { product { id ${storedFields} } }`),
  productFields.map(
    (fields) => `product(id: 3) { product { ...All ... on Product { ${fields} } } }`,
  ),
  productFields.map(
    (fields) => `products(first: $first, after: $after, inStockOnly: $y) {
      edges { cursor node { ${fields} } } totalCount pageInfo { hasNextPage startCursor endCursor }
      userErrors { message } }`,
  ),
  fc.constant(`products(query: $query) { nodes { ...All } __typename }`),
  fc.constant("shop { name url productCount currency }"),
  fc.constant("categories { categories { id name depth parentId productCount } }"),
  fc.constant("policies { policies { id title summary } userErrors { code } }"),
  fc.constant("__typename"),
  fc.constant('__type(name: "Product") { name fields { name } }'),
);

const variables = fc.record({
  id: fc.oneof(fc.integer({ min: -1, max: 13 }), fc.constantFrom("3", "x", "0", null, true)),
  first: fc.oneof(fc.integer({ min: -1, max: 120 }), fc.constantFrom(null, "3")),
  after: fc.constantFrom(null, "no cursor", Buffer.from("after:2").toString("base64url")),
  query: maybe(words),
  x: fc.boolean(),
  y: fc.boolean(),
});

const head =
  "query($id: ID!, $first: Int, $after: String, $query: String, $x: Boolean!, $y: Boolean = true)";
const tail = `fragment All on Product { id ${storedFields} }`;

test("any document over any model is answered as by graphql-js", () => {
  const one = fc.record({
    model,
    fields: fc.array(roots, { minLength: 1, maxLength: 4 }),
    variables,
  });
  fc.assert(
    fc.property(one, ({ model, fields: rootFields, variables }) => {
      const reader = memoryReader(() => ({
        ...(model.shop && { shop: aShop(model.shop) }),
        products: model.products.map((over) => aProduct(over)),
        categories: model.categories.map((name, at) => aCategory({ id: at + 1, name })),
        pages: [aPage({ summary: model.summary })],
      }));
      const fields = rootFields.map(
        (root, at) => `${root.startsWith("__") ? "" : `r${at}: `}${root}`,
      );
      const used = `unused: products(first: $first, after: $after, query: $query) { totalCount }
        named: product(id: $id) { product { id @include(if: $x) @skip(if: $y) name } }`;
      const text = `${head} { ${[...new Set(fields)].join("\n")} ${used} ...Q }
        fragment Q on Query { one: product(id: 1) { product { ...All } } } ${tail}`;
      answersAlike(reader, text, variables);
    }),
    property(500),
  );
});

test.run();
