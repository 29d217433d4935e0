import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from "graphql";

export type Variables = Readonly<Record<string, unknown>>;

type CoercionResult =
  | { readonly errors: readonly GraphQLError[] }
  | { readonly errors?: undefined; readonly variables: Variables };

/** Coerces the client's variables to the types that the operation declares. */
export type CoerceVariables = (values: Variables) => CoercionResult;

/** Maximum errors about variables in a response. */
const maxErrors = 10;

/**
 * Creates the coercion of an operation's variables, for plans and for graphql-js. graphql-js coerces, so that both
 * report the same errors. Values of plain scalars that already have their declared type bypass it, because graphql-js
 * reads types and defaults at every call.
 */
export const createCoercion = (
  schema: GraphQLSchema,
  { variableDefinitions: definitions = [] }: OperationDefinitionNode,
): CoerceVariables => {
  const plainVariables = definitions.map(readPlainVariable);
  const coerceByGraphql: CoerceVariables = (values) => {
    const { coerced, errors } = getVariableValues(schema, definitions, values, { maxErrors });
    return errors ? { errors } : { variables: coerced };
  };
  return (values) => {
    const variables: Record<string, unknown> = Object.create(null);
    for (const variable of plainVariables) {
      const value =
        variable && Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
      if (!variable?.isAsDeclared(value)) return coerceByGraphql(values);
      variables[variable.name] = value;
    }
    return { variables };
  };
};

type Definition = NonNullable<OperationDefinitionNode["variableDefinitions"]>[number];

/** @returns undefined when the variable's type is not one of `scalars` */
const readPlainVariable = ({ variable, type }: Definition) => {
  const isNullable = type.kind !== Kind.NON_NULL_TYPE;
  const named = isNullable ? type : type.type;
  const isScalar = named.kind === Kind.NAMED_TYPE ? scalars[named.name.value] : undefined;
  if (!isScalar) return undefined;
  return {
    name: variable.name.value,
    isAsDeclared: (value: unknown): boolean => (value === null ? isNullable : isScalar(value)),
  };
};

const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  ID: (value) => typeof value === "string",
  String: (value) => typeof value === "string",
  Boolean: (value) => typeof value === "boolean",
  Int: (value) => typeof value === "number" && (value | 0) === value,
};
