import { deriveTree } from "../../../projections/category.ts";
import type { CategoryDocument } from "../../read-model/documents.ts";
import { type Stemmer, stemmerOf } from "../../read-model/search/stemmer.ts";
import { termsOf } from "../../read-model/search/words.ts";
import type { WritableTables } from "../../read-model/store.ts";
import { tables } from "../../read-model/tables.ts";
import type { Batch } from "../batch.ts";
import type { Counters } from "./counters.ts";
import { replaceMembers } from "./sets.ts";
import { tellChange } from "./tell-change.ts";

/** The visible tree, whenever a category or the shop's language changed: one event can move a whole branch. */
export const deriveCategories = (
  batch: Batch,
  stored: WritableTables,
  counters: Counters,
): void => {
  const language = batch.settings.get("settings")?.content?.language ?? "en";
  const told = batch.settings.before("settings")?.content?.language ?? "en";
  if (batch.categoryStates.changed().size === 0 && language === told) return;

  const before = new Map(stored.entries(tables.categories));
  const after = deriveTree(stored.entries(tables.categoryStates), language);
  const stemmers = { before: stemmerOf(told), after: stemmerOf(language) };
  for (const category of after) {
    keepCategory(stored, category.id, before.get(category.id), category, stemmers);
    before.delete(category.id);
  }
  for (const [id, category] of before) keepCategory(stored, id, category, undefined, stemmers);
  const order = after.map(({ id }) => id);
  if (order.length > 0) stored.put(tables.categoryOrder, "order", order);
  else stored.remove(tables.categoryOrder, "order");
  counters.set("stockedCategories", countStocked(stored));
};

const keepCategory = (
  stored: WritableTables,
  id: number,
  before: CategoryDocument | undefined,
  after: CategoryDocument | undefined,
  stemmers: { readonly before: Stemmer; readonly after: Stemmer },
): void => {
  const [left, joined] = replaceMembers(
    nameWords(before, stemmers.before),
    nameWords(after, stemmers.after),
  );
  for (const word of left) stored.remove(tables.categoryWords, [word, id]);
  for (const word of joined) stored.put(tables.categoryWords, [word, id], true);
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (after) stored.put(tables.categories, id, after);
  else stored.remove(tables.categories, id);
  tellChange(stored, "category", id, before, after);
};

const nameWords = (category: CategoryDocument | undefined, stemmer: Stemmer): string[] => [
  ...termsOf(category?.name ?? "", stemmer),
];

const countStocked = (stored: WritableTables): number => {
  let stocked = 0;
  for (const id of stored.keys(tables.categoryCounts)) {
    if (stored.has(tables.categories, id)) stocked += 1;
  }
  return stocked;
};
