import { GraphQLEnumType } from "graphql";
import { open as openEnvironment } from "lmdb";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { categoryUpserted, productUpserted } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { introspected } from "./published-schema.ts";

const test = suite<{ service: TestServer }>("§7.1 user errors");

test.before.each(async (context) => {
  context.service = await openTestServer();
  context.service.apply(productUpserted({ id: 1 }), productUpserted({ id: 2 }), categoryUpserted());
});
test.after.each(({ service }) => service.close());

interface UserError {
  readonly code: string;
  readonly field: readonly string[] | null;
  readonly message: string;
}

type Answered = Record<string, { userErrors: readonly UserError[] }>;

/** Reads userErrors of one root field of a well-formed document. */
const userErrors = async (
  { graphql }: TestServer,
  field: string,
): Promise<readonly UserError[]> => {
  const { data, errors, status } = await graphql<Answered>(
    `{ answer: ${field} { userErrors { code field message } } }`,
  );
  assert.is(status, 200);
  assert.is(errors, undefined);
  return data["answer"]?.userErrors ?? [];
};

const codes = (found: readonly UserError[]): readonly string[] => found.map(({ code }) => code);

for (const [field, code] of [
  ["product(id: 999)", "NOT_FOUND"],
  ['product(id: "abc")', "INVALID_ARGUMENT"],
  ["products(first: 0)", "INVALID_ARGUMENT"],
  ['products(after: "?")', "INVALID_ARGUMENT"],
  ["products(first: 101)", "INVALID_ARGUMENT"],
] as const) {
  test(`§7.1 rule 1 ${field} returns an entry in userErrors with code, field and message`, async ({
    service,
  }) => {
    const [error, ...more] = await userErrors(service, field);
    assert.equal(more, []);
    assert.is(error?.code, code);
    assert.ok(error?.field?.every((step) => /^\w+$/.test(step)));
    assert.ok(error?.message);
  });
}

test("§7.1 rule 1 an error of one field leaves the results of the others", async ({ service }) => {
  const { data } = await service.graphql(
    "{ a: product(id: 999) { product { id } } b: product(id: 1) { product { id } } categories { categories { id } } }",
  );
  assert.equal(data, {
    a: { product: null },
    b: { product: { id: "1" } },
    categories: { categories: [{ id: "1" }] },
  });
});

for (const [reason, query, variables] of [
  ["a syntax error", "{ shop { name }", {}],
  ["an unknown field", "{ shop { colour } }", {}],
  ["an unknown argument", "{ shop(id: 1) { name } }", {}],
  ["a missing argument", "{ product { product { id } } }", {}],
  ["a value of the wrong type", '{ products(first: "ten") { totalCount } }', {}],
  ["a missing variable", "query ($id: ID!) { product(id: $id) { product { id } } }", {}],
  [
    "a variable of the wrong type",
    "query ($n: Int) { products(first: $n) { totalCount } }",
    { n: "ten" },
  ],
  ["an unknown fragment", "{ shop { ...F } }", {}],
  ["no operation", "fragment F on Shop { name }", {}],
  ["two anonymous operations", "{ shop { name } } { shop { url } }", {}],
] as const) {
  test(`§7.1 rule 2 ${reason} makes a document malformed: top-level errors, no data`, async ({
    service,
  }) => {
    const { data, errors } = await service.graphql(query, variables);
    assert.is(data, undefined);
    assert.ok(errors?.length);
    for (const { message } of errors ?? []) assert.type(message, "string");
  });
}

for (const code of ["NOT_FOUND", "INVALID_ARGUMENT", "UNAVAILABLE", "RATE_LIMITED", "INTERNAL"]) {
  test(`§7.1 ${code} is a member of UserErrorCode`, async ({ service }) => {
    const type = (await introspected(service)).getType("UserErrorCode");
    assert.instance(type, GraphQLEnumType);
    assert.ok((type as GraphQLEnumType).getValue(code)?.description);
  });
}

test("§7.1 NOT_FOUND also stands for a record that exists but is not visible", async ({
  service,
}) => {
  service.apply(productUpserted({ id: 2, active: false }));
  assert.equal(codes(await userErrors(service, "product(id: 2)")), ["NOT_FOUND"]);
});

test("§7.1 INTERNAL: a record damaged on disk is reported in userErrors; other fields are answered", async ({
  service,
}) => {
  await damageProduct(service.generation, 2);
  const [error] = await userErrors(service, "product(id: 2)");
  assert.is(error?.code, "INTERNAL");
  assert.not.match(
    error?.message ?? "",
    /checksum|table|record/,
    "details of the failure belong in the log",
  );
  assert.equal(codes(await userErrors(service, "products")), ["INTERNAL"]);
  assert.equal(codes(await userErrors(service, "product(id: 1)")), []);
});

/** Overwrites the record of a product on disk while the server runs, as a bad disk may. */
const damageProduct = async (directory: string, id: number): Promise<void> => {
  const environment = openEnvironment({
    path: directory,
    noSubdir: false,
    maxDbs: 64,
    maxReaders: 2048,
  });
  await environment
    .openDB<Buffer, number>({ name: "products", encoding: "binary" })
    .put(id, Buffer.from("damaged"));
  await environment.flushed;
  await environment.close();
};

test.run();
