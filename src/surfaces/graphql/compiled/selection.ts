import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  visit,
} from "graphql";
import { collectFragments, type Fragments, getResponseName } from "../limits/fields.ts";

/** One field of a response, merged from all selected fields with its response name. */
export interface SelectedField {
  readonly key: string;
  readonly name: string;
  /** First of the merged nodes. A valid document has the same arguments in all of them. */
  readonly node: FieldNode;
  readonly selection: Selection;
}

/** Fields of one object, in the order of the response. */
export type Selection = readonly SelectedField[];

/** Values of the variables in `@include` and `@skip`. */
type DirectiveValues = Readonly<Record<string, unknown>>;

/**
 * Collects the selected fields of an operation (GraphQL specification, CollectFields): inlines fragments, merges
 * fields of one name, and omits what `@skip` and `@include` exclude. Every type of the schema is an object, so a
 * valid fragment always applies.
 * @param directiveValues undefined to select also what the directives omit
 * @throws Error when a condition is not a boolean, which graphql-js reports
 */
export const collectFields = (
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
  directiveValues?: DirectiveValues,
): Selection => collect([selectionSet], { fragments: collectFragments(document), directiveValues });

/** Finds the names of the variables in directives, which decide what an operation selects. */
export const findDirectiveVariables = (document: DocumentNode): readonly string[] => {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: args }) => {
      for (const { value } of args ?? []) {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
    },
  });
  return [...names];
};

interface CollectContext {
  readonly fragments: Fragments;
  readonly directiveValues: DirectiveValues | undefined;
}

const collect = (sets: readonly SelectionSetNode[], context: CollectContext): Selection => {
  const byKey = new Map<string, FieldNode[]>();
  for (const set of sets) {
    for (const field of set.selections.flatMap((selection) => expandFields(selection, context))) {
      const key = getResponseName(field);
      byKey.set(key, [...(byKey.get(key) ?? []), field]);
    }
  }
  return [...byKey].map(([key, fields]) => {
    const node = fields[0] as FieldNode;
    const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    return { key, name: node.name.value, node, selection: collect(inner, context) };
  });
};

const expandFields = (selection: SelectionNode, context: CollectContext): readonly FieldNode[] => {
  const { directiveValues } = context;
  if (directiveValues && !isIncluded(selection, directiveValues)) return [];
  if (selection.kind === Kind.FIELD) return [selection];
  const inner =
    selection.kind === Kind.INLINE_FRAGMENT
      ? selection
      : context.fragments.get(selection.name.value);
  return inner?.selectionSet.selections.flatMap((child) => expandFields(child, context)) ?? [];
};

/** Evaluates every condition, also after one that excludes, because any condition that is not a boolean is an error. */
const isIncluded = (
  { directives = [] }: SelectionNode,
  directiveValues: DirectiveValues,
): boolean => {
  const results = directives.map(({ name, arguments: args }) => {
    const value = args?.[0]?.value;
    const condition =
      value?.kind === Kind.VARIABLE ? directiveValues[value.name.value] : readBoolean(value);
    if (typeof condition !== "boolean") throw new Error("a condition is not a boolean");
    return condition === (name.value === "include");
  });
  return !results.includes(false);
};

const readBoolean = (value: ValueNode | undefined): unknown =>
  value?.kind === Kind.BOOLEAN ? value.value : undefined;
