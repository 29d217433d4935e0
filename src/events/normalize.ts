import { countryOf } from "./countries.ts";
import type { Schema } from "./schema-violation.ts";

/** Copies a value its schema accepted: known members only, in the schema's order. */
export type Shape = (value: unknown) => unknown;

/** Definitions whose values may be spelled in more than one way, and the spelling the model keeps. */
const spellings: Readonly<Record<string, Shape>> = {
  id: Number,
  country: (value) => countryOf(String(value)) ?? value,
  code: blankIsNone,
  optionalName: blankIsNone,
};

/**
 * The shape a schema gives, so that models are byte-identical however a shop orders its members and
 * whatever else it sends (contract section 2).
 * @param resolve follows a `$ref`; a schema without one is returned as it is.
 */
export function shapeOf(schema: Schema, resolve: (schema: Schema) => Schema): Shape {
  const spelling = schema.$ref && spellings[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)];
  if (spelling) return spelling;
  const whole = resolve(schema);
  const alternatives = whole.anyOf ?? whole.oneOf;
  if (alternatives) return eitherOf(alternatives, resolve);
  if (whole.properties) return members(whole.properties, resolve);
  if (whole.items) return list(whole.items, resolve);
  return (value) => value;
}

/** Null, or a definition, or one of several objects: the members of all of them, then. */
function eitherOf(alternatives: readonly Schema[], resolve: (schema: Schema) => Schema): Shape {
  const definition = alternatives.find((each) => each.$ref);
  const properties = alternatives.map((each) => each.properties ?? {});
  const shape = definition
    ? shapeOf(definition, resolve)
    : members(Object.assign({}, ...properties), resolve);
  return (value) => (value === null ? null : shape(value));
}

function members(
  properties: Readonly<Record<string, Schema>>,
  resolve: (schema: Schema) => Schema,
): Shape {
  const shapes = Object.entries(properties).map(
    ([name, schema]) => [name, shapeOf(schema, resolve)] as const,
  );
  return (value) => {
    if (typeof value !== "object" || value === null) return value;
    const given = value as Readonly<Record<string, unknown>>;
    const copy: Record<string, unknown> = {};
    for (let at = 0; at < shapes.length; at += 1) {
      const [name, shape] = shapes[at] as (typeof shapes)[number];
      if (Object.hasOwn(given, name)) copy[name] = shape(given[name]);
    }
    return copy;
  };
}

/** A repeated id or country says nothing more, and would be counted twice. */
function list(items: Schema, resolve: (schema: Schema) => Schema): Shape {
  const shape = shapeOf(items, resolve);
  return (value) => {
    if (!Array.isArray(value)) return value;
    const copies = value.map(shape);
    return typeof copies[0] === "object" ? copies : [...new Set(copies)];
  };
}

function blankIsNone(value: unknown): unknown {
  return typeof value === "string" && value.trim() === "" ? null : value;
}
