import { deriveTree } from "../../../projections/category.ts";
import type { ListedCategory } from "../../read-model/schema/documents.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { stemmerOf } from "../../read-model/search/text/stemmer.ts";
import { termsOf } from "../../read-model/search/text/tokenizer.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { hashOfText } from "../../text/hash.ts";
import type { Batch } from "../batch/unit-of-work.ts";
import { dateCategories, keepTree } from "./category-dates.ts";
import type { CategoryRows } from "./category-rows.ts";
import type { Counters } from "./counters.ts";
import { indexSettingsOf } from "./index-settings.ts";
import { datesOfCategory, replaceDates } from "./list-dates.ts";
import { replaceMembers } from "./set-diff.ts";

/**
 * The visible tree, whenever a category or the shop's language changed: one event can move a whole branch.
 * @param rows undefined when neither did
 * @param changed categories whose page may have changed otherwise
 */
export const deriveCategories = (
  batch: Batch,
  stored: WritableTables,
  counters: Counters,
  rows: CategoryRows | undefined,
  changed: ReadonlySet<number>,
): void => {
  if (!rows) return dateCategories(stored, counters, changed);
  const settings = indexSettingsOf(batch);
  const [told, language] = [settings.before.language, settings.after.language];
  const dated = new Set([...changed, ...keepListDates(batch, stored)]);
  const before = new Map(stored.entries(tables.categories));
  const after = deriveTree(rows, language);
  const tree = new Map(after.map((category) => [category.id, category]));
  const words = { before: nameWords(before, told), after: nameWords(tree, language) };
  const others = language === told ? otherwiseCalled(before, after) : undefined;
  for (const id of new Set([...tree.keys(), ...before.keys()])) {
    if (others && tree.has(id) && !others.has(id)) continue;
    const [left, joined] = replaceMembers(words.before(id), words.after(id));
    for (const word of left) stored.remove(tables.categoryWords, [word, id]);
    for (const word of joined) stored.put(tables.categoryWords, [word, id], true);
    // What readers keep of these words is read again when this changes.
    for (const word of left) counters.add("categoryWords", -(hashOfText(`${word} ${id}`) | 0));
    for (const word of joined) counters.add("categoryWords", hashOfText(`${word} ${id}`) | 0);
  }
  keepTree(stored, counters, before, tree, dated);
  const order = after.map(({ id }) => id);
  if (order.length > 0) stored.put(tables.categoryOrder, "order", order);
  else stored.remove(tables.categoryOrder, "order");
  counters.set("stockedCategories", countStocked(stored));
  counters.set(
    "heldBackCategories",
    rows.filter(([, { content }]) => content?.active).length - order.length,
  );
};

/** @returns categories whose list of children changed */
const keepListDates = (batch: Batch, stored: WritableTables): readonly number[] => {
  const { categoryStates } = batch;
  return [...categoryStates.changed()].flatMap((id) => {
    const [before, after] = [categoryStates.before(id), categoryStates.get(id)];
    return replaceDates(stored, id, datesOfCategory(before), datesOfCategory(after));
  });
};

/** Categories whose words may be others now: to cut the names of all into words takes longer than all the rest. */
const otherwiseCalled = (before: Tree, after: readonly ListedCategory[]): ReadonlySet<number> => {
  const others = new Set<number>();
  // Parents stand before their children.
  for (const { id, name, parentId } of after) {
    const was = before.get(id);
    const isAsBefore = was?.name === name && was.parentId === parentId;
    if (!isAsBefore || (parentId !== null && others.has(parentId))) others.add(id);
  }
  return others;
};

type Tree = ReadonlyMap<number, ListedCategory>;

/** Categories above one whose names are its words too: what is for a kid need not say so itself. */
const mostAbove = 8;

/** The words of each category. */
const nameWords = (tree: Tree, language: string): ((id: number) => string[]) => {
  const stemmer = stemmerOf(language);
  const known = new Map<number, ReadonlySet<string>>();
  const own = ({ id, name }: ListedCategory): ReadonlySet<string> => {
    const terms = known.get(id) ?? termsOf(name, stemmer);
    known.set(id, terms);
    return terms;
  };
  return (id) => {
    const words = new Set<string>();
    let at = tree.get(id);
    for (let level = 0; at && level <= mostAbove; level += 1) {
      for (const word of own(at)) words.add(word);
      at = at.parentId === null ? undefined : tree.get(at.parentId);
    }
    return [...words];
  };
};

const countStocked = (stored: WritableTables): number => {
  let stocked = 0;
  for (const id of stored.keys(tables.categoryCounts)) {
    if (stored.has(tables.categories, id)) stocked += 1;
  }
  return stocked;
};
