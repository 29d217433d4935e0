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

/** How large something is with every fragment inlined. */
export interface Size {
  /** Longest chain of nested fields. */
  readonly depth: number;
  /** Fields at its own level; of them the next six are those of a name. */
  readonly rootFields: number;
  readonly schemas: number;
  readonly types: number;
  /** With an alias; without one all are told as one, in whichever fragments they are. */
  readonly categories: number;
  readonly plainCategories: number;
  readonly policies: number;
  readonly plainPolicies: number;
  /** Lists of all categories and of all policies, each within a field at its own level. */
  readonly categoryLists: number;
  readonly plainCategoryLists: number;
  readonly policyLists: number;
  readonly plainPolicyLists: number;
  readonly introspectionLists: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
}

/** The size of an operation of one document, whose operations may share fragments. Throws a GraphQLError at a circle of them. */
export const measuring = (fragments: Fragments): ((operation: OperationDefinitionNode) => Size) => {
  const walk: Walk = { fragments, known: new Map() };
  return (operation) => measure(operation, walk);
};

const measure = (operation: OperationDefinitionNode, walk: Walk): Size => {
  const size = sum([own(operation.directives), sizeOfSet(operation.selectionSet, walk)]);
  const categoryLists = size.categoryLists + size.plainCategoryLists;
  return { ...size, categoryLists, policyLists: size.policyLists + size.plainPolicyLists };
};

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export const fragmentsOf = (document: DocumentNode): Fragments =>
  new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );

/** The standard introspection query is 15 deep: `__schema` and `__type` end the count. */
export const isIntrospection = (field: string): boolean =>
  field === "__schema" || field === "__type";

/** No other type than those of introspection has such fields. */
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

interface Walk {
  readonly fragments: Fragments;
  /** Fragments measured so far; "open" while one is being measured. */
  readonly known: Map<string, Size | "open">;
}

const sizeOfSet = (set: SelectionSetNode, walk: Walk): Size =>
  sum(set.selections.map((selection) => sizeOf(selection, walk)));

const sizeOf = (selection: SelectionNode, walk: Walk): Size => {
  const directives = own(selection.directives);
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    return sum([directives, sizeOfSet(selection.selectionSet, walk)]);
  }
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    return sum([directives, sizeOfFragment(selection.name.value, walk)]);
  }
  return sum([directives, sizeOfField(selection, walk)]);
};

const sizeOfField = ({ name: { value: name }, alias, selectionSet }: FieldNode, walk: Walk) => {
  const inner = selectionSet ? sizeOfSet(selectionSet, walk) : nothing;
  const isNamed = (other: string): number => (name === other ? 1 : 0);
  const [aliased, plain] = alias ? [1, 0] : [0, 1];
  return {
    depth: 1 + (isIntrospection(name) ? 0 : inner.depth),
    rootFields: 1,
    schemas: isNamed("__schema"),
    types: isNamed("__type"),
    categories: aliased * isNamed("categories"),
    plainCategories: plain * isNamed("categories"),
    policies: aliased * isNamed("policies"),
    plainPolicies: plain * isNamed("policies"),
    categoryLists: isNamed("categories") * (inner.categories + aliased * inner.plainCategories),
    plainCategoryLists: isNamed("categories") * plain * inner.plainCategories,
    policyLists: isNamed("policies") * (inner.policies + aliased * inner.plainPolicies),
    plainPolicyLists: isNamed("policies") * plain * inner.plainPolicies,
    introspectionLists: (introspectionLists.has(name) ? 1 : 0) + inner.introspectionLists,
    fields: 1 + inner.fields,
    aliases: (alias ? 1 : 0) + inner.aliases,
    directives: inner.directives,
  };
};

const sizeOfFragment = (name: string, walk: Walk): Size => {
  const known = walk.known.get(name);
  if (known === "open") throw new GraphQLError(`Cannot spread fragment "${name}" within itself.`);
  if (known) return known;
  const fragment = walk.fragments.get(name);
  // Validation says that it is unknown. It counts, so that it cannot be multiplied for nothing.
  if (!fragment) return { ...nothing, fields: 1 };
  walk.known.set(name, "open");
  const size = sum([own(fragment.directives), sizeOfSet(fragment.selectionSet, walk)]);
  walk.known.set(name, size);
  return size;
};

const nothing: Size = {
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

const highest = [
  "depth",
  "plainCategories",
  "plainPolicies",
  "plainCategoryLists",
  "plainPolicyLists",
] as const satisfies readonly (keyof Size)[];
const summed = (Object.keys(nothing) as (keyof Size)[]).filter(
  (name) => !(highest as readonly string[]).includes(name),
);

const own = (directives: readonly unknown[] | undefined): Size => ({
  ...nothing,
  directives: directives?.length ?? 0,
});

const sum = (sizes: readonly Size[]): Size => {
  const total: { -readonly [Name in keyof Size]: number } = { ...nothing };
  for (const size of sizes) {
    for (const name of summed) total[name] += size[name];
    for (const name of highest) total[name] = Math.max(total[name], size[name]);
  }
  return total;
};
