import {
  type DocumentNode,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isLeafType,
  isListType,
  type OperationDefinitionNode,
} from "graphql";
import type { Product } from "../../../read-model/reader/product.ts";
import { memberIndex, sliceMembers } from "../../../read-model/reader/product-json.ts";
import { isIntrospection } from "../limits/complexity.ts";
import { isOver } from "../limits/written.ts";
import type { ResolverContext } from "../resolver-context.ts";
import { planArguments } from "./arguments.ts";
import { createLeafWriter, notCompilable, orNotCompilable } from "./scalars.ts";
import {
  collectFields,
  type DirectiveValues,
  type SelectedField,
  type Selection,
} from "./selection.ts";
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
 * A plan reports no errors. It bails out on a null in a non-null field, a resolver that throws, or a
 * response over its limit. Then graphql-js executes the operation from the start, on the same snapshot, with its
 * errors and nulls. graphql-js always executes introspection. Any other error of a plan is a bug, and is thrown.
 */
export type Plan = (context: ResolverContext, variables: Variables) => string | undefined;

/**
 * Compiles an operation.
 * @param directiveValues values of the variables in `@include` and `@skip`; the plan is valid for these only
 * @returns undefined when graphql-js has to execute the operation
 */
export const compilePlan = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  directiveValues: DirectiveValues,
): Plan | undefined => {
  const root = schema.getQueryType();
  if (!root) return undefined;
  const write = orNotCompilable(() => {
    const selection = collectFields(document, operation, directiveValues);
    if (selection.some(({ name }) => isIntrospection(name))) throw notCompilable;
    return planObject(root, selection);
  });
  return (
    write &&
    ((context, variables) =>
      orNotCompilable(() => `{"data":${write(undefined, { context, variables })}}`))
  );
};

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

const writeField = (type: GraphQLObjectType, comma: string, selected: SelectedField): Write => {
  const head = `${comma}"${selected.key}":`;
  const write = planField(type, selected);
  return (source, data) => head + write(source, data);
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
    if (isOver(budget)) throw notCompilable;
    return comma + text;
  };
};

const planField = (type: GraphQLObjectType, { name, node, selection }: SelectedField): Write => {
  if (name === "__typename") return () => `"${type.name}"`;
  const field = type.getFields()[name];
  if (!field) throw new Error(`${type.name} has no field ${name}`);
  const resolve = field.resolve as Resolve;
  const readArguments = planArguments(field, node);
  const write = planValue(field.type, selection);
  return (source, data) => {
    const args = readArguments(data.variables);
    return write(
      orBailOut(() => resolve(source, args, data.context)),
      data,
    );
  };
};

/** Bails out when a resolver throws, because graphql-js then meets the same error and reports it. */
const orBailOut = (resolve: () => unknown): unknown => {
  try {
    return resolve();
  } catch {
    throw notCompilable;
  }
};

const planValue = (type: GraphQLOutputType, selection: Selection): Write => {
  const isNullable = !(type instanceof GraphQLNonNull);
  const write = planPresent(getNullableType(type), selection);
  return (value, data) => {
    if (value != null) return write(value, data);
    if (isNullable) return "null";
    throw notCompilable;
  };
};

const planPresent = (
  type: Exclude<GraphQLOutputType, GraphQLNonNull<never>>,
  selection: Selection,
): Write => {
  if (isLeafType(type)) return createLeafWriter(type);
  if (type instanceof GraphQLObjectType) return planObject(type, selection);
  // The schema has neither interfaces nor unions.
  if (!isListType(type)) throw notCompilable;
  const write = planValue(type.ofType, selection);
  return (list, data) => {
    if (!Array.isArray(list)) throw notCompilable;
    let text = "[";
    for (let index = 0; index < list.length; index += 1)
      text += (index === 0 ? "" : ",") + write(list[index], data);
    return `${text}]`;
  };
};
