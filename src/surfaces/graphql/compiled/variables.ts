import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from "graphql";

export type Variables = Readonly<Record<string, unknown>>;

export type Coerced =
  | { readonly errors: readonly GraphQLError[] }
  | { readonly errors?: undefined; readonly variables: Variables };

/** The variables of one operation, as a client gave them, in the types it declared. */
export type Coerce = (given: Variables) => Coerced;

/** Variables told wrong at once. */
const maxErrors = 10;

/**
 * By graphql-js for both executors, so that a wrong variable reads the same whichever runs. It looks at types and
 * defaults each time; values of plain scalars that are already what they are to become pass without it.
 */
export const coercionOf = (
  schema: GraphQLSchema,
  { variableDefinitions: definitions = [] }: OperationDefinitionNode,
): Coerce => {
  const plain = definitions.map(plainVariable);
  const byGraphql: Coerce = (given) => {
    const { coerced, errors } = getVariableValues(schema, definitions, given, { maxErrors });
    return errors ? { errors } : { variables: coerced };
  };
  return (given) => {
    const variables: Record<string, unknown> = Object.create(null);
    for (const variable of plain) {
      const value =
        variable && Object.hasOwn(given, variable.name) ? given[variable.name] : undefined;
      if (!variable?.isAsDeclared(value)) return byGraphql(given);
      variables[variable.name] = value;
    }
    return { variables };
  };
};

type Definition = NonNullable<OperationDefinitionNode["variableDefinitions"]>[number];

/** Undefined for a variable of another type than those below. */
const plainVariable = ({ variable, type }: Definition) => {
  const isNullable = type.kind !== Kind.NON_NULL_TYPE;
  const named = isNullable ? type : type.type;
  const isOne = named.kind === Kind.NAMED_TYPE ? scalars[named.name.value] : undefined;
  if (!isOne) return undefined;
  return {
    name: variable.name.value,
    isAsDeclared: (value: unknown): boolean => (value === null ? isNullable : isOne(value)),
  };
};

const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  ID: (value) => typeof value === "string",
  String: (value) => typeof value === "string",
  Boolean: (value) => typeof value === "boolean",
  Int: (value) => typeof value === "number" && (value | 0) === value,
};
