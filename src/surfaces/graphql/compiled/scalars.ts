import type { GraphQLLeafType } from "graphql";

/**
 * Creates the writer of a scalar or an enum.
 * @throws the error of graphql-js when the value is none of the type
 */
export const createLeafWriter =
  (type: GraphQLLeafType) =>
  (value: unknown): string => {
    const serialized = type.serialize(value);
    return typeof serialized === "string" ? writeString(serialized) : JSON.stringify(serialized);
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
