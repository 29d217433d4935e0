import {
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
} from "graphql";
import type { ResolverContext, ResponseBudget } from "../resolver-context.ts";
import { findExceeded, graphqlLimits } from "./limits.ts";

type Resolve = GraphQLFieldResolver<unknown, ResolverContext>;

/**
 * Counts what a resolver writes: the field, the entries of a list, and the characters of its texts. Over a limit it throws, so that
 * no later field is resolved. Listed categories and policies are counted before. @param of name of the type that has the field
 */
export const countWritten = (of: string, type: GraphQLOutputType, resolve: Resolve): Resolve => {
  if (listTypes.includes(of)) return resolve;
  // A plan resolves products to their stored text, which it counts as it writes it.
  const isText = isLeafType(getNamedType(type));
  return (source, args, context, info) => {
    const { budget } = context;
    if (isOver(budget)) throw overLimit;
    const value: unknown = resolve(source, args, context, info);
    budget.fields += Array.isArray(value) ? 1 + value.length : 1;
    if (isText) budget.characters += countCharacters(value);
    return value;
  };
};

const listTypes = "CategoryPayload Category PolicyPayload Policy".split(" ");

const countCharacters = (value: unknown): number => {
  if (typeof value === "string") return value.length;
  if (!Array.isArray(value)) return 0;
  return value.reduce((sum: number, text: unknown) => sum + countCharacters(text), 0);
};

/** Checks whether a response is over a limit, without its error. */
export const isOver = ({ fields, characters, variants }: ResponseBudget): boolean =>
  fields > graphqlLimits.writtenFields ||
  characters > graphqlLimits.answerCharacters ||
  variants > graphqlLimits.readVariants;

/** One error for all fields. Its path makes graphql-js pass it on without a copy. */
const overLimit = new GraphQLError("The response is over a limit.", { path: [] });

/** Checks a response after it was written, or after it was given up. */
export const checkWritten = ({
  fields,
  characters,
  variants,
}: ResponseBudget): GraphQLError | undefined =>
  findExceeded({
    ...{ writtenFields: fields, answerCharacters: characters, readVariants: variants },
  })[0];
