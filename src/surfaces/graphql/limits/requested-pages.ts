import { type FieldNode, Kind, type SelectionSetNode, type ValueNode } from "graphql";
import type { Fragments } from "./complexity.ts";
import { ceilings } from "./limits.ts";

/** What one `products` field gives for its arguments: values of the document, or nothing. */
export interface AskedPage {
  readonly first: ValueNode | undefined;
  /** Arguments that narrow or sort the catalogue. */
  readonly narrowing: readonly ValueNode[];
  /** It counts how what matches spreads, be that the whole catalogue. */
  readonly isCounted: boolean;
}

/** The arguments of `products` that only say which stretch of the catalogue is shown, or cost nothing. */
const plain = ["first", "after", "inStockOnly", "relax"];

/** Every `products` field of a selection set, fragments inlined. Only after the ceilings were kept. */
export const askedPages = (set: SelectionSetNode, fragments: Fragments): readonly AskedPage[] =>
  set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) {
      return selection.name.value === "products"
        ? [
            {
              first: argument(selection, "first"),
              narrowing: narrowing(selection),
              isCounted: selects("facets", selection.selectionSet, fragments),
            },
          ]
        : [];
    }
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    return inner ? askedPages(inner.selectionSet, fragments) : [];
  });

const selects = (name: string, set: SelectionSetNode | undefined, fragments: Fragments): boolean =>
  set?.selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value === name;
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    return selects(name, inner?.selectionSet, fragments);
  }) === true;

/** How many of the pages are searched for or counted; one whose arguments are null is not. */
export const countSearches = (
  asked: readonly AskedPage[],
  variables: Readonly<Record<string, unknown>>,
): number =>
  asked.filter(
    ({ narrowing, isCounted }) =>
      isCounted ||
      narrowing.some((value) =>
        value.kind === Kind.VARIABLE
          ? variables[value.name.value] != null
          : value.kind !== Kind.NULL,
      ),
  ).length;

/**
 * Products that could be served at most, each page as it would be served (§8 rule 1).
 * @param variables already coerced, defaults filled in
 */
export const sumOfPageSizes = (
  asked: readonly AskedPage[],
  variables: Readonly<Record<string, unknown>>,
): number => asked.reduce((total, { first }) => total + pageSize(first, variables), 0);

const argument = (field: FieldNode, name: string): ValueNode | undefined =>
  field.arguments?.find((given) => given.name.value === name)?.value;

const narrowing = (field: FieldNode): readonly ValueNode[] =>
  (field.arguments ?? [])
    .filter(({ name }) => !plain.includes(name.value))
    .map(({ value }) => value);

const pageSize = (
  value: ValueNode | undefined,
  variables: Readonly<Record<string, unknown>>,
): number => {
  const first = given(value, variables) ?? ceilings.defaultPageSize;
  return Math.max(0, Math.min(first, ceilings.pageSize));
};

const given = (
  value: ValueNode | undefined,
  variables: Readonly<Record<string, unknown>>,
): number | undefined => {
  if (value?.kind === Kind.INT) return Number(value.value);
  const variable = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof variable === "number" ? variable : undefined;
};
