import { buildCategoryTree } from "../../../projections/category-tree.ts";
import type { ListedCategory } from "../../read-model/schema/documents.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { getLanguage } from "../../read-model/search/text/language.ts";
import { indexTerms } from "../../read-model/search/text/tokenizer.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { hashString } from "../../text/hash.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { updateCategoryTree } from "./category-dates.ts";
import type { CategoryRows } from "./category-times.ts";
import type { Counters, Derivation } from "./derivation.ts";
import { buildCategoryListDates, updateListDates } from "./list-dates.ts";
import { replaceWords } from "./page-index.ts";
import { putOrRemove, replaceKeys } from "./set-diff.ts";

/**
 * Derives the visible tree when a category or the shop's language changed: one event can move a whole branch.
 * @param changed categories whose page may have changed for another reason
 */
export const deriveCategories = (
  { batch, stored, counters, settings }: Derivation,
  rows: CategoryRows,
  changed: ReadonlySet<number>,
): void => {
  const [previousLanguage, language] = [settings.before.language, settings.after.language];
  const datedIds = new Set([...changed, ...updateCategoryListDates(batch, stored)]);
  const before = new Map(stored.entries(tables.categories));
  const after = buildCategoryTree(rows, language);
  const tree = new Map(after.map((category) => [category.id, category]));
  const renamed = language === previousLanguage ? findRenamed(before, after) : undefined;
  const [wordsBefore, wordsAfter] = [
    createTermLookup(before, previousLanguage),
    createTermLookup(tree, language),
  ];
  for (const id of new Set([...tree.keys(), ...before.keys()])) {
    if (renamed && tree.has(id) && !renamed.has(id)) continue;
    updateCategoryWords(stored, counters, id, [wordsBefore(id), wordsAfter(id)]);
    replaceWords(
      stored,
      tables.titleWords,
      [
        { text: before.get(id)?.name, language: previousLanguage },
        { text: tree.get(id)?.name, language },
      ],
      (word) => [word, "category", id] as const,
    );
  }
  updateCategoryTree(stored, counters, before, tree, datedIds);
  const ids = after.map(({ id }) => id);
  putOrRemove(stored, tables.categoryOrder, "order", ids.length > 0 ? ids : undefined);
  counters.set("stockedCategories", countStocked(stored));
  counters.set(
    "heldBackCategories",
    rows.filter(([, { content }]) => content?.active).length - ids.length,
  );
};

const updateCategoryWords = (
  stored: WritableTables,
  counters: Counters,
  id: number,
  change: readonly [before: readonly string[], after: readonly string[]],
): void => {
  const [removed, added] = replaceKeys(stored, tables.categoryWords, change, (words) =>
    words.map((word) => [word, id] as const),
  );
  // Readers read their cached category terms again when this counter changes.
  const sumHashes = (keys: readonly (readonly [string, number])[]): number =>
    keys.reduce((sum, key) => sum + (hashString(key.join(" ")) | 0), 0);
  counters.add("categoryWords", sumHashes(added) - sumHashes(removed));
};

/**
 * Updates the list dates of changed categories.
 * @returns categories whose list of children changed
 */
const updateCategoryListDates = (batch: UnitOfWork, stored: WritableTables): readonly number[] => {
  const { categoryStates } = batch;
  return [...categoryStates.changedKeys()].flatMap((id) => {
    const change = [categoryStates.original(id), categoryStates.get(id)] as const;
    return updateListDates(stored, id, change, buildCategoryListDates);
  });
};

/**
 * Finds categories whose terms may have changed: to tokenize the names of all would take longer than the rest of the
 * derivation.
 */
const findRenamed = (before: Tree, after: readonly ListedCategory[]): ReadonlySet<number> => {
  const renamed = new Set<number>();
  // Invariant: parents precede their children.
  for (const { id, name, parentId } of after) {
    const previous = before.get(id);
    const isUnchanged = previous?.name === name && previous.parentId === parentId;
    if (!isUnchanged || (parentId !== null && renamed.has(parentId))) renamed.add(id);
  }
  return renamed;
};

type Tree = ReadonlyMap<number, ListedCategory>;

/** Ancestors whose names count as a category's terms: a category below `Kids` need not repeat that word. */
const maxAncestors = 8;

const createTermLookup = (tree: Tree, language: string): ((id: number) => string[]) => {
  const rules = getLanguage(language);
  const termsByCategory = new Map<number, ReadonlySet<string>>();
  const getOwnTerms = ({ id, name }: ListedCategory): ReadonlySet<string> => {
    const terms = termsByCategory.get(id) ?? indexTerms(name, rules);
    termsByCategory.set(id, terms);
    return terms;
  };
  return (id) => {
    const terms = new Set<string>();
    let category = tree.get(id);
    for (let level = 0; category && level <= maxAncestors; level += 1) {
      for (const term of getOwnTerms(category)) terms.add(term);
      category = category.parentId === null ? undefined : tree.get(category.parentId);
    }
    return [...terms];
  };
};

const countStocked = (stored: WritableTables): number => {
  let stocked = 0;
  for (const id of stored.keys(tables.categoryCounts)) {
    if (stored.has(tables.categories, id)) stocked += 1;
  }
  return stocked;
};
