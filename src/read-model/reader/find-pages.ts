import { idUpperBound, tables } from "../schema/tables.ts";
import { getLanguage, type Language } from "../search/text/language.ts";
import type { Token } from "../search/text/token.ts";
import { tokenize } from "../search/text/tokenizer.ts";
import type { ReadTables } from "../store/store.ts";
import type { FoundPage } from "./reader.ts";

/** Maximum words of a query that are looked up. */
const maxWords = 10;

/** Maximum entries that are read for one form of a word. */
const maxEntries = 1_000;

/** Maximum candidates of one kind whose name is read, for each result. */
const candidatesPerResult = 4;

type Kind = FoundPage["kind"];

const wordTables = { category: tables.categoryWords, page: tables.pageWords } as const;

/** Finds categories and CMS pages, see `Snapshot.findPages`. */
export const findPages = (
  stored: ReadTables,
  languageCode: string,
  query: string,
  limit: number,
): readonly FoundPage[] => {
  const language = getLanguage(languageCode);
  const words = selectWords(query, language);
  if (words.length === 0) return [];
  const find = (kind: Kind) => findOfKind(stored, kind, words, limit * candidatesPerResult);
  return [...find("page"), ...find("category")]
    .flatMap(({ kind, id, matched }) => {
      const page = readNamed(stored, kind, id);
      return page
        ? [{ ...page, kind, id, matched, own: countOwn(page.title, words, language) }]
        : [];
    })
    .sort((a, b) => b.matched - a.matched || b.own - a.own)
    .slice(0, limit)
    .map(({ kind, id, title, url, matched }) => ({
      ...{ kind, id, title, url },
      isComplete: matched === words.length,
    }));
};

/** Selects the different words of a query; stop words only when there are no others. */
const selectWords = (query: string, language: Language): readonly Token[] => {
  const words = new Map(tokenize(query, language).map((token) => [token.stem, token]));
  const stopWords = language.stopWords();
  const all = [...words.values()];
  const meaningful = all.filter(({ surface }) => !stopWords.has(surface));
  return (meaningful.length > 0 ? meaningful : all).slice(0, maxWords);
};

interface Candidate {
  readonly kind: Kind;
  readonly id: number;
  /** Number of words of the query that it has. */
  readonly matched: number;
}

/** Finds those that have at least half of the words, those with the most first. */
const findOfKind = (
  stored: ReadTables,
  kind: Kind,
  words: readonly Token[],
  limit: number,
): readonly Candidate[] => {
  const counts = new Map<number, number>();
  for (const word of words)
    for (const id of findByWord(stored, kind, word)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts]
    .filter(([, matched]) => matched * 2 >= words.length)
    .map(([id, matched]) => ({ kind, id, matched }))
    .sort((a, b) => b.matched - a.matched || a.id - b.id)
    .slice(0, limit);
};

const findByWord = (
  stored: ReadTables,
  kind: Kind,
  { surface, stem }: Token,
): ReadonlySet<number> => {
  const ids = new Set<number>();
  for (const form of new Set([surface, stem])) {
    const range = { start: [form], end: [form, idUpperBound], limit: maxEntries } as const;
    for (const [, id] of stored.keys(wordTables[kind], range)) ids.add(id);
  }
  return ids;
};

const readNamed = (
  stored: ReadTables,
  kind: Kind,
  id: number,
): Pick<FoundPage, "title" | "url"> | undefined => {
  if (kind === "page") return stored.get(tables.pages, id)?.content ?? undefined;
  const category = stored.get(tables.categories, id);
  return category && { title: category.name, url: category.url };
};

/** Counts the words in a name itself: a category also has the words of its ancestors, a page those of its summary. */
const countOwn = (title: string, words: readonly Token[], language: Language): number => {
  const stems = new Set(tokenize(title, language).map(({ stem }) => stem));
  return words.filter(({ stem }) => stems.has(stem)).length;
};
