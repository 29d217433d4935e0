import {
  type GraphQLLeafType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  getNullableType,
  isLeafType,
  isListType,
} from "graphql";
import type { Product } from "../../../read-model/reader/product.ts";
import { memberIndex, sliceMembers } from "../../../read-model/reader/product-json.ts";
import { isIntrospection } from "../limits/complexity.ts";
import { isOver } from "../limits/limits.ts";
import type { ResolverContext } from "../resolver-context.ts";
import type { SelectedField, Selection } from "./selection.ts";
import type { Variables } from "./variables.ts";

/**
 * A plan writes the response of one operation as JSON text.
 *
 * `compilePlan` walks the selections of a document and the schema in parallel. The result is a tree of functions, one
 * for each selected object type, that write `"name":value` in the order of graphql-js, from the resolvers of the schema. Texts of a
 * product are cut out of its stored JSON: they are neither parsed nor escaped again, because the projector already escaped them.
 *
 * Each character of a text is one byte of the UTF-8 that is sent. So stored bytes need no decoding, a text's length
 * is the Content-Length, and Node writes header and body as one string.
 *
 * @throws any error when graphql-js has to execute the operation, from the start and on the same snapshot, with its errors and
 *   nulls: a null in a non-null field, an error of a resolver, or a response over a limit (see `createExecute`)
 */
export type Plan = (context: ResolverContext, variables: Variables) => string;

/**
 * Compiles the selection of an operation.
 * @returns undefined for introspection, which graphql-js executes
 */
export const compilePlan = (schema: GraphQLSchema, selection: Selection): Plan | undefined => {
  const root = schema.getQueryType();
  if (!root || selection.some(({ name }) => isIntrospection(name))) return undefined;
  const write = planObject(root, selection);
  return (context, variables) => {
    const text = `{"data":${write(undefined, { context, variables })}}`;
    if (isOver(context.budget)) throw overLimit;
    return text;
  };
};

const overLimit = new Error("the response is over a limit");

interface ExecutionData {
  readonly context: ResolverContext;
  readonly variables: Variables;
}

type Resolve = (source: unknown, args: object, context: ResolverContext) => unknown;

/** Writes one value as JSON text. */
type Write = (value: unknown, data: ExecutionData) => string;

const planObject = (type: GraphQLObjectType, selection: Selection): Write => {
  const parts: Write[] = [];
  for (let index = 0; index < selection.length; ) {
    const comma = index === 0 ? "" : ",";
    const count = type.name === "Product" ? countCopied(selection, index) : 0;
    const selected = selection[index] as SelectedField;
    parts.push(
      count > 0 ? copyMembers(comma, selected.name, count) : writeField(type, comma, selected),
    );
    index += Math.max(1, count);
  }
  return (source, data) => {
    let text = "{";
    for (const write of parts) text += write(source, data);
    return `${text}}`;
  };
};

/** Counts the fields from `from` on that the stored text of a product has in the same sequence and form. */
const countCopied = (selection: Selection, from: number): number => {
  const first = memberIndex((selection[from] as SelectedField).name);
  let count = 0;
  for (const { key, name } of selection.slice(from)) {
    // A stored id is a number, and one of GraphQL a string.
    if (first < 1 || key !== name || memberIndex(name) !== first + count) break;
    count += 1;
  }
  return count;
};

/** Copies adjacent members as one piece. */
const copyMembers = (comma: string, name: string, count: number): Write => {
  const slice = sliceMembers(memberIndex(name), count);
  return (product, { context: { budget } }) => {
    const text = slice((product as Product).json);
    budget.fields += count;
    budget.characters += text.length;
    if (isOver(budget)) throw overLimit;
    return comma + text;
  };
};

const writeField = (
  type: GraphQLObjectType,
  comma: string,
  { key, name, node, selection }: SelectedField,
): Write => {
  const head = `${comma}"${key}":`;
  if (name === "__typename") return () => `${head}"${type.name}"`;
  const field = type.getFields()[name];
  if (!field) throw new Error(`${type.name} has no field ${name}`);
  const resolve = field.resolve as Resolve;
  const write = planValue(field.type, selection);
  if (field.args.length === 0)
    return (source, data) => head + write(resolve(source, noArguments, data.context), data);
  return (source, data) => {
    const args = getArgumentValues(field, node, data.variables);
    return head + write(resolve(source, args, data.context), data);
  };
};

const noArguments = {};

const planValue = (type: GraphQLOutputType, selection: Selection): Write => {
  const write = planPresent(getNullableType(type), selection);
  if (!(type instanceof GraphQLNonNull))
    return (value, data) => (value == null ? "null" : write(value, data));
  return (value, data) => {
    if (value == null) throw new Error("a field that is not nullable is null");
    return write(value, data);
  };
};

const planPresent = (
  type: Exclude<GraphQLOutputType, GraphQLNonNull<never>>,
  selection: Selection,
): Write => {
  if (isLeafType(type)) return createLeafWriter(type);
  if (type instanceof GraphQLObjectType) return planObject(type, selection);
  if (!isListType(type)) throw new Error("the schema has neither interfaces nor unions");
  const write = planValue(type.ofType, selection);
  return (list, data) => {
    let text = "[";
    for (const value of list as readonly unknown[])
      text += (text === "[" ? "" : ",") + write(value, data);
    return `${text}]`;
  };
};

/**
 * Creates the writer of a scalar or an enum.
 * @throws the error of graphql-js when the value is none of the type
 */
const createLeafWriter =
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
