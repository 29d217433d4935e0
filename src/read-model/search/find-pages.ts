import type { FoundPage } from "../schema/queries.ts";
import { idUpperBound, tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { getLanguage, type Language } from "./text/language.ts";
import type { Token } from "./text/token.ts";
import { tokenize } from "./text/tokenizer.ts";

const maxWords = 10;

/** Maximum entries that are read for one form of a word. */
const maxEntries = 1_000;

type Kind = FoundPage["kind"];

const wordTables = { category: tables.categoryWords, page: tables.pageWords } as const;

/** Finds categories and CMS pages, see `Snapshot.findPages`. Those with the most words in their own name come first. */
export const findPages = (
  stored: ReadTables,
  languageCode: string,
  query: string,
  limit: number,
): readonly FoundPage[] => {
  const words = selectWords(query, getLanguage(languageCode));
  return [...findOfKind(stored, "page", words), ...findOfKind(stored, "category", words)]
    .sort((a, b) => b.matched - a.matched || b.own - a.own)
    .slice(0, limit)
    .flatMap(({ kind, id, matched }) => {
      const page = readTitle(stored, kind, id);
      return page ? [{ ...page, kind, id, isComplete: matched === words.length }] : [];
    });
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
  matched: number;
  /** Number of them in its own name: a category also has the words of its ancestors, a page those of its summary. */
  own: number;
}

/** Finds those that have at least half of the words, by id. */
const findOfKind = (
  stored: ReadTables,
  kind: Kind,
  words: readonly Token[],
): readonly Candidate[] => {
  const candidates = new Map<number, Candidate>();
  for (const word of words) {
    const own = findByTitle(stored, kind, word);
    for (const id of new Set([...own, ...findByWord(stored, kind, word)])) {
      const candidate = candidates.get(id) ?? { kind, id, matched: 0, own: 0 };
      candidate.matched += 1;
      if (own.has(id)) candidate.own += 1;
      candidates.set(id, candidate);
    }
  }
  return [...candidates.values()]
    .filter(({ matched }) => matched * 2 >= words.length)
    .sort((a, b) => a.id - b.id);
};

const findByTitle = (stored: ReadTables, kind: Kind, word: Token): ReadonlySet<number> => {
  const ids = formsOf(word).flatMap((form) => {
    const range = { start: [form, kind], end: [form, kind, idUpperBound] } as const;
    const keys = stored.keys(tables.titleWords, { ...range, limit: maxEntries });
    return Array.from(keys, ([, , id]) => id);
  });
  return new Set(ids);
};

const findByWord = (stored: ReadTables, kind: Kind, word: Token): readonly number[] =>
  formsOf(word).flatMap((form) => {
    const range = { start: [form], end: [form, idUpperBound], limit: maxEntries } as const;
    return Array.from(stored.keys(wordTables[kind], range), ([, id]) => id);
  });

const formsOf = ({ surface, stem }: Token): readonly string[] => [...new Set([surface, stem])];

const readTitle = (
  stored: ReadTables,
  kind: Kind,
  id: number,
): Pick<FoundPage, "title" | "url"> | undefined => {
  if (kind === "category") {
    const category = stored.get(tables.categories, id);
    return category && { title: category.name, url: category.url };
  }
  const content = stored.get(tables.pages, id)?.content;
  return content ? { title: content.title, url: content.url } : undefined;
};
