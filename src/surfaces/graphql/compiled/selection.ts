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
import { type Fragments, fragmentsOf } from "../limits/complexity.ts";
import { uncovered } from "./scalars.ts";

/** One field of an answer: everything that was asked for under its response name. */
export interface Selected {
  readonly key: string;
  readonly name: string;
  /** The first of those nodes; all have the same arguments, or the document is invalid. */
  readonly node: FieldNode;
  readonly selection: Selection;
}

/** The fields of one object, in the order of the answer. */
export type Selection = readonly Selected[];

/** Values of the variables that decide `@include` and `@skip`. */
export type Switches = Readonly<Record<string, unknown>>;

/**
 * What an operation selects: fragments inlined, fields of one name merged, what is left out left out (GraphQL
 * specification, CollectFields). Every type of the schema is an object, so a fragment that is valid always applies.
 * Throws `uncovered` at a condition that is neither true nor false.
 */
export const selectionOf = (
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
  switches: Switches,
): Selection => collect([selectionSet], { fragments: fragmentsOf(document), switches });

/** Names of the variables that decide what an operation selects. */
export const switchesOf = (document: DocumentNode): readonly string[] => {
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

interface World {
  readonly fragments: Fragments;
  readonly switches: Switches;
}

const collect = (sets: readonly SelectionSetNode[], world: World): Selection => {
  const byKey = new Map<string, FieldNode[]>();
  for (const set of sets) {
    for (const field of set.selections.flatMap((selection) => fieldsOf(selection, world))) {
      const key = (field.alias ?? field.name).value;
      byKey.set(key, [...(byKey.get(key) ?? []), field]);
    }
  }
  return [...byKey].map(([key, fields]) => {
    const node = fields[0] as FieldNode;
    const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    return { key, name: node.name.value, node, selection: collect(inner, world) };
  });
};

const fieldsOf = (selection: SelectionNode, world: World): readonly FieldNode[] => {
  if (!isIncluded(selection, world.switches)) return [];
  if (selection.kind === Kind.FIELD) return [selection];
  const inner =
    selection.kind === Kind.INLINE_FRAGMENT ? selection : world.fragments.get(selection.name.value);
  return inner?.selectionSet.selections.flatMap((one) => fieldsOf(one, world)) ?? [];
};

/** Each condition is looked at, also behind one that decides: one that is no boolean is an error wherever it stands. */
const isIncluded = ({ directives = [] }: SelectionNode, switches: Switches): boolean => {
  const admits = directives.map(({ name, arguments: args }) => {
    const value = args?.[0]?.value;
    const given = value?.kind === Kind.VARIABLE ? switches[value.name.value] : valueOf(value);
    if (typeof given !== "boolean") throw uncovered;
    return given === (name.value === "include");
  });
  return !admits.includes(false);
};

const valueOf = (value: ValueNode | undefined): unknown =>
  value?.kind === Kind.BOOLEAN ? value.value : undefined;
