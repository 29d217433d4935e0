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

/** One operation to execute, of a valid document. */
export interface Run {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Values from the client, before coercion. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: Context;
}

/** Output of an execution: JSON written by a plan, one character per byte, or the result of graphql-js. */
export type Executed = { readonly text: string } | ({ readonly text?: never } & ExecutionResult);

/** Executes one operation synchronously. `data` is absent when the request was rejected before execution. */
export type Execute = (execution: Run) => Executed;

/** Data computed once per operation. */
interface PreparedOperation {
  readonly coerce: Coerce;
  readonly pages: readonly AskedPage[];
  readonly lists: AskedLists;
  /** Variables of `@include` and `@skip`. Each combination of their values has its own plan. */
  readonly directiveVariables: readonly string[];
  /** Plans by the values of the directive variables; null when graphql-js has to execute. */
  readonly plans: Map<string, Plan | null>;
  runs: number;
}

/** Maximum plans of one operation. */
const maxPlans = 16;

/**
 * Creates the executor of a schema.
 * @param compile compiles a plan; graphql-js executes when it returns undefined
 */
export const createExecute = (schema: GraphQLSchema, compile = compilePlan): Execute => {
  const byOperation = new WeakMap<OperationDefinitionNode, PreparedOperation>();

  return (execution) => {
    const prepared = byOperation.get(execution.operation) ?? prepareOperation(schema, execution);
    if (prepared.runs === 0) byOperation.set(execution.operation, prepared);
    const coerced = prepared.coerce(execution.variables);
    if (coerced.errors) return { errors: coerced.errors };
    const pageSizes = sumOfPageSizes(prepared.pages, coerced.variables);
    if (pageSizes > ceilings.pageSizes) return { errors: [over("pageSizes", pageSizes)] };
    const searches = countSearches(prepared.pages, coerced.variables);
    if (searches > ceilings.searches) return { errors: [over("searches", searches)] };
    const listCost = listedOf(prepared.lists, execution.context.moment);
    if (listCost.fields > ceilings.listedFields) {
      return { errors: [over("listedFields", listCost.fields)] };
    }
    if (isTooLong(listCost.characters)) {
      return { errors: [over("answerCharacters", listCost.characters)] };
    }
    prepared.runs += 1;
    // Compiles at the second run, because most documents run once or very often and a plan costs more than one
    // execution.
    const plan =
      prepared.runs > 1 ? getPlan(schema, execution, prepared, coerced.variables, compile) : null;
    execution.context.told.characters = listCost.characters;
    const text = plan?.(execution.context, coerced.variables);
    if (text !== undefined) return { text };
    // Resets the count, because a plan that bailed out has already added to it.
    execution.context.told.characters = listCost.characters;
    return interpret(schema, execution, coerced.variables);
  };
};

const isTooLong = (characters: number): boolean => characters > ceilings.answerCharacters;

const prepareOperation = (
  schema: GraphQLSchema,
  { document, operation }: Run,
): PreparedOperation => ({
  coerce: coercionOf(schema, operation),
  pages: askedPages(operation.selectionSet, fragmentsOf(document)),
  lists: askedLists(operation.selectionSet, fragmentsOf(document)),
  directiveVariables: switchesOf(document),
  plans: new Map(),
  runs: 0,
});

const getPlan = (
  schema: GraphQLSchema,
  { document, operation }: Run,
  { directiveVariables, plans }: PreparedOperation,
  variables: Variables,
  compile: typeof compilePlan,
): Plan | null => {
  const key =
    directiveVariables.length === 0 ? "" : directiveVariables.map((name) => variables[name]).join();
  const cached = plans.get(key);
  if (cached !== undefined || plans.size >= maxPlans) return cached ?? null;
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
