import { type GraphQLLeafType, isEnumType } from "graphql";
import { unexpectedForm } from "../../../read-model/reader/product-json.ts";

/** Error thrown when graphql-js has to execute the operation instead of a plan. */
export const notCompilable = new Error("not covered by a plan");

/**
 * Runs a step of a plan. Any other error than the two expected ones is a bug, and is thrown.
 * @returns undefined when graphql-js has to execute the operation, also for a product that is stored in another form
 */
export const orNotCompilable = <T>(run: () => T): T | undefined => {
  try {
    return run();
  } catch (thrown) {
    if (thrown === notCompilable || thrown === unexpectedForm) return undefined;
    throw thrown;
  }
};

/**
 * Creates the writer of a scalar or an enum, which serialises as graphql-js does.
 * @throws notCompilable when graphql-js would reject the value
 */
export const createLeafWriter = (type: GraphQLLeafType): ((value: unknown) => string) => {
  if (isEnumType(type)) {
    const names = new Map(type.getValues().map(({ name }) => [name as unknown, `"${name}"`]));
    return (value) => names.get(value) ?? bailOut();
  }
  return scalars[type.name] ?? bailOut;
};

const bailOut = (): never => {
  throw notCompilable;
};

const scalars: Readonly<Record<string, (value: unknown) => string>> = {
  String: (value) => (typeof value === "string" ? writeString(value) : bailOut()),
  ID: (value) => {
    if (typeof value === "number" && Number.isInteger(value)) return `"${value}"`;
    return typeof value === "string" ? writeString(value) : bailOut();
  },
  // Rejects more than 32 bits, which GraphQL's Int has.
  Int: (value) => (typeof value === "number" && (value | 0) === value ? String(value) : bailOut()),
  Boolean: (value) => (typeof value === "boolean" ? String(value) : bailOut()),
};

const needsNoEscape = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
const isAscii = /^[\x00-\x7f]*$/;

/** Writes a string as JSON, with one character per byte of its UTF-8. */
const writeString = (value: string): string => {
  if (needsNoEscape.test(value)) return `"${value}"`;
  const json = JSON.stringify(value);
  return isAscii.test(json) ? json : Buffer.from(json).toString("latin1");
};
