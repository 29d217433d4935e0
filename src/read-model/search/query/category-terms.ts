import { idUpperBound, tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { partitionPoint } from "../postings/doc-ids.ts";
import { toDictionaryEntry } from "../text/dictionary-entry.ts";
import { anyLanguage } from "../text/language.ts";
import { filterCandidates, findNearest, type SpellingMatch } from "../text/spelling-candidates.ts";
import { tokenize } from "../text/tokenizer.ts";
import { cacheUntilCounted } from "../versioned-cache.ts";

/**
 * Looks up categories by the terms of their names. A category's terms are those of its own and its ancestors' names,
 * as surface forms and as stems.
 */
interface CategoryTerms {
  /**
   * Finds categories with one of these terms, or with a term that starts with `prefix`.
   * @returns category ids
   */
  findCategories(words: readonly string[], prefix?: string): ReadonlySet<number>;
  findSimilar(token: string, maxEdits: number): readonly SpellingMatch[];
}

/** Above this, each term is looked up in LMDB, and none is offered as a correction. */
const maxCachedTerms = 20_000;

/** Creates a cache that is valid until a term is added to the category names or removed from them. */
export const createCategoryTermsCache = (): ((stored: ReadTables) => CategoryTerms) => {
  const readCached = cacheUntilCounted("categoryWords", readTerms);
  return (stored) => readCached(stored) ?? createStoredTerms(stored);
};

/**
 * Reads all category terms into memory, sorted.
 * @returns undefined when there are more than `maxCachedTerms`
 */
const readTerms = (stored: ReadTables): CategoryTerms | undefined => {
  const rows = [...stored.keys(tables.categoryWords, { limit: maxCachedTerms + 1 })];
  if (rows.length > maxCachedTerms) return undefined;
  rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const surfaceForms = readSurfaceForms(stored);
  return {
    findCategories(terms, prefix) {
      const ids = new Set<number>();
      const add = (from: string, matches: (term: string) => boolean): void => {
        const first = partitionPoint(0, rows.length, (at) => (rows[at]?.[0] ?? "") < from);
        for (let at = first; at < rows.length; at += 1) {
          const row = rows[at];
          if (!row || !matches(row[0])) break;
          ids.add(row[1]);
        }
      };
      for (const term of terms) add(term, (candidate) => candidate === term);
      if (prefix !== undefined) add(prefix, (candidate) => candidate.startsWith(prefix));
      return ids;
    },
    findSimilar: (word, maxEdits) => findNearest(filterCandidates(surfaceForms), word, maxEdits),
  };
};

/**
 * Reads the surface forms of all category names. Stems are left out, because a stem is no word that a customer means.
 */
const readSurfaceForms = (stored: ReadTables): ReadonlySet<string> => {
  const surfaceForms = new Set<string>();
  for (const [, { name }] of stored.entries(tables.categories)) {
    for (const token of tokenize(name, anyLanguage)) {
      if (toDictionaryEntry(token.surface, token.stem) !== undefined)
        surfaceForms.add(token.surface);
    }
  }
  return surfaceForms;
};

const createStoredTerms = (stored: ReadTables): CategoryTerms => ({
  findCategories(terms, prefix) {
    const ids = new Set<number>();
    const add = (start: string, end: string): void => {
      const range = { start: [start], end: [end, idUpperBound] } as const;
      for (const [, id] of stored.keys(tables.categoryWords, range)) ids.add(id);
    };
    for (const term of terms) add(term, term);
    if (prefix !== undefined) add(prefix, `${prefix}\u{10ffff}`);
    return ids;
  },
  findSimilar: () => [],
});
