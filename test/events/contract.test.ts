import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createContract, defaultContract } from "../../src/events/contract.ts";
import { decode } from "../../src/events/decode.ts";
import { eventTypes } from "../../src/events/event.ts";
import { readSchemas } from "../../src/events/schemas.ts";
import { productDeleted, recordOf } from "../helpers/events.ts";

const test = suite("contract");
const schemas = readSchemas();

const decoded = (dataschema: string | undefined, data: unknown) => {
  const result = decode(
    recordOf({ ...productDeleted(7), data, ...(dataschema && { dataschema }) }),
  );
  return result.ok ? result.event.data : `${result.rejection.code} ${result.rejection.field}`;
};

test("the contract has a definition for every event type, and every example matches its schema", () => {
  const { definitions, validateEnvelope } = defaultContract();
  assert.equal([...definitions.keys()], [...eventTypes]);
  for (const kind of definitions.values()) {
    const examples = schemas[`${kind.type}.v1.json`]?.examples as readonly unknown[];
    assert.ok(examples.length > 0);
    for (const example of examples) assert.is(kind.validate(example), undefined, kind.type);
  }
  const envelopes = (schemas["envelope.json"]?.examples ?? []) as readonly unknown[];
  assert.ok(envelopes.length > 0);
  for (const example of envelopes) {
    assert.is(validateEnvelope(example), undefined);
  }
});

test("every schema has a description, and words for invalid values", () => {
  const silent = Object.entries(schemas).flatMap(([file, schema]) => unexplained(schema, file));
  assert.equal(silent, []);
  for (const [file, schema] of Object.entries(schemas)) {
    assert.is(schema.$id, file);
    assert.ok(schema.title && schema.description, file);
  }
});

/** Collects the schemas without words for an invalid value. */
function unexplained(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { $ref, $defs, properties, items, anyOf, oneOf, ...own } = schema as Record<string, object>;
  const nested = [$defs, properties, { items }, anyOf, oneOf].flatMap((group) =>
    Object.entries(group ?? {}).flatMap(([name, each]) => unexplained(each, `${path}/${name}`)),
  );
  const isNull = (own.type as unknown) === "null";
  const silent = !$ref && !isNull && !$defs && !anyOf && own["x-must-be"] === undefined;
  return silent ? [path, ...nested] : nested;
}

test("a dataschema of version 1 is accepted", () => {
  const own = "/schemas/shop.product.deleted.v1.json";
  assert.equal(decoded(own, { id: "7" }), { id: 7 });
  assert.is(decoded(own, { why: "sold" }), "schema data.id");
});

test("an unknown version of a known schema is rejected", () => {
  for (const version of [0, 2, 9, 10_000]) {
    const dataschema = `https://shop.example/schemas/shop.product.deleted.v${version}.json`;
    assert.is(decoded(dataschema, { id: 7 }), "version dataschema");
  }
});

test("a dataschema of another registry is ignored, and the data is read as version 1", () => {
  for (const dataschema of [
    "https://registry.example/products/delete/3",
    "https://registry.example/schemas/product.deleted.v3.json",
    "https://registry.example/schemas/my-shop.product.deleted.v3.json",
    "https://registry.example/schemas/shop.product.deleted.v3.json/raw",
    "https://registry.example/shop.product.deleted.v3.avsc",
    "urn:example:product",
    "shop.page.deleted.v9.json",
  ]) {
    assert.equal(decoded(dataschema, { id: 7 }), { id: 7 }, dataschema);
  }
});

test("a schema is compiled with the first event of its type", () => {
  const broken = { ...schemas["shop.page.upserted.v1.json"], required: "id" };
  const { definitions } = createContract({ ...schemas, "shop.page.upserted.v1.json": broken });
  assert.is(definitions.get("shop.product.deleted")?.validate({ id: 7 }), undefined);
  assert.throws(() => definitions.get("shop.page.upserted")?.validate({}), /required/);
});

test("a missing or unknown schema is an error at load", () => {
  const { "shop.page.deleted.v1.json": _, ...fewer } = schemas;
  assert.throws(() => createContract(fewer), "shop.page.deleted.v1.json is missing");
  for (const file of ["shop.order.placed.v1.json", "shop.page.deleted.v2.json"])
    assert.throws(() => createContract({ ...schemas, [file]: {} }), `${file} belongs to no event`);
});

test.run();
