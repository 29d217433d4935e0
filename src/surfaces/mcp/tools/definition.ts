import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../package-info.ts";
import { isObject, type JsonObject } from "../../json.ts";

/** A JSON Schema whose root is an object, as MCP requires for tools. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, unknown>>;
  readonly [keyword: string]: unknown;
}

/** One tool. Its published schema is frozen: only additions are allowed. `tools/list` shows it flattened. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: Readonly<Record<string, unknown>>;
}

export const readDefinition = (name: string): ToolDefinition =>
  JSON.parse(readFileSync(join(packageRoot, "schema", "tools", `${name}.json`), "utf8"));

/** Number of levels of a recursive definition that are written out. */
const maxLevels = 3;

/**
 * Flattens a schema for the converters of clients, which read only a part of JSON Schema: references are replaced by their
 * definitions, and alternatives of the root and constants move into descriptions. Below `maxLevels` of a recursive definition any
 * object fits. The result accepts everything that the schema accepts.
 */
export const flattenSchema = ({ $defs, oneOf, ...schema }: ObjectSchema): ObjectSchema => ({
  ...(Array.isArray(oneOf) && { description: describeAlternatives(oneOf) }),
  ...schema,
  properties: flattenMembers(schema.properties, { definitions: toObject($defs), open: [] }),
});

interface Scope {
  readonly definitions: JsonObject;
  /** References that are being replaced, outermost first. */
  readonly open: readonly string[];
}

const flatten = (schema: unknown, scope: Scope): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => flatten(part, scope));
  if (!isObject(schema)) return schema;
  const { $ref, const: _, ...rest } = schema;
  if (typeof $ref === "string") return { ...resolve($ref, scope), ...rest };
  const flat = Object.entries(rest).map(([keyword, value]) => [
    keyword,
    keyword === "properties" ? flattenMembers(toObject(value), scope) : flatten(value, scope),
  ]);
  return Object.fromEntries(flat);
};

const flattenMembers = (members: JsonObject, scope: Scope): JsonObject =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, flatten(member, scope)]),
  );

const resolve = (reference: string, { definitions, open }: Scope): JsonObject => {
  if (open.filter((one) => one === reference).length >= maxLevels) return { type: "object" };
  const definition = definitions[reference.replace("#/$defs/", "")];
  return toObject(flatten(definition, { definitions, open: [...open, reference] }));
};

const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Describes the alternatives of an output: the members of a result, or those of an error. */
const describeAlternatives = (alternatives: readonly unknown[]): string =>
  alternatives
    .map((alternative) => toObject(alternative).required)
    .map((names) => (Array.isArray(names) ? names.join(", ") : ""))
    .map((names, at) => (at === 0 ? `A result has ${names}.` : `An error has ${names} instead.`))
    .join(" ");
