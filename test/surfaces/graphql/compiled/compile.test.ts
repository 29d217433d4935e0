import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { property } from "../../../helpers/effort.ts";
import { aCategory, aPage, aProduct, aShop, memoryReader } from "../../../helpers/reader.ts";
import { answer, answersAlike, createPlanned } from "./compare-answers.ts";

const reader = memoryReader(() => ({
  shop: aShop(),
  products: [
    aProduct({ id: 1 }),
    aProduct({ id: 2, availability: "OUT_OF_STOCK", price: null, brand: null }),
    aProduct({ id: 3, description: 'quotes " and \\ and \u2028', gtin: null }),
  ],
  categories: [aCategory(), aCategory({ id: 2, depth: 2, parentId: 1 })],
  pages: [aPage({ summary: null })],
}));

const test = suite("compiled GraphQL plans");

const same = (text: string, variables: object = {}): void => {
  answersAlike(reader, text, variables);
};

const documents: readonly (readonly [string, string, object?])[] = [
  ["plain fields", "{ shop { name url } product(id: 1) { product { id name } } }"],
  [
    "aliases",
    "{ a: product(id: 1) { p: product { x: id y: id } } b: product(id: 9) { product { id } } }",
  ],
  ["the same field twice", "{ shop { name } shop { url name } }"],
  [
    "__typename everywhere",
    "{ __typename shop { __typename } products { t: __typename nodes { __typename } } }",
  ],
  ["a fragment", "{ products { nodes { ...P } } } fragment P on Product { id price { amount } }"],
  [
    "nested fragments",
    "{ products { edges { node { ...A } } nodes { ...B } } } fragment A on Product { ...B name } fragment B on Product { id inStock }",
  ],
  ["an inline fragment", "{ ... on Query { shop { ... { name } ... on Shop { url } } } }"],
  [
    "@include and @skip as literals",
    "{ shop { name @include(if: false) url @skip(if: true) language @skip(if: false) } }",
  ],
  [
    "@include and @skip by variable",
    "query($y: Boolean!, $n: Boolean = false) { shop { name @include(if: $y) url @include(if: $n) ... @skip(if: $n) { currency } } }",
    { y: true },
  ],
  [
    "one field, included here and skipped there",
    "query($y: Boolean!) { shop { name @include(if: $y) } shop { ...S @skip(if: $y) } } fragment S on Shop { name url }",
    { y: false },
  ],
  ["everything skipped", "query($y: Boolean!) { shop @skip(if: $y) { name } }", { y: true }],
  [
    "an omitted variable",
    "query($f: Int, $q: String) { products(first: $f, query: $q) { totalCount nodes { id } } }",
  ],
  ["a null variable", "query($f: Int) { products(first: $f) { nodes { id } } }", { f: null }],
  [
    "a condition that is null",
    "query($y: Boolean = true) { shop { name @include(if: $y) } }",
    { y: null },
  ],
  ["a default", "query($f: Int = 1) { products(first: $f) { nodes { id } } }"],
  ["an omitted required variable", "query($id: ID!) { product(id: $id) { product { id } } }"],
  [
    "a variable of the wrong type",
    "query($f: Int) { products(first: $f) { nodes { id } } }",
    { f: "1" },
  ],
  ["an id as a number", "query($id: ID!) { product(id: $id) { product { id } } }", { id: 2 }],
  [
    "text that needs quoting",
    '{ products(query: "\\"\\\\\\u2028`${1}") { totalCount userErrors { code } } }',
  ],
  ["a block string", '{ products(query: """ho\nho""") { totalCount } }'],
  ["user errors", "{ products(first: 500) { userErrors { code field message } } }"],
  [
    "empty lists",
    '{ products(query: "nowhere") { edges { cursor } nodes { id } pageInfo { endCursor } } }',
  ],
  [
    "categories and policies",
    "{ categories { categories { id parentId depth } } policies { policies { id summary } } }",
  ],
  [
    "introspection of a type",
    '{ __type(name: "Product") { name fields { name type { kind ofType { name } } } } }',
  ],
  ["introspection beside data", "{ __schema { queryType { name } } shop { name } }"],
  [
    "names that JavaScript treats specially",
    "{ __proto__: shop { constructor: name toString: url } }",
  ],
  [
    "a variable with such a name",
    "query($constructor: Int) { products(first: $constructor) { nodes { id } } }",
    { constructor: 1 },
  ],
  ["reserved words", "query class { function: shop { return: name var: url } }"],
];

for (const [name, text, variables] of documents) {
  test(`a compiled plan answers like graphql-js: ${name}`, () => same(text, variables));
}

const leaves = ["id", "name", "description", "brand", "inStock", "availability", "__typename"];
const conditions = [
  "@include(if: $x)",
  "@skip(if: $x)",
  "@include(if: $y)",
  "@skip(if: $y) @include(if: $x)",
  "@skip(if: true)",
  "@include(if: false)",
];

/** Selections of a product: `key` precedes each field, `when` follows it. */
const selection = (key: string, when: fc.Arbitrary<string>, spread: string) =>
  fc.letrec<{ set: string; one: string }>((tie) => ({
    set: fc.array(tie("one"), { minLength: 1, maxLength: 4 }).map((ones) => ones.join(" ")),
    one: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.tuple(fc.constantFrom(...leaves), when).map(([leaf, on]) => `${key} ${leaf} ${on}`),
      when.map((on) => `${key} price ${on} { ${key} amount ${on} ${key} currency }`),
      when.map((on) => `${spread} ${on}`),
      fc.tuple(tie("set"), when).map(([set, on]) => `... on Product ${on} { ${set} }`),
      fc.tuple(tie("set"), when).map(([set, on]) => `... ${on} { ${set} }`),
    ),
  })).set;

test("a compiled plan answers like graphql-js, however fields are merged", () => {
  const outer = selection("", fc.constant(""), "...F");
  const inner = selection("", fc.constant(""), "a: url");
  fc.assert(
    fc.property(outer, outer, inner, (a, b, c) =>
      same(`{ products { nodes { ${a} } } ...Q products { nodes { ${b} } edges { cursor node { ...F } } } }
        fragment F on Product { updatedAt ${c} }
        fragment Q on Query { product(id: 2) { product { ...F } } products { totalCount } }`),
    ),
    property(200),
  );
});

test("a compiled plan answers like graphql-js under any conditions", () => {
  const when = fc.constantFrom("", ...conditions);
  const any = selection("k§:", when, "k§: url");
  fc.assert(
    fc.property(any, any, when, fc.boolean(), fc.boolean(), (a, b, on, x, y) => {
      let count = 0;
      const text = `query($x: Boolean!, $y: Boolean!) {
        products ${on} { nodes { ${a} } edges ${on} { cursor node { ...F ${on} name @include(if: $x) } } }
        ...Q ${on}
        shop { name @include(if: $x) @skip(if: $y) __typename }
      }
      fragment F on Product { updatedAt ${b} }
      fragment Q on Query { product(id: 2) { product { ...F } } }`.replaceAll(
        "§",
        () => `${count++}`,
      );
      same(text, { x, y });
    }),
    property(200),
  );
});

test("a condition on a field that is selected twice applies to each selection", () => {
  const text = `query($x: Boolean!) {
    products @include(if: $x) { nodes { name } } products { nodes { ...F } } }
    fragment F on Product { id }`;
  for (const x of [true, false]) same(text, { x });
});

test("a compiled plan answers like graphql-js: hidden prices", () => {
  const hidden = memoryReader(() => ({
    shop: aShop({ pricesVisible: false }),
    products: [aProduct()],
  }));
  const text = "{ product(id: 1) { product { name price { amount } } } }";
  answersAlike(hidden, text, {});
  assert.match(answer(createPlanned(), hidden, text, {}).body, '"price":null');
});

test("a plan that gave up over the limit on fields is not executed again by graphql-js", () => {
  let fallbacks = 0;
  const execute = createPlanned(() => {
    fallbacks += 1;
  });
  const tags = Array.from({ length: 100 }, (_, at) => `tag ${at}`);
  const products = Array.from({ length: 20 }, (_, at) => aProduct({ id: at + 1, facts: { tags } }));
  const many = memoryReader(() => ({ products }));
  const aliases = Array.from({ length: 50 }, (_, at) => `t${at}: tags`).join(" ");
  const { body } = answer(execute, many, `{ products { nodes { ${aliases} } } }`, {});
  assert.match(body, "fields and list entries of the response");
  assert.is(fallbacks, 0);
});

test("graphql-js decides whether texts are over their limit, because a plan counts their bytes", () => {
  const cyrillic = memoryReader(() => ({
    products: [aProduct({ id: 1, name: "ж".repeat(90_000) })],
  }));
  const names = (count: number) =>
    Array.from({ length: count }, (_, at) => `p${at}: product { name }`).join(" ");
  const text = (count: number) => `{ product(id: 1) { ${names(count)} } }`;
  assert.match(answer(createPlanned(), cyrillic, text(50), {}).body, '{"data":');
  assert.match(answer(createPlanned(), cyrillic, text(56), {}).body, "characters of text");
});

test("graphql-js answers an error of a plan, which is counted", () => {
  const stored = { ...aProduct({ id: 1 }), json: "{}" };
  const other = memoryReader(() => ({ products: [stored] }));
  const text = "{ product(id: 1) { product { name } } }";
  let fallbacks = 0;
  const execute = createPlanned(() => {
    fallbacks += 1;
  });
  const planned = answer(execute, reader, text, {});
  assert.is(fallbacks, 0);
  assert.equal(answer(execute, other, text, {}), { ...planned, byPlan: false });
  assert.is(fallbacks, 1);
});

test.run();
