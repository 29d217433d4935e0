import { type FieldNode, Kind, type SelectionSetNode, type ValueNode } from "graphql";
import { ceilings } from "./ceilings.ts";
import type { Fragments } from "./limits.ts";

/** What one `products` field gives for `first`: a value of the document, or nothing. */
export type AskedFirst = ValueNode | undefined;

/** `first` of every `products` field of a selection set, fragments inlined. Only after the ceilings were kept. */
export const askedFirsts = (set: SelectionSetNode, fragments: Fragments): readonly AskedFirst[] =>
  set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) {
      return selection.name.value === "products" ? [firstOf(selection)] : [];
    }
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    return inner ? askedFirsts(inner.selectionSet, fragments) : [];
  });

/**
 * Products that could be served at most, each page as it would be served (§8 rule 1).
 * @param variables already coerced, defaults filled in
 */
export const sumOfPageSizes = (
  asked: readonly AskedFirst[],
  variables: Readonly<Record<string, unknown>>,
): number => asked.reduce((total, value) => total + pageSize(value, variables), 0);

const firstOf = (field: FieldNode): AskedFirst =>
  field.arguments?.find((argument) => argument.name.value === "first")?.value;

const pageSize = (value: AskedFirst, variables: Readonly<Record<string, unknown>>): number => {
  const first = given(value, variables) ?? ceilings.defaultPageSize;
  return Math.max(0, Math.min(first, ceilings.pageSize));
};

const given = (
  value: AskedFirst,
  variables: Readonly<Record<string, unknown>>,
): number | undefined => {
  if (value?.kind === Kind.INT) return Number(value.value);
  const variable = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof variable === "number" ? variable : undefined;
};
