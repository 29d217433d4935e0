import { type FieldNode, Kind, type ValueNode } from "graphql";
import type { Variables } from "../compiled/variables.ts";
import { graphqlLimits } from "./limits.ts";

export const getArgument = (field: FieldNode, name: string): ValueNode | undefined =>
  field.arguments?.find((arg) => arg.name.value === name)?.value;

/**
 * Reads a page size, capped at the maximum (Specification §8 rule 1).
 * @param omitted page size of an argument that is omitted or null
 */
export const getPageSize = (
  value: ValueNode | undefined,
  variables: Variables,
  omitted: number,
): number => Math.max(0, Math.min(readInt(value, variables) ?? omitted, graphqlLimits.pageSize));

const readInt = (value: ValueNode | undefined, variables: Variables): number | undefined => {
  if (value?.kind === Kind.INT) return Number(value.value);
  const variable = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof variable === "number" ? variable : undefined;
};
