import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import type { compilePlan, Plan } from "./compiled/compile.ts";
import { collectFields, findDirectiveVariables } from "./compiled/selection.ts";
import { type CoerceVariables, createCoercion, type Variables } from "./compiled/variables.ts";
import { checkWritten } from "./limits/limits.ts";
import { findRequested, type Requested } from "./limits/requested-fields.ts";
import { checkLists, checkPages, measureLists } from "./limits/requested-lists.ts";
import type { ResolverContext } from "./resolver-context.ts";

/** One operation to execute, of a valid document. */
export interface Execution {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Values from the client, before coercion. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: ResolverContext;
}

/** Output of an execution: JSON written by a plan, one character per byte, or the result of graphql-js. */
export type ExecutionOutput =
  | { readonly text: string }
  | ({ readonly text?: never } & ExecutionResult);

/** Executes one operation synchronously. `data` is absent when the request was rejected before execution. */
export type Execute = (execution: Execution) => ExecutionOutput;

/** Data computed once per operation. */
interface PreparedOperation {
  readonly coerce: CoerceVariables;
  readonly requested: Requested;
  /** Variables of `@include` and `@skip`. Each combination of their values has its own plan. */
  readonly directiveVariables: readonly string[];
  /** Plans by the values of the directive variables. */
  readonly plans: Map<string, Plan>;
}

/** Maximum plans of one operation that are kept. */
const maxPlans = 16;

/**
 * Creates the executor of a schema.
 * @param compile compiles a plan; graphql-js executes when it returns undefined
 * @param onFallback is called when a plan bails out below the limits on fields and variants, so that graphql-js executes the operation again
 */
export const createExecute = (
  schema: GraphQLSchema,
  compile: typeof compilePlan,
  onFallback: () => void,
): Execute => {
  const byOperation = new WeakMap<OperationDefinitionNode, PreparedOperation>();

  return (execution) => {
    const prepared = byOperation.get(execution.operation) ?? prepareOperation(schema, execution);
    byOperation.set(execution.operation, prepared);
    const coerced = prepared.coerce(execution.variables);
    if (coerced.errors) return { errors: coerced.errors };
    const { variables } = coerced;
    const { budget, snapshot } = execution.context;
    const listCost = measureLists(prepared.requested.listed, snapshot);
    const error = checkPages(prepared.requested, variables) ?? checkLists(listCost);
    if (error) return { errors: [error] };
    budget.characters = listCost.characters;
    // Measured: 20 products in a sale with 10 variants each take 2.1 ms by a plan and 4.7 ms by graphql-js. A plan is compiled in
    // 0.01 to 0.1 ms, so a document that runs once is executed faster, too: such a list in half of the time.
    try {
      const plan = getPlan(schema, execution, prepared, variables, compile);
      if (plan) return { text: plan(execution.context, variables) };
    } catch {
      // graphql-js counts fields and variants as a plan does, and would take as long again to refuse them. Of texts that a plan
      // copies, it counts bytes and names, so graphql-js decides on characters.
      const over = checkWritten({ ...budget, characters: 0 });
      if (over) return { errors: [over] };
      onFallback();
    }
    // Resets the counts, because a plan that bailed out has already added to them.
    Object.assign(budget, { fields: 0, characters: listCost.characters, variants: 0 });
    return interpret(schema, execution, variables);
  };
};

const prepareOperation = (
  schema: GraphQLSchema,
  { document, operation }: Execution,
): PreparedOperation => ({
  coerce: createCoercion(schema, operation),
  requested: findRequested(collectFields(document, operation)),
  directiveVariables: findDirectiveVariables(document),
  plans: new Map(),
});

const getPlan = (
  schema: GraphQLSchema,
  { document, operation }: Execution,
  { directiveVariables, plans }: PreparedOperation,
  variables: Variables,
  compile: typeof compilePlan,
): Plan | undefined => {
  const key = directiveVariables.map((name) => variables[name]).join();
  const plan = plans.get(key) ?? compile(schema, collectFields(document, operation, variables));
  if (plan && plans.size < maxPlans) plans.set(key, plan);
  return plan;
};

const interpret = (
  schema: GraphQLSchema,
  { document, operation, context }: Execution,
  variableValues: Variables,
): ExecutionResult => {
  const result = executeSync({
    schema,
    document,
    contextValue: context,
    variableValues,
    operationName: operation.name?.value,
  });
  const error = checkWritten(context.budget);
  return error ? { errors: [error] } : result;
};
