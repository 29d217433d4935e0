import { tables } from "../../schema/tables.ts";
import { termKey } from "../postings/list-keys.ts";
import type { Thesaurus } from "../text/synonyms.ts";
import type { Token } from "../text/token.ts";
import { joinWords } from "./joined-words.ts";
import type { SearchContext } from "./search-context.ts";

/** Answers which terms a catalogue has, and tokenizes in its language. */
export interface CatalogueVocabulary {
  readonly thesaurus: Thesaurus;
  /** Whether a product or a category name has a term, or one that starts with it. */
  isIndexed(word: string, asPrefix?: boolean): boolean;
  /** Joins neighbours into words that products have, see `joinWords`. */
  joinWords(tokens: readonly Token[]): (index: number) => readonly Token[];
  toTokens(text: string): readonly Token[];
  isStopWord(token: Token): boolean;
}

/**
 * Creates the vocabulary of a query.
 * @param pinnedTerms the indexed terms of the first page; undefined to look terms up
 * @param indexedTerms collects the terms that the catalogue has, of those that are looked up
 */
export const createVocabulary = (
  context: SearchContext,
  pinnedTerms: readonly string[] | undefined,
  indexedTerms: string[],
): CatalogueVocabulary => {
  const record = (isFound: boolean, word: string): boolean =>
    isFound && indexedTerms.push(word) > 0;
  return {
    thesaurus: context.thesaurus(),
    isIndexed: (word, asPrefix = false) =>
      record(pinnedTerms?.includes(word) ?? isTermIndexed(context, word, asPrefix), word),
    joinWords: (tokens) => joinWords(context, tokens),
    toTokens: context.toTokens,
    isStopWord: context.isStopWord,
  };
};

const isTermIndexed = (
  { stored, categoryTerms }: SearchContext,
  word: string,
  asPrefix: boolean,
): boolean => {
  if (stored.has(tables.postingLists, termKey(word))) return true;
  if (categoryTerms().findCategories([word]).size > 0) return true;
  if (!asPrefix) return false;
  const prefixRange = { start: termKey(word), end: termKey(`${word}\u{10ffff}`), limit: 1 };
  return [...stored.keys(tables.postingLists, prefixRange)].length > 0;
};
