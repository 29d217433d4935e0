import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { type Fragments, fragmentsOf, measuring, type Size } from "./complexity.ts";
import { ceilings } from "./limits.ts";

/**
 * Why a document is over a ceiling; empty when it is under all of them. Runs before validation, whose
 * rules cost more: a fragment is measured once however often it is spread, so the time is that of
 * reading the document. A circle of fragments has no size and is refused here.
 */
export const overCeilings = (document: DocumentNode): readonly GraphQLError[] => {
  const fragments = fragmentsOf(document);
  if (fragments.size > ceilings.fragments) return [over("fragments", fragments.size)];
  const merging: Merging = { fragments, ids: new Map(), known: new Map() };
  const measure = measuring(fragments);
  try {
    return operationsOf(document).flatMap((operation) => {
      const errors = judge(measure(operation));
      return errors.length > 0 ? errors : tooOften([operation.selectionSet], merging);
    });
  } catch (thrown) {
    if (thrown instanceof GraphQLError) return [thrown];
    throw thrown;
  }
};

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
  categoryLists: "lists of all categories",
  policyLists: "lists of all policies",
  schemas: "`__schema` fields",
  types: "`__type` fields",
  introspectionLists: "lists of introspection",
  fields: "fields",
  aliases: "aliases",
  directives: "directives",
  fragments: "fragments",
  repeats: "times that one field of the answer is asked for",
  pageSizes: "sum of page sizes",
  searches: "searches",
  listedFields: "fields of listed categories and policies",
  answerCharacters: "characters of text in the answer",
} as const;

const judged = [
  "depth",
  "rootFields",
  "categoryLists",
  "policyLists",
  "schemas",
  "types",
  "introspectionLists",
  "fields",
  "aliases",
  "directives",
] as const;

const judge = (size: Size): readonly GraphQLError[] =>
  judged
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
