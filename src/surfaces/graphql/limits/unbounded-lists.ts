import { Kind, type SelectionSetNode } from "graphql";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { Fragments } from "./complexity.ts";

/** Fields asked for of each entry of the lists of all categories and of all policies, each as often as it is told. */
export interface AskedLists {
  readonly categories: readonly string[];
  readonly policies: readonly string[];
}

/** What such lists come to. */
export interface Listed {
  readonly fields: number;
  /** Of text: an alias repeats an address for a few bytes. */
  readonly characters: number;
}

/** Only after the ceilings were kept. What `@skip` and `@include` leave out counts. */
export const askedLists = (set: SelectionSetNode, fragments: Fragments): AskedLists => ({
  categories: fieldsOf("categories", set, fragments),
  policies: fieldsOf("policies", set, fragments),
});

const fieldsOf = (list: string, set: SelectionSetNode, fragments: Fragments): readonly string[] => {
  /** By where it stands in the answer: what is asked for twice in one place is told once. */
  const found = new Map<string, string>();
  const walk = ({ selections }: SelectionSetNode, place: readonly string[]): void => {
    for (const selection of selections) {
      if (selection.kind !== Kind.FIELD) {
        const inner =
          selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
        if (inner) walk(inner.selectionSet, place);
        continue;
      }
      const { name, alias, selectionSet } = selection;
      const here = [...place, (alias ?? name).value];
      if (place.length === 2) found.set(here.join(" "), name.value);
      else if (name.value === list && selectionSet) walk(selectionSet, here);
    }
  };
  walk(set, []);
  return [...found.values()];
};

/** Counted before anything is written: what a list tells is known, and no argument bounds it. */
export const listedOf = ({ categories, policies }: AskedLists, moment: Snapshot): Listed => {
  const counts = [
    ...(categories.length > 0 ? [countOf(categories, () => moment.categories())] : []),
    ...(policies.length > 0 ? [countOf(policies, () => moment.policies())] : []),
  ];
  return {
    fields: counts.reduce((sum, { fields }) => sum + fields, 0),
    characters: counts.reduce((sum, { characters }) => sum + characters, 0),
  };
};

const nothing: Listed = { fields: 0, characters: 0 };

const countOf = (fields: readonly string[], read: () => readonly object[]): Listed => {
  const list = readOrNone(read);
  if (!list) return nothing;
  let characters = 0;
  for (const entry of list as readonly Readonly<Record<string, unknown>>[]) {
    for (const field of fields) {
      const value = entry[field];
      if (typeof value === "string") characters += value.length;
    }
  }
  return { fields: fields.length * list.length, characters };
};

/** What cannot be read is told by the field that asks for it. */
const readOrNone = (read: () => readonly object[]): readonly object[] | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};
