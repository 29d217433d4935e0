import type { ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { lazy } from "../../platform/memo.ts";
import { isObject, type JsonObject } from "../json.ts";
import { invalidArgument, type UserError } from "../user-error.ts";
import type { ToolDefinition } from "./tools/definition.ts";

/** Validates arguments. @returns undefined when they follow the tool's input schema */
type CheckArguments = (args: JsonObject) => UserError | undefined;

/**
 * Compiles the published input schema of a tool to a check, at its first call: the schemas of all tools took a tenth of a second of
 * the start of an HTTP process. Ajv does not check the schema against its meta-schema, because the tests do.
 */
export const compileArgumentCheck = ({ name, inputSchema }: ToolDefinition): CheckArguments => {
  const parameters = Object.keys(inputSchema.properties);
  const compile = lazy(() => new Ajv2020({ strict: true, ...trusted }).compile(inputSchema));
  return (args) => {
    const validate = compile();
    if (validate(args)) return undefined;
    // Takes the last error, because the errors before it are those of `anyOf` branches.
    const error = validate.errors?.at(-1);
    if (!error) return invalidArgument([], "The arguments do not follow the input schema.");
    const field = toField(error);
    return invalidArgument(
      field,
      formatMessage(error, field, `${name} takes ${parameters.join(", ")}`),
    );
  };
};

const trusted = { meta: false, validateSchema: false } as const;

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

const toField = ({ instancePath, params }: ErrorObject): readonly string[] => {
  const path = instancePath.split("/").slice(1).map(unescapePointer);
  const member = params.missingProperty ?? params.additionalProperty;
  return typeof member === "string" ? [...path, member] : path;
};

/** Unescapes one step of a JSON Pointer (RFC 6901). */
const unescapePointer = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

/** Descriptions of the patterns in the input schemas. */
const patterns: Readonly<Record<string, string>> = {
  "^[A-Za-z]{2}$": "two letters such as DE",
  "^[0-9]{1,15}(\\.[0-9]{1,6})?$": "a decimal number in a string, such as 10 or 9.90",
  "^[1-9][0-9]{0,15}\\.[1-9][0-9]{0,15}$": "the id of a variant such as 4711.90001",
};

const formatMessage = (error: ErrorObject, field: readonly string[], takes: string): string => {
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
