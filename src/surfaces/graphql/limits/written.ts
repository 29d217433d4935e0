import { GraphQLError, type GraphQLFieldResolver } from "graphql";
import type { ResolverContext, ResponseBudget } from "../resolver-context.ts";
import { findExceeded, graphqlLimits } from "./limits.ts";

type Resolve = GraphQLFieldResolver<unknown, ResolverContext>;

/**
 * Counts what a resolver writes: the field, the entries of a list, and the characters of its texts. Over a limit it throws, so that
 * no later field is resolved.
 */
export const countWritten = (type: string, resolve: Resolve): Resolve => {
  const weight = listTypes.has(type) ? 0 : 1;
  return (source, args, context, info) => {
    const { budget } = context;
    if (isOver(budget)) throw overLimit;
    const value: unknown = resolve(source, args, context, info);
    budget.fields += weight;
    if (typeof value === "string") budget.characters += value.length;
    else if (Array.isArray(value)) countEntries(value, weight, budget);
    return value;
  };
};

/** Types of the lists of categories and policies, whose fields have a limit of their own. */
const listTypes: ReadonlySet<string> = new Set(
  "CategoryPayload Category PolicyPayload Policy".split(" "),
);

const countEntries = (list: readonly unknown[], weight: number, budget: ResponseBudget): void => {
  budget.fields += weight * list.length;
  for (const text of list) if (typeof text === "string") budget.characters += text.length;
};

const isOver = ({ fields, characters }: ResponseBudget): boolean =>
  fields > graphqlLimits.writtenFields || characters > graphqlLimits.answerCharacters;

/** One error for all fields. Its path makes graphql-js pass it on without a copy. */
const overLimit = new GraphQLError("The response is over a limit.", { path: [] });

/** Checks a response after it was written, or after it was given up. */
export const checkWritten = (
  budget: Pick<ResponseBudget, "fields" | "characters">,
): GraphQLError | undefined =>
  findExceeded({ writtenFields: budget.fields, answerCharacters: budget.characters })[0];
