import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";

const test = suite("JSON Schemas");
const dialect = "https://json-schema.org/draft/2020-12/schema";

const filesOf = (folder: string): Readonly<Record<string, AnySchemaObject>> => {
  const path = join(packageRoot, "schema", folder);
  const names = readdirSync(path).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    names.map((name) => [name, JSON.parse(readFileSync(join(path, name), "utf8"))]),
  );
};

/** Every published schema by its path. */
const events = filesOf("events");
const tools = Object.entries(filesOf("tools")).flatMap(([name, tool]) =>
  ["inputSchema", "outputSchema"].map((part) => [`${name} ${part}`, tool[part]] as const),
);
const schemas: readonly (readonly [string, AnySchemaObject])[] = [
  ...Object.entries(events),
  ...tools,
];

/** In strict mode an unknown keyword or format, or one that can never apply, is an error. */
const strictAjv = () => {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    formats: {
      ...fullFormats,
      iri: (text: string) => URL.canParse(text),
      "safe-integer": (digits: string) => Number.isSafeInteger(Number(digits)),
      "country-code": true,
      "date-or-time": true,
      "time-zone": true,
    },
  });
  return ajv.addVocabulary(["x-must-be", "x-subject"]);
};

for (const [name, schema] of schemas) {
  test(`${name} is valid by the official meta-schema of 2020-12`, () => {
    const ajv = strictAjv();
    assert.is(schema.$schema ?? dialect, dialect);
    const isValid = ajv.validate(dialect, schema);
    assert.ok(isValid, ajv.errorsText());
  });

  test(`${name} compiles in strict mode, with its references`, () => {
    const ajv = strictAjv();
    for (const other of Object.values(events)) if (other !== schema) ajv.addSchema(other);
    assert.type(ajv.compile(schema), "function");
  });
}

for (const [name, schema] of Object.entries(events)) {
  test(`${name} names its dialect and its own file, and its examples are valid`, () => {
    assert.is(schema.$schema, dialect);
    assert.is(schema.$id, name);
    const ajv = strictAjv();
    for (const other of Object.values(events)) if (other !== schema) ajv.addSchema(other);
    const validate = ajv.compile(schema);
    for (const example of schema.examples ?? []) {
      assert.ok(
        validate(example),
        `${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`,
      );
    }
  });
}

test("the meta-schema rejects invalid schemas", () => {
  const ajv = strictAjv();
  assert.not.ok(ajv.validate(dialect, { type: "text" }));
  assert.not.ok(ajv.validate(dialect, { required: "id" }));
  assert.throws(() => ajv.compile({ type: "object", requierd: ["id"] }), /unknown keyword/);
});

test.run();
