import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from "graphql";
import { ceilings } from "./ceilings.ts";
import { fragmentsOf, measure, over } from "./limits.ts";
import { type AskedPage, askedPages, countSearches, sumOfPageSizes } from "./page-sizes.ts";
import { compilePlan, type Plan } from "./plan.ts";
import type { Context } from "./schema.ts";

/** One operation to run, of a document that passed. */
export interface Run {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** As the client gave them. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: Context;
}

/** Runs one operation, synchronously. `data` is absent when the request was refused before it ran. */
export type Execute = (run: Run) => ExecutionResult;

/** What is found out about an operation once. */
interface Prepared {
  readonly pages: readonly AskedPage[];
  /** Undefined before the second run; null when graphql-js has to execute it. */
  plan: Plan | null | undefined;
  runs: number;
}

type Variables = Readonly<Record<string, unknown>>;

/** Variables told wrong at once. */
const maxErrors = 10;

/** @param compile how a plan is made; one that makes none leaves everything to graphql-js */
export const createExecute = (schema: GraphQLSchema, compile = compilePlan): Execute => {
  const known = new WeakMap<OperationDefinitionNode, Prepared>();

  return (run) => {
    const coerced = coerce(schema, run);
    if (coerced.errors) return { errors: coerced.errors };
    const prepared = known.get(run.operation) ?? prepare(run);
    known.set(run.operation, prepared);
    const asked = sumOfPageSizes(prepared.pages, coerced.variables);
    if (asked > ceilings.pageSizes) return { errors: [over("pageSizes", asked)] };
    const searches = countSearches(prepared.pages, coerced.variables);
    if (searches > ceilings.searches) return { errors: [over("searches", searches)] };
    prepared.runs += 1;
    // A plan costs more than one execution, and most documents come once or very often.
    if (prepared.plan === undefined && prepared.runs > 1) {
      prepared.plan = planOf(schema, run, compile);
    }
    const result = prepared.plan
      ? prepared.plan(run.context, coerced.variables)
      : interpret(schema, run, coerced.variables);
    const { characters } = run.context.told;
    return characters > ceilings.answerCharacters
      ? { errors: [over("answerCharacters", characters)] }
      : result;
  };
};

const prepare = ({ document, operation }: Run): Prepared => ({
  pages: askedPages(operation.selectionSet, fragmentsOf(document)),
  plan: undefined,
  runs: 0,
});

const planOf = (
  schema: GraphQLSchema,
  { document, operation }: Run,
  compile: typeof compilePlan,
): Plan | null =>
  compile(schema, document, operation, measure(operation, fragmentsOf(document))) ?? null;

const interpret = (
  schema: GraphQLSchema,
  { document, operation, context }: Run,
  variableValues: Variables,
): ExecutionResult =>
  executeSync({
    schema,
    document,
    contextValue: context,
    variableValues,
    operationName: operation.name?.value,
  });

type Coerced =
  | { readonly errors: readonly GraphQLError[] }
  | { readonly errors?: undefined; readonly variables: Variables };

/** By graphql-js for both executors, so that a wrong variable reads the same whichever runs. */
const coerce = (schema: GraphQLSchema, { operation, variables }: Run): Coerced => {
  const definitions = operation.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, variables, { maxErrors });
  return errors ? { errors } : { variables: coerced };
};
