import { isObject, type JsonObject } from "../json.ts";
import { compileSchema, pathOfError, type SchemaError } from "../json-schema.ts";
import { invalidArgument, type UserError } from "../user-error.ts";
import type { ToolDefinition } from "./tools/definition.ts";

/** Validates arguments. @returns undefined when they follow the tool's input schema */
type CheckArguments = (args: JsonObject) => UserError | undefined;

/** Compiles the published input schema of a tool to a check. */
export const compileArgumentCheck = ({ name, inputSchema }: ToolDefinition): CheckArguments => {
  const parameters = Object.keys(inputSchema.properties);
  const check = compileSchema(inputSchema);
  return (args) => {
    const error = check(args);
    if (!error) return undefined;
    const field = pathOfError(error);
    return invalidArgument(
      field,
      formatMessage(error, field, `${name} takes ${parameters.join(", ")}`),
    );
  };
};

/** Removes parameters, and members of objects in lists, that are null or "", because models write absent ones so. */
export const dropBlankArguments = (args: JsonObject): JsonObject => {
  const given = dropBlankMembers(args);
  return Object.values(given).some(Array.isArray)
    ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, dropInList(value)]))
    : given;
};

const dropInList = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((item) => (isObject(item) ? dropBlankMembers(item) : item))
    : value;

const dropBlankMembers = (members: JsonObject): JsonObject =>
  Object.values(members).some(isBlank)
    ? Object.fromEntries(Object.entries(members).filter(([, value]) => !isBlank(value)))
    : members;

const isBlank = (value: unknown): boolean => value === null || value === "";

/** Descriptions of the patterns in the input schemas. */
const patterns: Readonly<Record<string, string>> = {
  "^[A-Za-z]{2}$": "two letters such as DE",
  "^[0-9]{1,15}(\\.[0-9]{1,6})?$": "a decimal number in a string, such as 10 or 9.90",
  "^[1-9][0-9]{0,15}\\.[1-9][0-9]{0,15}$": "the id of a variant such as 4711.90001",
};

const formatMessage = (error: SchemaError, field: readonly string[], takes: string): string => {
  const named = `\`${field.join(".").slice(0, 100)}\``;
  const { keyword, params, message } = error;
  if (keyword === "required") return `${named} is required.`;
  if (keyword === "additionalProperties") {
    return field.length === 1
      ? `${named} is not a parameter: ${takes}.`
      : `${named} is not a member of this object.`;
  }
  if (keyword === "enum") return `${named} must be one of ${params.allowedValues.join(", ")}.`;
  // The input schemas use `anyOf` only for ids.
  if (keyword === "anyOf") {
    if (field.at(-1) === "variant_id") return `${named} must be an id such as 4711.90001 or 90001.`;
    return `${named} must be an id: a positive integer, as a number or as a string of digits.`;
  }
  if (keyword === "pattern") return `${named} must be ${patterns[params.pattern]}.`;
  return `${named} ${message ?? "is not valid"}.`;
};
