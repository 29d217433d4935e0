import {
  type FieldNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import type { Fragments } from "./fields.ts";

/** Complexity of an operation or a selection, with all fragments inlined. */
export interface Complexity {
  /** Length of the longest chain of nested fields. */
  readonly depth: number;
  /** Fields at the selection's own level; the next two members count those of one name among them. */
  readonly rootFields: number;
  readonly schemas: number;
  readonly types: number;
  readonly introspectionLists: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
}

/**
 * Creates a function that measures the operations of one document; each fragment is measured once. The function
 * throws a GraphQLError when fragments spread each other in a circle.
 */
export const createComplexityMeter = (
  fragments: Fragments,
): ((operation: OperationDefinitionNode) => Complexity) => {
  const measurement: Measurement = { fragments, measured: new Map() };
  return ({ directives, selectionSet }) =>
    withDirectives(directives, measureSet(selectionSet, measurement));
};

/** Checks for fields whose subtrees the depth excludes, because the standard introspection query is 15 deep. */
export const isIntrospection = (field: string): boolean =>
  field === "__schema" || field === "__type";

/** Fields of introspection types that return lists. No other type has fields of these names. */
const introspectionLists: ReadonlySet<string> = new Set([
  "types",
  "directives",
  "fields",
  "inputFields",
  "args",
  "enumValues",
  "interfaces",
  "possibleTypes",
]);

interface Measurement {
  readonly fragments: Fragments;
  /** Complexity of measured fragments; "open" while one is being measured. */
  readonly measured: Map<string, Complexity | "open">;
}

const measureSet = ({ selections }: SelectionSetNode, measurement: Measurement): Complexity => {
  const total: { -readonly [Name in keyof Complexity]: number } = { ...zero };
  for (const selection of selections) {
    const size = withDirectives(selection.directives, measureSelection(selection, measurement));
    for (const name of summed) total[name] += size[name];
    total.depth = Math.max(total.depth, size.depth);
  }
  return total;
};

const measureSelection = (selection: SelectionNode, measurement: Measurement): Complexity => {
  switch (selection.kind) {
    case Kind.FIELD:
      return measureField(selection, measurement);
    case Kind.INLINE_FRAGMENT:
      return measureSet(selection.selectionSet, measurement);
    case Kind.FRAGMENT_SPREAD:
      return measureFragment(selection.name.value, measurement);
  }
};

const measureField = (
  { name: { value: name }, alias, selectionSet }: FieldNode,
  measurement: Measurement,
): Complexity => {
  const inner = selectionSet ? measureSet(selectionSet, measurement) : zero;
  return {
    depth: 1 + (isIntrospection(name) ? 0 : inner.depth),
    rootFields: 1,
    schemas: name === "__schema" ? 1 : 0,
    types: name === "__type" ? 1 : 0,
    introspectionLists: (introspectionLists.has(name) ? 1 : 0) + inner.introspectionLists,
    fields: 1 + inner.fields,
    aliases: (alias ? 1 : 0) + inner.aliases,
    directives: inner.directives,
  };
};

const measureFragment = (name: string, { fragments, measured }: Measurement): Complexity => {
  const earlier = measured.get(name);
  if (earlier === "open") throw new GraphQLError(`Cannot spread fragment "${name}" within itself.`);
  if (earlier) return earlier;
  const fragment = fragments.get(name);
  // Counts an unknown fragment, so that a document cannot repeat it for free. Validation reports it.
  if (!fragment) return { ...zero, fields: 1 };
  measured.set(name, "open");
  const size = withDirectives(
    fragment.directives,
    measureSet(fragment.selectionSet, { fragments, measured }),
  );
  measured.set(name, size);
  return size;
};

const withDirectives = (
  directives: readonly unknown[] | undefined,
  size: Complexity,
): Complexity =>
  directives?.length ? { ...size, directives: size.directives + directives.length } : size;

const zero: Complexity = {
  depth: 0,
  rootFields: 0,
  schemas: 0,
  types: 0,
  introspectionLists: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
};

const summed = (Object.keys(zero) as (keyof Complexity)[]).filter((name) => name !== "depth");
