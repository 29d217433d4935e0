import { type GraphQLLeafType, isEnumType } from "graphql";

/** Thrown where a plan has to leave the answer to graphql-js. */
export const uncovered = new Error("not covered by a plan");

/** Writes a scalar or an enum as graphql-js would serialise it. Throws `uncovered` at what it would not let pass. */
export const leafText = (type: GraphQLLeafType): ((value: unknown) => string) => {
  if (isEnumType(type)) {
    const names = new Map(type.getValues().map(({ name }) => [name as unknown, `"${name}"`]));
    return (value) => names.get(value) ?? giveUp();
  }
  return scalars[type.name] ?? giveUp;
};

const giveUp = (): never => {
  throw uncovered;
};

const scalars: Readonly<Record<string, (value: unknown) => string>> = {
  String: (value) => (typeof value === "string" ? quoted(value) : giveUp()),
  ID: (value) => {
    if (typeof value === "number" && Number.isInteger(value)) return `"${value}"`;
    return typeof value === "string" ? quoted(value) : giveUp();
  },
  // GraphQL knows 32 bits.
  Int: (value) => (typeof value === "number" && (value | 0) === value ? String(value) : giveUp()),
  Boolean: (value) => (typeof value === "boolean" ? String(value) : giveUp()),
};

const needsNothing = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const isAscii = /^[\x00-\x7f]*$/;

/** A string in JSON, each byte of its UTF-8 as one character. */
const quoted = (value: string): string => {
  if (needsNothing.test(value)) return `"${value}"`;
  const json = JSON.stringify(value);
  return isAscii.test(json) ? json : Buffer.from(json).toString("latin1");
};
