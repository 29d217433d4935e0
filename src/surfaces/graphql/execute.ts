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
import { fragmentsOf, over } from "./limits.ts";
import { type AskedPage, askedPages, countSearches, sumOfPageSizes } from "./page-sizes.ts";
import { compilePlan, type Plan } from "./plan.ts";
import type { Context } from "./schema.ts";
import { switchesOf } from "./selection.ts";

/** One operation to run, of a document that passed. */
export interface Run {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** As the client gave them. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: Context;
}

/** An answer: the JSON a plan wrote, one character a byte, or what graphql-js found. */
export type Executed = { readonly text: string } | ({ readonly text?: never } & ExecutionResult);

/** Runs one operation, synchronously. `data` is absent when the request was refused before it ran. */
export type Execute = (run: Run) => Executed;

/** What is found out about an operation once. */
interface Prepared {
  readonly pages: readonly AskedPage[];
  /** Variables that decide what is selected: each combination of them has a plan of its own. */
  readonly switches: readonly string[];
  /** By the values of the switches; null where graphql-js has to execute. */
  readonly plans: Map<string, Plan | null>;
  runs: number;
}

/** Plans of one operation. */
const mostPlans = 16;

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
    const plan =
      prepared.runs > 1 ? planOf(schema, run, prepared, coerced.variables, compile) : null;
    const text = plan?.(run.context, coerced.variables);
    return text === undefined ? interpret(schema, run, coerced.variables) : { text };
  };
};

const prepare = ({ document, operation }: Run): Prepared => ({
  pages: askedPages(operation.selectionSet, fragmentsOf(document)),
  switches: switchesOf(document),
  plans: new Map(),
  runs: 0,
});

const planOf = (
  schema: GraphQLSchema,
  { document, operation }: Run,
  { switches, plans }: Prepared,
  variables: Variables,
  compile: typeof compilePlan,
): Plan | null => {
  const key = switches.map((name) => variables[name]).join();
  const known = plans.get(key);
  if (known !== undefined || plans.size >= mostPlans) return known ?? null;
  const plan = compile(schema, document, operation, variables) ?? null;
  plans.set(key, plan);
  return plan;
};

const interpret = (
  schema: GraphQLSchema,
  { document, operation, context }: Run,
  variableValues: Variables,
): ExecutionResult => {
  // A plan that gave up has counted as well.
  context.told.characters = 0;
  const result = executeSync({
    schema,
    document,
    contextValue: context,
    variableValues,
    operationName: operation.name?.value,
  });
  const { characters } = context.told;
  return characters > ceilings.answerCharacters
    ? { errors: [over("answerCharacters", characters)] }
    : result;
};

type Coerced =
  | { readonly errors: readonly GraphQLError[] }
  | { readonly errors?: undefined; readonly variables: Variables };

/** By graphql-js for both executors, so that a wrong variable reads the same whichever runs. */
const coerce = (schema: GraphQLSchema, { operation, variables }: Run): Coerced => {
  const definitions = operation.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, variables, { maxErrors });
  return errors ? { errors } : { variables: coerced };
};
