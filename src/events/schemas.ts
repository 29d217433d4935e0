import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  Ajv2020,
  type Format,
  type FuncKeywordDefinition,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { packageRoot } from "../package-info.ts";
import { parseUrl } from "../text/parse-url.ts";
import { everyCountry, toCountryCode } from "./countries.ts";
import { firstViolation, type Schema, type SchemaViolation } from "./schema-violation.ts";
import { isTimeZone, readTime } from "./time.ts";

/** Schemas by file name: `envelope.json`, `<type>.v1.json`, and the definitions that they reference. */
export type Schemas = Readonly<Record<string, Schema>>;

/**
 * Validates a value.
 * @returns undefined when the value is valid
 */
export type Validate = (value: unknown) => SchemaViolation | undefined;

export function readSchemas(): Schemas {
  const folder = join(packageRoot, "schema", "events");
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    names.map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8"))]),
  );
}

/** Creates a function that resolves a `$ref`; it returns a schema without one as it is. */
export const createRefResolver =
  (schemas: Schemas) =>
  (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema;
    const [file = "", pointer = ""] = schema.$ref.split("#");
    const steps = pointer.split("/").slice(1);
    const target = steps.reduce<unknown>((node, step) => getMember(node, step), schemas[file]);
    if (typeof target !== "object") throw new Error(`${schema.$ref} does not resolve`);
    return target as Schema;
  };

const getMember = (node: unknown, name: string): unknown =>
  (node as Readonly<Record<string, unknown>> | undefined)?.[name];

/**
 * Creates a function that builds the validator of a schema file, given the file name and the path prefix of its values
 * (`data`, or empty). A schema is compiled with its first value, because a process meets only some of the event types.
 */
export function createCompiler(schemas: Schemas): (file: string, prefix: string) => Validate {
  const ajv = new Ajv2020({
    ...{ strict: true, allowUnionTypes: true, verbose: true, formats },
    // The tests check the schemas against the meta-schema, which takes longer to compile than all of them.
    ...{ meta: false, validateSchema: false },
    // Optimizing the generated code takes a third of the compilation, and V8 runs it no faster.
    code: { optimize: false },
  });
  ajv.addVocabulary(["x-must-be", "x-subject"]);
  ajv.removeKeyword("enum").addKeyword(enumBySet);
  for (const schema of Object.values(schemas)) ajv.addSchema(schema);
  const resolve = createRefResolver(schemas);
  return (file, prefix) => {
    if (schemas[file] === undefined) throw new Error(`schema/events/${file} is missing`);
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= compileSchema(ajv, file);
      return validate(value) ? undefined : firstViolation(validate.errors ?? [], prefix, resolve);
    };
  };
}

/** @param file name of the schema, which is its `$id` too */
const compileSchema = (ajv: Ajv2020, file: string): ValidateFunction => {
  const validate = ajv.getSchema(file);
  if (validate === undefined) throw new Error(`schema/events/${file} has another $id`);
  return validate;
};

/**
 * Looks up a value in a set of the schema's values, because Ajv compares them one by one.
 * Measured: 25 ns instead of 1,000 for one of the 306 currencies. The schemas list no objects.
 */
const enumBySet: FuncKeywordDefinition = {
  keyword: "enum",
  schemaType: "array",
  errors: false,
  compile(values: readonly unknown[]) {
    const allowed = new Set(values);
    return (value) => allowed.has(value);
  },
};

type FormatTest = (text: string) => boolean;

const testOf = (format: Format): FormatTest =>
  (format as { readonly validate: FormatTest }).validate;

const isDate = testOf(fullFormats.date);
const isDateTime = testOf(fullFormats["date-time"]);
/** Accepts only what the program reads, because `valid` and `read` must not differ. */
const isTime: FormatTest = (text) => isDateTime(text) && readTime(text) !== undefined;

/** The formats of the schemas. `iri` accepts what the platform parses as a URL. */
const formats = {
  "date-time": isTime,
  date: fullFormats.date,
  "date-or-time": (text: string) => isDate(text) || isTime(text),
  "time-zone": isTimeZone,
  "uri-reference": fullFormats["uri-reference"],
  email: fullFormats.email,
  iri: (text: string) => parseUrl(text) !== undefined,
  "safe-integer": (digits: string) => Number.isSafeInteger(Number(digits)),
  "country-code": (text: string) => text === everyCountry || toCountryCode(text) !== undefined,
};
