import { getIntrospectionQuery } from "graphql";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cpuTime } from "../../../helpers/cpu-time.ts";
import { aProduct, aShop } from "../../../helpers/reader.ts";
import { open, type TestApp } from "../../../http/test-app.ts";

const test = suite<{ testApp: TestApp }>("GraphQL limits");

test.before(async (context) => {
  const products = Array.from({ length: 100 }, (_, index) => aProduct({ id: index + 1 }));
  context.testApp = await open({ shop: aShop(), products });
});
test.after(({ testApp }) => testApp.close());

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(" ");

const nested = (depth: number, field: string): string =>
  `${`${field} { `.repeat(depth - 1)}${field}${" }".repeat(depth - 1)}`;

/** CPU time far above what any document here takes, and far below what it would take without its limit. */
const boundedMs = 500;

const refused = async (
  testApp: TestApp,
  query: string,
  message: RegExp,
  variables?: object,
): Promise<void> => {
  const worked = cpuTime();
  const { status, data, errors } = await testApp.ask(query, variables);
  const took = worked();
  assert.is(status, 200, "application/json: the request was well-formed");
  assert.is(data, undefined);
  assert.match(errors?.map((error) => error.message).join("\n") ?? "", message);
  assert.ok((errors?.length ?? 0) <= 11, `${errors?.length} errors`);
  assert.ok(took < boundedMs, `${took} ms`);
};

const served = async (testApp: TestApp, query: string, variables?: object): Promise<void> => {
  const { errors } = await testApp.ask(query, variables);
  assert.is(errors, undefined, errors?.[0]?.message);
};

test("§8: a selection of depth 12 is accepted, one of depth 13 is rejected", async ({
  testApp,
}) => {
  await refused(testApp, `{ ${nested(12, "shop")} }`, /Cannot query field "shop" on type "Shop"/);
  await refused(testApp, `{ ${nested(13, "shop")} }`, /selection depth 13 of at most 12/);
});

test("§8: fragments count towards the depth where they are spread", async ({ testApp }) => {
  const chain = times(12, (at) => `fragment F${at} on Shop { shop { ...F${at + 1} } }`);
  await refused(
    testApp,
    `{ shop { ...F0 } } ${chain} fragment F12 on Shop { name }`,
    /selection depth 14 of at most 12/,
  );
  await refused(
    testApp,
    `{ ${"... on Query { ".repeat(13)} ${nested(13, "shop")} ${"} ".repeat(13)} }`,
    /selection depth 13/,
  );
});

test("aliases: 30 are accepted, 31 rejected, also where fragments multiply them", async ({
  testApp,
}) => {
  await served(testApp, `{ shop { ${times(30, (at) => `a${at}: name`)} } }`);
  await refused(testApp, `{ shop { ${times(31, (at) => `a${at}: name`)} } }`, /aliases 31 of/);
  await refused(
    testApp,
    `{ ${times(4, () => "products { nodes { ...F } }")} } fragment F on Product { ${times(8, (at) => `a${at}: name`)} }`,
    /aliases 32 of at most 30/,
  );
});

test("root fields: 20 are accepted, 21 rejected", async ({ testApp }) => {
  await served(testApp, `{ ${times(20, (at) => `a${at}: shop { name }`)} }`);
  await refused(testApp, `{ ${times(21, () => "shop { name }")} }`, /root fields 21 of/);
  await refused(
    testApp,
    `{ ...A ...A } fragment A on Query { ${times(11, () => "shop { name }")} }`,
    /root fields 22 of/,
  );
});

test("page sizes may add up to 1000, by literal, variable, default or omission", async ({
  testApp,
}) => {
  const pages = (count: number, first: string) =>
    times(count, (at) => `a${at}: products${first} { totalCount }`);
  await served(testApp, `{ ${pages(10, "(first: 100)")} }`);
  await served(testApp, `{ ${pages(20, "(first: 50)")} }`);
  await served(testApp, `{ ${pages(20, "")} }`);
  await served(testApp, `{ ${pages(20, "(first: -5)")} }`);
  await refused(
    testApp,
    `{ ${pages(20, "(first: 51)")} }`,
    /sum of page sizes 1020 of at most 1000/,
  );
  await refused(testApp, `{ ${pages(11, "(first: 5000)")} }`, /sum of page sizes 1100/);
  const byVariable = `query($n: Int) { ${pages(11, "(first: $n)")} }`;
  await served(testApp, byVariable, { n: 90 });
  await served(testApp, byVariable);
  await served(testApp, byVariable, { n: null });
  await refused(testApp, byVariable, /sum of page sizes 1100/, { n: 100 });
  await refused(testApp, `query($n: Int = 95) { ${pages(11, "(first: $n)")} }`, /sizes 1045/);
  await refused(
    testApp,
    `{ ...A } fragment A on Query { ...B ... { ${pages(6, "(first: 100)")} } } fragment B on Query { ${times(5, (at) => `b${at}: products(first: 100) { totalCount }`)} }`,
    /sum of page sizes 1100/,
  );
});

test("variants may add up to 3,000, for each product of a page", async ({ testApp }) => {
  const page = (products: string, fields: string) =>
    `query($n: Int = 30) { products${products} { edges { node { ${fields} } } } }`;
  const hundred = page("(first: 100)", "variants(first: $n) { totalCount }");
  await served(testApp, hundred, { n: 30 });
  await served(testApp, hundred, { n: null });
  await served(
    testApp,
    page("(first: 100)", "variants(first: $n) { totalCount } options { name }"),
    { n: 10 },
  );
  await served(testApp, page("(first: 100)", "variants(first: $n) { nodes { options { name } } }"));
  await refused(testApp, hundred, /variants of products 3100 of at most 3000/, { n: 31 });
  const more = `variants(first: $n) { totalCount } variant(id: "1") { id }`;
  await refused(testApp, page("(first: 100)", more), /variants of products 5000/);
  const aliases = times(11, (at) => `a${at}: options { name }`);
  await refused(
    testApp,
    `{ products(first: 50) { nodes { ${aliases} } } }`,
    /variants of products 11000/,
  );
  await served(testApp, `{ product(id: "1") { product { ${aliases} variants { totalCount } } } }`);
});

test("directives: 50 are accepted, 51 rejected", async ({ testApp }) => {
  const names = (count: number) => times(count, () => "name @include(if: true)");
  await served(testApp, `{ shop { ${names(50)} } }`);
  await refused(testApp, `{ shop { ${names(51)} } }`, /directives 51 of/);
});

test("fragments: 50 are accepted, 51 rejected", async ({ testApp }) => {
  const chain = (count: number) =>
    times(count - 1, (at) => `fragment F${at} on Shop { ...F${at + 1} }`);
  const last = (count: number) => `fragment F${count - 1} on Shop { name }`;
  await served(testApp, `{ shop { ...F0 } } ${chain(50)} ${last(50)}`);
  await refused(testApp, `{ shop { ...F0 } } ${chain(51)} ${last(51)}`, /fragments 51 of/);
});

const attacks: Readonly<Record<string, readonly [string, RegExp]>> = {
  "200 aliases of a full page": [
    `{ ${times(200, (at) => `a${at}: products(first: 100) { nodes { id name description } }`)} }`,
    /tokens|aliases/,
  ],
  "one field 20,000 times": [`{ shop { ${"name ".repeat(12_000)} } }`, /2000 tokens/],
  "3000 aliases": [`{ shop { ${times(3000, (at) => `a${at}:name`)} } }`, /2000 tokens/],
  "a fragment fan-out of 2^40": [
    `{ shop { ...F0 } } ${times(40, (at) => `fragment F${at} on Shop { ...F${at + 1} ...F${at + 1} }`)} fragment F40 on Shop { name }`,
    /fields 1099511627777 of at most 2000/,
  ],
  "a fan-out below __schema": [
    `{ __schema { types { ...F0 } } } ${times(40, (at) => `fragment F${at} on __Type { ofType { ...F${at + 1} } interfaces { ...F${at + 1} } }`)} fragment F40 on __Type { name }`,
    /fields \d+ of at most 2000/,
  ],
  "a cycle of fragments": [
    "{ shop { ...A } } fragment A on Shop { ...B } fragment B on Shop { ...A }",
    /Cannot spread fragment "A" within itself/,
  ],
  "every fragment spreading every other": [
    `{ shop { ...F0 } } ${times(30, (at) => `fragment F${at} on Shop { ${times(30, (to) => `...F${to}`)} }`)}`,
    /within itself|tokens/,
  ],
  "deep introspection": [
    "{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }",
    /[Ii]ntrospection/,
  ],
  "a directive 200 times": [
    `{ shop { name ${"@include(if: true) ".repeat(200)} } }`,
    /directives 200/,
  ],
  "an unknown directive 900 times": [`{ shop { name ${"@a ".repeat(900)} } }`, /directives 900/],
  "fragments that multiply to 2^40 and end in one that is not there": [
    `{ ...f0 } ${times(40, (at) => `fragment f${at} on Query { ...f${at + 1} ...f${at + 1} }`)}`,
    /fields \d{13} of at most/,
  ],
  "a list of 30,000": [
    `{ products(query: [${"1 ".repeat(30_000)}]) { totalCount } }`,
    /2000 tokens/,
  ],
  "a list 20,000 deep": [
    `{ products(query: ${"[".repeat(20_000)}) { totalCount } }`,
    /2000 tokens|nested too deeply/,
  ],
  "a selection 20,000 deep": [`{ ${"a{".repeat(20_000)}`, /2000 tokens|Syntax Error/],
  "999 unknown fields": [
    `{ shop { ${times(999, (at) => `f${at}`)} } }`,
    /Too many validation errors/,
  ],
};

for (const [name, [query, message]] of Object.entries(attacks)) {
  test(`rejected in bounded time: ${name}`, ({ testApp }) => refused(testApp, query, message));
}

test("rejected in bounded time: a value nested to any depth", async ({ testApp }) => {
  for (let depth = 100; depth < 2_000; depth += 190) {
    const value = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    await refused(
      testApp,
      `{ products(query: ${value}) { totalCount } }`,
      /String cannot|nested|tokens/,
    );
  }
});

test("60 KB of comments or commas cost almost nothing", async ({ testApp }) => {
  for (const filler of ["#\n", ",", " "]) {
    const worked = cpuTime();
    await served(testApp, `{ shop { name } } ${filler.repeat(60_000 / (filler.length + 1))}`);
    assert.ok(worked() < boundedMs);
  }
});

test("a body over 64 KB is 413, whatever is in it", async ({ testApp }) => {
  const response = await testApp.post({ query: `{ shop { name } } ${"#".repeat(65_536)}` });
  assert.is(response.status, 413);
  assert.is(
    ((await response.json()) as { error: { code: string } }).error.code,
    "payload_too_large",
  );
});

test("batches are rejected with 400", async ({ testApp }) => {
  for (const count of [0, 1, 500]) {
    const response = await testApp.post(Array(count).fill({ query: "{ shop { name } }" }));
    assert.is(response.status, 400);
    assert.is(((await response.json()) as { error: { code: string } }).error.code, "bad_request");
  }
});

test("a legitimate request is answered at once afterwards", async ({ testApp }) => {
  const worked = cpuTime();
  await served(testApp, "{ products(first: 100) { nodes { id name price { amount } } } }");
  assert.ok(worked() < boundedMs);
});

test("searches: at most five in a document, one of them with facets; a null query does not count", async ({
  testApp,
}) => {
  const searches = (count: number, query: string) =>
    `{ ${times(count, (at) => `s${at}: products(first: 1, query: ${query}) { totalCount }`)} }`;
  await served(testApp, searches(5, '"lamp"'));
  await refused(testApp, searches(6, '"lamp"'), /searches 6 of at most 5/);
  await served(testApp, searches(20, "null"));
  for (const facets of ["facets { brands { brand } }", "...on ProductConnection { ...counted }"]) {
    const counted = (count: number) =>
      `{ ${times(count, (at) => `s${at}: products(first: 1) { ${facets} }`)} }
      fragment counted on ProductConnection { facets { prices { count } } }`;
    const selections = (count: number) =>
      facets.includes("counted") ? counted(count) : (counted(count).split("fragment")[0] as string);
    await served(testApp, selections(1));
    await refused(testApp, selections(2), /`products` fields with `facets` 2 of at most 1/);
  }
});

test("repeated fields: at most sixty of one response field, also in fragments and merged fields", async ({
  testApp,
}) => {
  const shop = (count: number, field: string) => times(count, () => field);
  const repeats = /of the response 61 of at most 60/;
  await served(testApp, `{ shop { ${shop(60, "name")} } }`);
  await refused(testApp, `{ shop { ${shop(61, "name")} } }`, repeats);
  // Another alias is another field.
  await served(testApp, `{ shop { ${shop(60, "name")} other: name } }`);
  await refused(testApp, `{ shop { ${shop(60, "name")} name: url } }`, repeats);
  const spread = `fragment f on Shop { ${shop(30, "name")} ... { ${shop(30, "name")} } }`;
  await served(testApp, `{ shop { ...f } } ${spread}`);
  await refused(testApp, `{ shop { ...f name } } ${spread}`, repeats);
  await refused(testApp, `{ ${shop(15, "shop { name name name name }")} shop { name } }`, repeats);
});

test("lists of all categories and policies: at most two of each, under any alias or fragment", async ({
  testApp,
}) => {
  for (const list of ["categories", "policies"]) {
    const within = `${list} { ${list} { id } }`;
    const many = (count: number) => times(count, (at) => `a${at}: ${within}`);
    const tooMany = (count: number) => new RegExp(`lists of all ${list} ${count} of at most 2`);
    await served(testApp, `{ ${many(2)} }`);
    await refused(testApp, `{ ${many(3)} }`, tooMany(3));
    await refused(testApp, `{ ${many(20)} }`, tooMany(20));
    const inner = times(3, (at) => `a${at}: ${list} { id }`);
    await refused(testApp, `{ ${list} { ${inner} } }`, tooMany(3));
    const type = list === "categories" ? "CategoryPayload" : "PolicyPayload";
    const spread = `fragment p on ${type} { ... { ${list} { id } } }`;
    await served(testApp, `{ a: ${list} { ...p } b: ${list} { ...p } } ${spread}`);
    const twice = `fragment q on Query { a: ${within} b: ${within} }`;
    await refused(testApp, `{ ...q ...q } ${twice}`, tooMany(4));
    await refused(testApp, `{ a: ${within} ${within} ...q } ${twice}`, tooMany(4));
    await refused(
      testApp,
      `{ ${list} { a: ${list} { id } ...p b: ${list} { id } } } ${spread}`,
      tooMany(3),
    );
    // Fragments may select the same list; the response has it once.
    const parts = times(9, (at) => `fragment f${at} on Query { ${list} { ...p ${list} { id } } }`);
    await served(testApp, `{ ${within} ${times(9, (at) => `...f${at}`)} } ${parts} ${spread}`);
    // A selection without the list itself does not count.
    await served(testApp, `{ ${times(20, (at) => `a${at}: ${list} { userErrors { code } }`)} }`);
  }
  await served(
    testApp,
    "{ products { facets { categories { id } } a: facets { categories { id } } b: facets { categories { id } } } }",
  );
});

test("introspection: at most one `__schema`, five `__type`, and twenty lists below them", async ({
  testApp,
}) => {
  await served(testApp, getIntrospectionQuery());
  const all = { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true };
  await served(testApp, getIntrospectionQuery({ ...all, inputValueDeprecation: true }));
  const types = (count: number) =>
    times(count, (at) => `a${at}: __type(name: "Product") { fields { name } }`);
  await served(testApp, `{ ${types(5)} __schema { queryType { name } } shop { name } }`);
  await refused(testApp, `{ ${types(6)} }`, /`__type` fields 6 of at most 5/);
  const two =
    "{ ...q } fragment q on Query { ... { __schema { __typename } } b: __schema { __typename } }";
  await refused(testApp, two, /`__schema` fields 2 of at most 1/);
  const lists = (count: number) => times(count, (at) => `a${at}: types { name }`);
  await served(testApp, `{ __schema { ${lists(20)} } }`);
  await refused(testApp, `{ __schema { ${lists(21)} } }`, /introspection lists 21 of at most 20/);
  await refused(
    testApp,
    `{ __schema { types { ...t b: ofType { ...t } } } } fragment t on __Type { ${times(10, (at) => `a${at}: fields { name }`)} }`,
    /introspection lists 21 of/,
  );
});

test("descriptions: their total size in a response is limited, however often they are selected", async () => {
  const description = "long ".repeat(4_000);
  const products = Array.from({ length: 100 }, (_, at) => aProduct({ id: at + 1, description }));
  const wide = await open({ shop: aShop(), products });
  try {
    const page = "nodes { a: description b: description }";
    await served(wide, `{ products(first: 100) { ${page} } }`);
    const pages = times(4, (at) => `p${at}: products(first: 100) { ${page} }`);
    await refused(wide, `{ ${pages} }`, /characters of text .* of at most 5000000/);
    await refused(wide, `{ ${pages} }`, /characters of text/);
  } finally {
    await wide.close();
  }
});

test.run();
