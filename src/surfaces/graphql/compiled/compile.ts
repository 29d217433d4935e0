import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  getNullableType,
  isLeafType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
} from "graphql";
import type { ProductText } from "../../../read-model/reader/product-json.ts";
import type { Products, Snapshot } from "../../../read-model/reader/reader.ts";
import { isIntrospection } from "../limits/complexity.ts";
import { ceilings } from "../limits/limits.ts";
import { product } from "../resolvers/product.ts";
import { products } from "../resolvers/products.ts";
import type { Context } from "../schema.ts";
import { planProduct } from "./product-fields.ts";
import { leafText, uncovered } from "./scalars.ts";
import { type Selected, type Selection, type Switches, selectionOf } from "./selection.ts";

/**
 * A plan writes the answer of one operation as JSON text, straight from what is stored.
 *
 * It is made once for a document, by walking its selections beside the schema: what comes out is a tree of small
 * functions, one for each type selected from, that write `"name":value` in the order graphql-js would. The resolvers
 * are the same as graphql-js calls, with one difference: those of products are handed the stored JSON of a product
 * in place of its document. A product is written by cutting that text at the members asked for, so that nothing of
 * it is parsed, and nothing escaped a second time: that was done when the product was projected.
 *
 * Text here is "bytes": each character is one byte of the UTF-8 that is sent. So the stored bytes need no decoding,
 * a length is a Content-Length, and node writes header and body as one string.
 *
 * A plan never explains what went wrong. Where something is not as it must be (a null in a place that has none, a
 * resolver that throws, prices that are hidden, an answer past its ceiling) it gives up, and graphql-js executes the
 * operation from the start, on the same moment of the model, with its errors and nulls. Introspection is left to
 * graphql-js altogether.
 */
export type Plan = (context: Context, variables: Variables) => string | undefined;

export type Variables = Readonly<Record<string, unknown>>;

/**
 * @param switches values of the variables that decide `@include` and `@skip`: the plan holds for these
 * @returns undefined when graphql-js has to execute the operation
 */
export const compilePlan = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  switches: Switches,
): Plan | undefined => {
  const root = schema.getQueryType();
  if (!root) return undefined;
  try {
    const selection = selectionOf(document, operation, switches);
    if (selection.some(({ name }) => isIntrospection(name))) return undefined;
    const write = planObject(root, selection);
    return unless((context, variables) => `{"data":${write(undefined, { context, variables })}}`);
  } catch (thrown) {
    if (thrown === uncovered) return undefined;
    throw thrown;
  }
};

/** Whatever is thrown on the way, graphql-js will meet it again, and tell it. */
const unless =
  (write: Plan): Plan =>
  (context, variables) => {
    try {
      return write(context, variables);
    } catch {
      return undefined;
    }
  };

/** What is at hand while an answer is written. */
interface Run {
  readonly context: Context;
  readonly variables: Variables;
}

/** Writes one value. */
type Write = (value: unknown, run: Run) => string;

const planObject = (type: GraphQLObjectType, selection: Selection): Write => {
  if (type.name === "Product") return bounded(planProduct(selection));
  const fields = selection.map((selected, at) => ({
    head: `${at === 0 ? "" : ","}"${selected.key}":`,
    write: planField(type, selected),
  }));
  return (source, run) => {
    let text = "{";
    for (const { head, write } of fields) text += head + write(source, run);
    return `${text}}`;
  };
};

/** The ceiling is on descriptions; where all that was written is below it, they are too. */
const bounded =
  (write: (product: unknown) => string): Write =>
  (product, { context: { told } }) => {
    const text = write(product);
    told.characters += text.length;
    if (told.characters > ceilings.answerCharacters) throw uncovered;
    return text;
  };

const planField = (type: GraphQLObjectType, { name, node, selection }: Selected): Write => {
  if (name === "__typename") return () => `"${type.name}"`;
  const field = type.getFields()[name];
  if (!field) throw new Error(`${type.name} has no field ${name}`);
  const resolve = resolverOf(type, field);
  const argumentsOf = planArguments(field, node);
  const write = planValue(field.type, selection);
  return (source, run) => write(resolve(source, argumentsOf(run.variables), run.context), run);
};

type Resolve = (source: unknown, args: object, context: Context) => unknown;
type Field = GraphQLField<unknown, unknown>;

const resolverOf = (type: GraphQLObjectType, field: Field): Resolve =>
  ofStoredText[`${type.name}.${field.name}`] ??
  (field.resolve as Resolve | undefined) ??
  ((source) => (source as Readonly<Record<string, unknown>>)[field.name]);

/** Where products come from: here as their stored text. */
const ofStoredText: Readonly<Record<string, Resolve>> = {
  "Query.product": (_source, args, { moment }) =>
    product(textsOf(moment), args as Parameters<typeof product>[1]),
  "Query.products": (_source, args, { moment }) => products(moment, args, textsOf(moment)),
};

const textsOf = (moment: Snapshot): Products<ProductText> => {
  const texts = moment.texts?.();
  if (!texts) throw uncovered;
  return texts;
};

/**
 * Arguments that stand in the document are read once; variables are coerced already, and only have to be put in
 * their places. One that is left out leaves its argument out, one of null has no place where null is not allowed.
 */
const planArguments = (field: Field, node: FieldNode): ((variables: Variables) => object) => {
  const given = node.arguments ?? [];
  const constant = given.filter(({ value }) => value.kind !== Kind.VARIABLE);
  if (constant.some(({ value }) => holdsVariable(value))) throw uncovered;
  const variable = given.flatMap(({ name, value }) =>
    value.kind === Kind.VARIABLE ? [{ name: name.value, variable: value.name.value }] : [],
  );
  const places = variable.map((place) => ({ ...place, type: typeOfArgument(field, place.name) }));
  const others = field.args.filter(({ name }) => !places.some((place) => place.name === name));
  const fixed = getArgumentValues({ ...field, args: others }, { ...node, arguments: constant });
  if (places.length === 0) return () => fixed;
  return (variables) => {
    const args: Record<string, unknown> = { ...fixed };
    for (const { name, variable, type } of places) {
      const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
      if (value == null && type instanceof GraphQLNonNull) throw uncovered;
      if (value !== undefined) args[name] = value;
    }
    return args;
  };
};

/** A variable within a list is put in its place by graphql-js. */
const holdsVariable = (value: ValueNode): boolean =>
  value.kind === Kind.VARIABLE || (value.kind === Kind.LIST && value.values.some(holdsVariable));

/** An argument with a default of its own would need it where a variable is left out: the schema has none. */
const typeOfArgument = (field: Field, name: string): GraphQLInputType => {
  const argument = field.args.find((one) => one.name === name);
  if (!argument || argument.defaultValue !== undefined) throw uncovered;
  return argument.type;
};

const planValue = (type: GraphQLOutputType, selection: Selection): Write => {
  const isNullable = !(type instanceof GraphQLNonNull);
  const write = planPresent(getNullableType(type), selection);
  return (value, run) => {
    if (value != null) return write(value, run);
    if (isNullable) return "null";
    throw uncovered;
  };
};

const planPresent = (
  type: Exclude<GraphQLOutputType, GraphQLNonNull<never>>,
  selection: Selection,
): Write => {
  if (isLeafType(type)) return leafText(type);
  if (type instanceof GraphQLObjectType) return planObject(type, selection);
  // The schema has neither interfaces nor unions.
  if (!isListType(type)) throw uncovered;
  const write = planValue(type.ofType, selection);
  return (list, run) => {
    if (!Array.isArray(list)) throw uncovered;
    let text = "[";
    for (let at = 0; at < list.length; at += 1)
      text += (at === 0 ? "" : ",") + write(list[at], run);
    return `${text}]`;
  };
};
