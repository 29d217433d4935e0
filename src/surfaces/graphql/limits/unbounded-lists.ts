import type { GraphQLError, SelectionSetNode } from "graphql";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import { type Fragments, inlineFields } from "./fields.ts";
import { findExceeded } from "./limits.ts";
import type { ListName, Requested } from "./requested-fields.ts";

export interface ListCost {
  readonly fields: number;
  /** Characters of text, counted because an alias repeats a URL for a few bytes. */
  readonly characters: number;
}

/**
 * Counts the lists of one name in an operation. Lists without an alias merge into one field of the response, so they
 * count once. Call it only after the other limits have passed.
 */
export const countLists = (name: ListName, set: SelectionSetNode, fragments: Fragments): number => {
  const fieldsIn = (inner: SelectionSetNode | undefined) =>
    inlineFields(inner, fragments).filter((field) => field.name.value === name);
  let [aliased, hasPlain] = [0, false];
  for (const { alias, selectionSet } of fieldsIn(set)) {
    const lists = fieldsIn(selectionSet);
    const plain = lists.filter((list) => !list.alias);
    aliased += lists.length - plain.length;
    if (plain.length === 0) continue;
    if (alias) aliased += 1;
    else hasPlain = true;
  }
  return aliased + (hasPlain ? 1 : 0);
};

export const measureLists = (
  { categories, policies }: Requested["listed"],
  snapshot: Snapshot,
): ListCost => {
  const [one, other] = [
    measureList(categories, () => snapshot.categories()),
    measureList(policies, () => snapshot.policies()),
  ];
  return { fields: one.fields + other.fields, characters: one.characters + other.characters };
};

const emptyCost: ListCost = { fields: 0, characters: 0 };

const measureList = (fields: readonly string[], read: () => readonly object[]): ListCost => {
  const list = fields.length > 0 ? readOrUndefined(read) : undefined;
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

export const checkLists = ({ fields, characters }: ListCost): GraphQLError | undefined =>
  findExceeded({ listedFields: fields, answerCharacters: characters })[0];
