import { type DocumentNode, type FieldNode, GraphQLError, type SelectionSetNode } from "graphql";
import { createComplexityMeter } from "./complexity.ts";
import {
  collectFragments,
  type Fragments,
  getOperations,
  getResponseName,
  inlineFields,
} from "./fields.ts";
import { findExceeded, graphqlLimits, limitError } from "./limits.ts";
import { countLists } from "./requested-lists.ts";

/**
 * Checks a document against the limits. It runs before GraphQL's validation, whose rules cost more: each fragment is
 * measured once, so the time grows linearly with the document. It also rejects circles of fragments, which have no
 * size.
 * @returns an error for each exceeded limit
 */
export const checkLimits = (document: DocumentNode): readonly GraphQLError[] => {
  const fragments = collectFragments(document);
  if (fragments.size > graphqlLimits.fragments) return [limitError("fragments", fragments.size)];
  const state: MergeState = { fragments, ids: new Map(), errorsByKey: new Map() };
  const measure = createComplexityMeter(fragments);
  try {
    return getOperations(document).flatMap((operation) => {
      const { selectionSet } = operation;
      const errors = findExceeded(measure(operation));
      if (errors.length > 0) return errors;
      const lists = findExceeded({
        categoryLists: countLists("categories", selectionSet, fragments),
        policyLists: countLists("policies", selectionSet, fragments),
      });
      return lists.length > 0 ? lists : checkFieldRepetition([selectionSet], state);
    });
  } catch (thrown) {
    if (thrown instanceof GraphQLError) return [thrown];
    throw thrown;
  }
};

interface MergeState {
  readonly fragments: Fragments;
  readonly ids: Map<SelectionSetNode, number>;
  /** Errors of merged sets, by the ids of the sets, because operations may share them. */
  readonly errorsByKey: Map<string, readonly GraphQLError[]>;
}

/**
 * Checks how often each field of the response is selected. It inlines fragments, so the other limits must have
 * passed.
 */
const checkFieldRepetition = (
  sets: readonly SelectionSetNode[],
  state: MergeState,
): readonly GraphQLError[] => {
  const { ids, errorsByKey } = state;
  for (const set of sets) if (!ids.has(set)) ids.set(set, ids.size);
  const key = sets.map((set) => ids.get(set)).join();
  const errors = errorsByKey.get(key) ?? findRepetitions(sets, state);
  errorsByKey.set(key, errors);
  return errors;
};

const findRepetitions = (
  sets: readonly SelectionSetNode[],
  state: MergeState,
): readonly GraphQLError[] => {
  const { fragments } = state;
  const fields = new Map<string, FieldNode[]>();
  for (const field of sets.flatMap((set) => inlineFields(set, fragments))) {
    const name = getResponseName(field);
    const sameFields = fields.get(name) ?? [];
    sameFields.push(field);
    fields.set(name, sameFields);
  }
  for (const sameFields of fields.values()) {
    if (sameFields.length > graphqlLimits.repeats)
      return [limitError("repeats", sameFields.length)];
    const inner = checkFieldRepetition(
      sameFields.flatMap(({ selectionSet }) => selectionSet ?? []),
      state,
    );
    if (inner.length > 0) return inner;
  }
  return [];
};
