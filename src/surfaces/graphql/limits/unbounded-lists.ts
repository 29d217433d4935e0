import { Kind, type SelectionSetNode } from "graphql";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { Fragments } from "./complexity.ts";

/** Fields selected from each entry of the lists of categories and policies, once per field of the response. */
export interface UnboundedLists {
  readonly categories: readonly string[];
  readonly policies: readonly string[];
}

/** Size of the lists in a response. */
export interface ListCost {
  readonly fields: number;
  /** Characters of text, counted because an alias repeats a URL for a few bytes. */
  readonly characters: number;
}

/**
 * Finds the selected fields of the lists of categories and policies. Call it only after `checkLimits` has passed.
 * Fields that `@skip` and `@include` exclude count.
 */
export const findUnboundedLists = (
  set: SelectionSetNode,
  fragments: Fragments,
): UnboundedLists => ({
  categories: fieldsOf("categories", set, fragments),
  policies: fieldsOf("policies", set, fragments),
});

const fieldsOf = (
  listName: string,
  set: SelectionSetNode,
  fragments: Fragments,
): readonly string[] => {
  /** Field names by their path in the response, because a path selected twice is written once. */
  const namesByPath = new Map<string, string>();
  const walk = ({ selections }: SelectionSetNode, path: readonly string[]): void => {
    for (const selection of selections) {
      if (selection.kind !== Kind.FIELD) {
        const inner =
          selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
        if (inner) walk(inner.selectionSet, path);
        continue;
      }
      const { name, alias, selectionSet } = selection;
      const fieldPath = [...path, (alias ?? name).value];
      if (path.length === 2) namesByPath.set(fieldPath.join(" "), name.value);
      else if (name.value === listName && selectionSet) walk(selectionSet, fieldPath);
    }
  };
  walk(set, []);
  return [...namesByPath.values()];
};

/** Measures the lists before the response is written, because no argument bounds their length. */
export const measureLists = (
  { categories, policies }: UnboundedLists,
  snapshot: Snapshot,
): ListCost => {
  const counts = [
    ...(categories.length > 0 ? [measureList(categories, () => snapshot.categories())] : []),
    ...(policies.length > 0 ? [measureList(policies, () => snapshot.policies())] : []),
  ];
  return {
    fields: counts.reduce((sum, { fields }) => sum + fields, 0),
    characters: counts.reduce((sum, { characters }) => sum + characters, 0),
  };
};

const emptyCost: ListCost = { fields: 0, characters: 0 };

const measureList = (fields: readonly string[], read: () => readonly object[]): ListCost => {
  const list = readOrUndefined(read);
  if (!list) return emptyCost;
  let characters = 0;
  for (const entry of list as readonly Readonly<Record<string, unknown>>[]) {
    for (const field of fields) {
      const value = entry[field];
      if (typeof value === "string") characters += value.length;
    }
  }
  return { fields: fields.length * list.length, characters };
};

/** Ignores a list that cannot be read, because its resolver reports the failure. */
const readOrUndefined = (read: () => readonly object[]): readonly object[] | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};
