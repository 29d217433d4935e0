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
import { ceilings } from "./ceilings.ts";

/** How large something is with every fragment inlined. */
export interface Size {
  /** Longest chain of nested fields. */
  readonly depth: number;
  /** Fields at its own level. */
  readonly rootFields: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
}

/**
 * Why a document is over a ceiling; empty when it is under all of them. Runs before validation, whose
 * rules cost more: a fragment is measured once however often it is spread, so the time is that of
 * reading the document. A circle of fragments has no size and is refused here.
 */
export const overCeilings = (document: DocumentNode): readonly GraphQLError[] => {
  const fragments = fragmentsOf(document);
  if (fragments.size > ceilings.fragments) return [over("fragments", fragments.size)];
  const merging: Merging = { fragments, ids: new Map(), known: new Map() };
  try {
    return operationsOf(document).flatMap((operation) => {
      const errors = judge(measure(operation, fragments));
      return errors.length > 0 ? errors : tooOften([operation.selectionSet], merging);
    });
  } catch (thrown) {
    if (thrown instanceof GraphQLError) return [thrown];
    throw thrown;
  }
};

/** The size of one operation. Throws a GraphQLError at a circle of fragments. */
export const measure = (operation: OperationDefinitionNode, fragments: Fragments): Size =>
  sum([
    own(operation.directives),
    sizeOfSet(operation.selectionSet, { fragments, known: new Map() }),
  ]);

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export const fragmentsOf = (document: DocumentNode): Fragments =>
  new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );

export const operationsOf = (document: DocumentNode): readonly OperationDefinitionNode[] =>
  document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

/** What tells a reader which ceiling a document hit, and where that ceiling lies. */
export const over = (ceiling: keyof typeof noun, found: number): GraphQLError =>
  new GraphQLError(
    `The document is too large: ${noun[ceiling]} ${found} of at most ${ceilings[ceiling]}.`,
  );

const noun = {
  depth: "selection depth",
  rootFields: "root fields",
  fields: "fields",
  aliases: "aliases",
  directives: "directives",
  fragments: "fragments",
  repeats: "times that one field of the answer is asked for",
  pageSizes: "sum of page sizes",
  searches: "searches",
  answerCharacters: "characters of product text in the answer",
} as const;

const judge = (size: Size): readonly GraphQLError[] =>
  (["depth", "rootFields", "fields", "aliases", "directives"] as const)
    .filter((ceiling) => size[ceiling] > ceilings[ceiling])
    .map((ceiling) => over(ceiling, size[ceiling]));

interface Merging {
  readonly fragments: Fragments;
  readonly ids: Map<SelectionSetNode, number>;
  /** Sets that were merged before, by their ids: operations may share them. */
  readonly known: Map<string, readonly GraphQLError[]>;
}

/** Of a document under the ceilings: it is walked with its fragments inlined. */
const tooOften = (sets: readonly SelectionSetNode[], merging: Merging): readonly GraphQLError[] => {
  const { ids, known } = merging;
  for (const set of sets) if (!ids.has(set)) ids.set(set, ids.size);
  const key = sets.map((set) => ids.get(set)).join();
  const errors = known.get(key) ?? repeatsIn(sets, merging);
  known.set(key, errors);
  return errors;
};

const repeatsIn = (
  sets: readonly SelectionSetNode[],
  merging: Merging,
): readonly GraphQLError[] => {
  const { fragments } = merging;
  const fields = new Map<string, FieldNode[]>();
  for (const field of sets.flatMap((set) => fieldsOf(set, fragments))) {
    const name = (field.alias ?? field.name).value;
    const same = fields.get(name) ?? [];
    same.push(field);
    fields.set(name, same);
  }
  for (const same of fields.values()) {
    if (same.length > ceilings.repeats) return [over("repeats", same.length)];
    const inner = tooOften(
      same.flatMap(({ selectionSet }) => selectionSet ?? []),
      merging,
    );
    if (inner.length > 0) return inner;
  }
  return [];
};

const fieldsOf = ({ selections }: SelectionSetNode, fragments: Fragments): readonly FieldNode[] =>
  selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return selection;
    const set =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : fragments.get(selection.name.value)?.selectionSet;
    return set ? fieldsOf(set, fragments) : [];
  });

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
  const inner = selection.selectionSet ? sizeOfSet(selection.selectionSet, walk) : nothing;
  return {
    depth: 1 + (isIntrospection(selection.name.value) ? 0 : inner.depth),
    rootFields: 1,
    fields: 1 + inner.fields,
    aliases: (selection.alias ? 1 : 0) + inner.aliases,
    directives: directives.directives + inner.directives,
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

/** The standard introspection query is 15 deep: `__schema` and `__type` end the count. */
export const isIntrospection = (field: string): boolean =>
  field === "__schema" || field === "__type";

const nothing: Size = { depth: 0, rootFields: 0, fields: 0, aliases: 0, directives: 0 };

const own = (directives: readonly unknown[] | undefined): Size => ({
  ...nothing,
  directives: directives?.length ?? 0,
});

const sum = (sizes: readonly Size[]): Size =>
  sizes.reduce(
    (total, size) => ({
      depth: Math.max(total.depth, size.depth),
      rootFields: total.rootFields + size.rootFields,
      fields: total.fields + size.fields,
      aliases: total.aliases + size.aliases,
      directives: total.directives + size.directives,
    }),
    nothing,
  );
