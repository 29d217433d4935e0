import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

/** Complexity of an operation or a selection, with all fragments inlined. */
export interface Complexity {
  /** Length of the longest chain of nested fields. */
  readonly depth: number;
  /** Fields at the selection's own level; the next six members count those of one name among them. */
  readonly rootFields: number;
  readonly schemas: number;
  readonly types: number;
  /** Aliased `categories` fields. Those without an alias merge into one field of the response, across fragments. */
  readonly categories: number;
  readonly plainCategories: number;
  readonly policies: number;
  readonly plainPolicies: number;
  /** Lists of all categories and of all policies, each within a field at the selection's own level. */
  readonly categoryLists: number;
  readonly plainCategoryLists: number;
  readonly policyLists: number;
  readonly plainPolicyLists: number;
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
  return (operation) => measureOperation(operation, measurement);
};

const measureOperation = (
  operation: OperationDefinitionNode,
  measurement: Measurement,
): Complexity => {
  const size = combine([
    countDirectives(operation.directives),
    measureSet(operation.selectionSet, measurement),
  ]);
  const categoryLists = size.categoryLists + size.plainCategoryLists;
  return { ...size, categoryLists, policyLists: size.policyLists + size.plainPolicyLists };
};

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export const collectFragments = (document: DocumentNode): Fragments =>
  new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );

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

const measureSet = (set: SelectionSetNode, measurement: Measurement): Complexity =>
  combine(set.selections.map((selection) => measureSelection(selection, measurement)));

const measureSelection = (selection: SelectionNode, measurement: Measurement): Complexity => {
  const directives = countDirectives(selection.directives);
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    return combine([directives, measureSet(selection.selectionSet, measurement)]);
  }
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    return combine([directives, measureFragment(selection.name.value, measurement)]);
  }
  return combine([directives, measureField(selection, measurement)]);
};

const measureField = (
  { name: { value: name }, alias, selectionSet }: FieldNode,
  measurement: Measurement,
) => {
  const inner = selectionSet ? measureSet(selectionSet, measurement) : zero;
  const countNamed = (other: string): number => (name === other ? 1 : 0);
  const [aliased, plain] = alias ? [1, 0] : [0, 1];
  return {
    depth: 1 + (isIntrospection(name) ? 0 : inner.depth),
    rootFields: 1,
    schemas: countNamed("__schema"),
    types: countNamed("__type"),
    categories: aliased * countNamed("categories"),
    plainCategories: plain * countNamed("categories"),
    policies: aliased * countNamed("policies"),
    plainPolicies: plain * countNamed("policies"),
    categoryLists: countNamed("categories") * (inner.categories + aliased * inner.plainCategories),
    plainCategoryLists: countNamed("categories") * plain * inner.plainCategories,
    policyLists: countNamed("policies") * (inner.policies + aliased * inner.plainPolicies),
    plainPolicyLists: countNamed("policies") * plain * inner.plainPolicies,
    introspectionLists: (introspectionLists.has(name) ? 1 : 0) + inner.introspectionLists,
    fields: 1 + inner.fields,
    aliases: (alias ? 1 : 0) + inner.aliases,
    directives: inner.directives,
  };
};

const measureFragment = (name: string, measurement: Measurement): Complexity => {
  const measured = measurement.measured.get(name);
  if (measured === "open")
    throw new GraphQLError(`Cannot spread fragment "${name}" within itself.`);
  if (measured) return measured;
  const fragment = measurement.fragments.get(name);
  // Counts an unknown fragment, so that a document cannot repeat it for free. Validation reports it.
  if (!fragment) return { ...zero, fields: 1 };
  measurement.measured.set(name, "open");
  const size = combine([
    countDirectives(fragment.directives),
    measureSet(fragment.selectionSet, measurement),
  ]);
  measurement.measured.set(name, size);
  return size;
};

const zero: Complexity = {
  depth: 0,
  rootFields: 0,
  schemas: 0,
  types: 0,
  categories: 0,
  plainCategories: 0,
  policies: 0,
  plainPolicies: 0,
  categoryLists: 0,
  plainCategoryLists: 0,
  policyLists: 0,
  plainPolicyLists: 0,
  introspectionLists: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
};

const maxed = [
  "depth",
  "plainCategories",
  "plainPolicies",
  "plainCategoryLists",
  "plainPolicyLists",
] as const satisfies readonly (keyof Complexity)[];
const summed = (Object.keys(zero) as (keyof Complexity)[]).filter(
  (name) => !(maxed as readonly string[]).includes(name),
);

const countDirectives = (directives: readonly unknown[] | undefined): Complexity => ({
  ...zero,
  directives: directives?.length ?? 0,
});

const combine = (sizes: readonly Complexity[]): Complexity => {
  const total: { -readonly [Name in keyof Complexity]: number } = { ...zero };
  for (const size of sizes) {
    for (const name of summed) total[name] += size[name];
    for (const name of maxed) total[name] = Math.max(total[name], size[name]);
  }
  return total;
};
