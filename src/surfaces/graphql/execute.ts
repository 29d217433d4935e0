import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { compilePlan, type Plan } from "./compiled/compile.ts";
import { switchesOf } from "./compiled/selection.ts";
import { type Coerce, coercionOf, type Variables } from "./compiled/variables.ts";
import { fragmentsOf } from "./limits/complexity.ts";
import { ceilings } from "./limits/limits.ts";
import {
  type AskedPage,
  askedPages,
  countSearches,
  sumOfPageSizes,
} from "./limits/requested-pages.ts";
import { type AskedLists, askedLists, listedOf } from "./limits/unbounded-lists.ts";
import { over } from "./limits/validate.ts";
import type { Context } from "./schema.ts";

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
  readonly coerce: Coerce;
  readonly pages: readonly AskedPage[];
  readonly lists: AskedLists;
  /** Variables that decide what is selected: each combination of them has a plan of its own. */
  readonly switches: readonly string[];
  /** By the values of the switches; null where graphql-js has to execute. */
  readonly plans: Map<string, Plan | null>;
  runs: number;
}

/** Plans of one operation. */
const mostPlans = 16;

/** @param compile how a plan is made; one that makes none leaves everything to graphql-js */
export const createExecute = (schema: GraphQLSchema, compile = compilePlan): Execute => {
  const known = new WeakMap<OperationDefinitionNode, Prepared>();

  return (run) => {
    const prepared = known.get(run.operation) ?? prepare(schema, run);
    if (prepared.runs === 0) known.set(run.operation, prepared);
    const coerced = prepared.coerce(run.variables);
    if (coerced.errors) return { errors: coerced.errors };
    const asked = sumOfPageSizes(prepared.pages, coerced.variables);
    if (asked > ceilings.pageSizes) return { errors: [over("pageSizes", asked)] };
    const searches = countSearches(prepared.pages, coerced.variables);
    if (searches > ceilings.searches) return { errors: [over("searches", searches)] };
    const listed = listedOf(prepared.lists, run.context.moment);
    if (listed.fields > ceilings.listedFields) {
      return { errors: [over("listedFields", listed.fields)] };
    }
    if (isTooLong(listed.characters)) {
      return { errors: [over("answerCharacters", listed.characters)] };
    }
    prepared.runs += 1;
    // A plan costs more than one execution, and most documents come once or very often.
    const plan =
      prepared.runs > 1 ? planOf(schema, run, prepared, coerced.variables, compile) : null;
    run.context.told.characters = listed.characters;
    const text = plan?.(run.context, coerced.variables);
    if (text !== undefined) return { text };
    // A plan that gave up has counted as well.
    run.context.told.characters = listed.characters;
    return interpret(schema, run, coerced.variables);
  };
};

const isTooLong = (characters: number): boolean => characters > ceilings.answerCharacters;

const prepare = (schema: GraphQLSchema, { document, operation }: Run): Prepared => ({
  coerce: coercionOf(schema, operation),
  pages: askedPages(operation.selectionSet, fragmentsOf(document)),
  lists: askedLists(operation.selectionSet, fragmentsOf(document)),
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
  const key = switches.length === 0 ? "" : switches.map((name) => variables[name]).join();
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
  const { told } = context;
  const result = executeSync({
    schema,
    document,
    contextValue: context,
    variableValues,
    operationName: operation.name?.value,
  });
  return isTooLong(told.characters)
    ? { errors: [over("answerCharacters", told.characters)] }
    : result;
};
