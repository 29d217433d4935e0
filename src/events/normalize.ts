import { toCountryCode } from "./countries.ts";
import type { Schema } from "./schema-violation.ts";

/** Copies a value that its schema accepted: declared members only, in the schema's sequence. */
export type Normalizer = (value: unknown) => unknown;

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
export function buildNormalizer(schema: Schema, resolve: (schema: Schema) => Schema): Normalizer {
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
