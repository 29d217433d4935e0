import { lazy } from "../platform/memo.ts";
import { toCountryCode } from "./countries.ts";
import { type EventType, eventTypes } from "./event.ts";
import type { Schema } from "./schema-violation.ts";
import {
  createCompiler,
  createRefResolver,
  readSchemas,
  type Schemas,
  type Validate,
} from "./schemas.ts";

/** The definition of one event type, read from its schema. */
export interface EventDefinition {
  readonly type: EventType;
  readonly validate: Validate;
  /** Normalizes data that the schema accepted. */
  readonly normalize: Normalizer;
  /** Builds the subject by the schema's `x-subject`: `product/{id}` contains the id of the data. */
  buildSubject(data: unknown): string;
}

/** The compiled schemas of `schema/events`. */
export interface Contract {
  /**
   * Validates the attributes of an event (Contract §2).
   * @returns undefined when they are valid
   */
  readonly validateEnvelope: Validate;
  readonly definitions: ReadonlyMap<string, EventDefinition>;
}

/** Returns the contract of this build, compiled once per process. */
export const defaultContract = lazy(() => createContract(readSchemas()));

/**
 * Compiles schemas.
 * @throws when they do not fit the program: an event type without a schema, a schema without an event type
 */
export function createContract(schemas: Schemas): Contract {
  rejectUnknownSchemas(schemas);
  const compile = createCompiler(schemas);
  const definitions = eventTypes.map((type): [string, EventDefinition] => {
    const file = `${type}.v1.json`;
    const schema = schemas[file];
    if (!schema) throw new Error(`schema/events/${file} is missing`);
    const normalize = buildNormalizer(schema, createRefResolver(schemas));
    const buildSubject = createSubjectBuilder(String(schema["x-subject"]));
    return [type, { type, validate: compile(file, "data"), normalize, buildSubject }];
  });
  return { validateEnvelope: compile("envelope.json", ""), definitions: new Map(definitions) };
}

function rejectUnknownSchemas(schemas: Schemas): void {
  const expected = [...eventTypes, "definitions", "goods"].map((name) => `${name}.v1.json`);
  const unknown = Object.keys(schemas).find(
    (file) => /\.v\d+\.json$/.test(file) && !expected.includes(file),
  );
  if (unknown) throw new Error(`schema/events/${unknown} belongs to no event type`);
}

/**
 * Creates a function that builds the subject of an event from its data.
 * @param template `product/{id}`: members of the data to insert; a part in brackets, as in `price/{productId}[/{variantId}]`, is
 * left out without its member
 */
function createSubjectBuilder(template: string): (data: unknown) => string {
  const parts = [...template.matchAll(/\[?([^{[\]]*)\{(\w+)\}\]?/g)].map(
    ([, prefix = "", member = ""]) => ({ prefix, member }),
  );
  if (parts.length === 0) return () => template;
  return (data) => {
    const members = data as Readonly<Record<string, unknown>>;
    let subject = "";
    for (const { prefix, member } of parts) {
      if (members[member] !== undefined) subject += `${prefix}${members[member]}`;
    }
    return subject;
  };
}

/** Copies a value that its schema accepted: declared members only, in the schema's sequence. */
type Normalizer = (value: unknown) => unknown;

/** Normalizers of definitions whose values have several spellings. */
const definitionNormalizers: Readonly<Record<string, Normalizer>> = {
  id: Number,
  country: (value) => toCountryCode(String(value)) ?? value,
  code: blankToNull,
  optionalName: blankToNull,
};

/**
 * Builds the normalizer of a schema, so that models are byte-identical for any sequence of members and any extra members
 * (Contract §2).
 * @param resolve follows a `$ref`; returns a schema without one as it is
 */
function buildNormalizer(schema: Schema, resolve: (schema: Schema) => Schema): Normalizer {
  const byDefinition =
    schema.$ref && definitionNormalizers[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)];
  if (byDefinition) return byDefinition;
  const resolved = resolve(schema);
  const alternatives = resolved.anyOf ?? resolved.oneOf;
  if (alternatives) return normalizeAlternatives(alternatives, resolve);
  if (resolved.properties) return normalizeMembers(resolved.properties, resolve);
  if (resolved.items) return normalizeList(resolved.items, resolve);
  return (value) => value;
}

/** Handles alternatives of null, one definition, or several objects, whose members are then all copied. */
function normalizeAlternatives(
  alternatives: readonly Schema[],
  resolve: (schema: Schema) => Schema,
): Normalizer {
  const definition = alternatives.find((each) => each.$ref);
  const properties = alternatives.map((each) => each.properties ?? {});
  const shape = definition
    ? buildNormalizer(definition, resolve)
    : normalizeMembers(Object.assign({}, ...properties), resolve);
  return (value) => (value === null ? null : shape(value));
}

function normalizeMembers(
  properties: Readonly<Record<string, Schema>>,
  resolve: (schema: Schema) => Schema,
): Normalizer {
  const shapes = Object.entries(properties).map(
    ([name, schema]) => [name, buildNormalizer(schema, resolve)] as const,
  );
  return (value) => {
    if (typeof value !== "object" || value === null) return value;
    const source = value as Readonly<Record<string, unknown>>;
    const copy: Record<string, unknown> = {};
    for (let at = 0; at < shapes.length; at += 1) {
      const [name, shape] = shapes[at] as (typeof shapes)[number];
      if (Object.hasOwn(source, name)) copy[name] = shape(source[name]);
    }
    return copy;
  };
}

/** Removes repeated ids and countries, because they would count twice. */
function normalizeList(items: Schema, resolve: (schema: Schema) => Schema): Normalizer {
  const shape = buildNormalizer(items, resolve);
  return (value) => {
    if (!Array.isArray(value)) return value;
    const copies = value.map(shape);
    return typeof copies[0] === "object" ? copies : [...new Set(copies)];
  };
}

function blankToNull(value: unknown): unknown {
  return typeof value === "string" && value.trim() === "" ? null : value;
}
