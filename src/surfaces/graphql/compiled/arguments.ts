import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLNonNull,
  getArgumentValues,
  Kind,
  type ValueNode,
} from "graphql";
import { notCompilable } from "./scalars.ts";
import type { Variables } from "./variables.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * Compiles the arguments of a field: reads constants once, and inserts coerced variables at each execution. An absent
 * variable omits its argument. Null in a non-null argument bails out.
 */
export const planArguments = (
  field: Field,
  node: FieldNode,
): ((variables: Variables) => object) => {
  const given = node.arguments ?? [];
  const constant = given.filter(({ value }) => value.kind !== Kind.VARIABLE);
  if (constant.some(({ value }) => containsVariable(value))) throw notCompilable;
  const variable = given.flatMap(({ name, value }) =>
    value.kind === Kind.VARIABLE ? [{ name: name.value, variable: value.name.value }] : [],
  );
  const bindings = variable.map((binding) => ({
    ...binding,
    type: getArgumentType(field, binding.name),
  }));
  const others = field.args.filter(
    ({ name }) => !bindings.some((binding) => binding.name === name),
  );
  const constants = getArgumentValues({ ...field, args: others }, { ...node, arguments: constant });
  if (bindings.length === 0) return () => constants;
  return (variables) => {
    const args: Record<string, unknown> = { ...constants };
    for (const { name, variable, type } of bindings) {
      const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
      if (value == null && type instanceof GraphQLNonNull) throw notCompilable;
      if (value !== undefined) args[name] = value;
    }
    return args;
  };
};

/** Finds variables within lists, which only graphql-js inserts. */
const containsVariable = (value: ValueNode): boolean =>
  value.kind === Kind.VARIABLE || (value.kind === Kind.LIST && value.values.some(containsVariable));

/** Bails out on an argument with a default, which an absent variable would need. The schema has none. */
const getArgumentType = (field: Field, name: string): GraphQLInputType => {
  const argument = field.args.find((arg) => arg.name === name);
  if (!argument || argument.defaultValue !== undefined) throw notCompilable;
  return argument.type;
};
