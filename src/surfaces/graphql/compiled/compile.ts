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
import { isIntrospection } from "../limits/complexity.ts";
import { graphqlLimits } from "../limits/limits.ts";
import type { ResolverContext } from "../resolver-context.ts";
import { planArguments } from "./arguments.ts";
import { planProduct } from "./product-fields.ts";
import { selectResolver } from "./resolvers.ts";
import { createLeafWriter, notCompilable, orNotCompilable } from "./scalars.ts";
import {
  collectFields,
  type DirectiveValues,
  type SelectedField,
  type Selection,
} from "./selection.ts";
import type { Variables } from "./variables.ts";

/**
 * A plan writes the response of one operation as JSON text, directly from stored product text.
 *
 * `compilePlan` walks the selections of a document and the schema in parallel. The result is a tree of functions, one
 * for each selected object type, that write `"name":value` in the order of graphql-js. They call the same resolvers
 * as graphql-js, but product resolvers get the stored JSON of a product instead of its document. A product is written
 * by cutting the selected members out of that text. It is neither parsed nor escaped again, because the projector
 * already escaped it.
 *
 * Each character of a text is one byte of the UTF-8 that is sent. So stored bytes need no decoding, a text's length
 * is the Content-Length, and Node writes header and body as one string.
 *
 * A plan reports no errors. It bails out on a null in a non-null field, a resolver that throws, hidden prices, or a
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

/** Writes one value as JSON text. */
type Write = (value: unknown, data: ExecutionData) => string;

const planObject = (type: GraphQLObjectType, selection: Selection): Write => {
  if (type.name === "Product") return limitText(selection);
  const fields = selection.map((selected, index) => ({
    head: `${index === 0 ? "" : ","}"${selected.key}":`,
    write: planField(type, selected),
  }));
  return (source, data) => {
    let text = "{";
    for (const { head, write } of fields) text += head + write(source, data);
    return `${text}}`;
  };
};

/** Bails out when a response's product text exceeds the limit on characters, since all texts are part of it. */
const limitText = (selection: Selection): Write => {
  const write = planProduct(selection);
  const fields = selection.reduce((sum, { selection: { length } }) => sum + 1 + length, 0);
  return (product, { context: { budget } }) => {
    const text = write(product);
    budget.fields += fields;
    budget.characters += text.length;
    if (budget.characters > graphqlLimits.answerCharacters) throw notCompilable;
    return text;
  };
};

const planField = (type: GraphQLObjectType, { name, node, selection }: SelectedField): Write => {
  if (name === "__typename") return () => `"${type.name}"`;
  const field = type.getFields()[name];
  if (!field) throw new Error(`${type.name} has no field ${name}`);
  const resolve = selectResolver(type, field);
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
