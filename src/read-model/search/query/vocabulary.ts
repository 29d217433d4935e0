import type { Thesaurus } from "../text/synonyms.ts";
import type { Token } from "../text/token.ts";
import { isTermIndexed, joinWords } from "./joined-words.ts";
import type { SearchContext } from "./search-context.ts";

/** Answers which terms a catalogue has, and tokenizes in its language. */
export interface CatalogueVocabulary {
  readonly thesaurus: Thesaurus;
  isIndexed(word: string): boolean;
  /** Joins neighbours into words that products have, see `joinWords`. */
  joinWords(tokens: readonly Token[]): (index: number) => readonly Token[];
  toToken(word: string): Token;
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
    isIndexed: (word) => record(pinnedTerms?.includes(word) ?? isTermIndexed(context, word), word),
    joinWords: (tokens) => joinWords(context, tokens),
    toToken: context.toToken,
    isStopWord: context.isStopWord,
  };
};
