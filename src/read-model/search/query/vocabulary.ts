import { tables } from "../../schema/tables.ts";
import { termKey } from "../postings/list-keys.ts";
import { intersectSources } from "../postings/source-intersection.ts";
import type { Thesaurus } from "../text/synonyms.ts";
import type { Token } from "../text/token.ts";
import type { SearchContext } from "./search-context.ts";
import { termSource } from "./term-source.ts";

/** Answers which terms a catalogue has, and tokenizes in its language. */
export interface CatalogueVocabulary {
  readonly thesaurus: Thesaurus;
  /** Whether a product or a category name has a term, or one that starts with it. */
  isIndexed(word: string, asPrefix?: boolean): boolean;
  /** Whether more products have a compound than have both of its words. */
  prefersCompound(two: readonly [Token, Token], one: Token): boolean;
  toTokens(text: string): readonly Token[];
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
    prefersCompound: (two, { surface, stem }) =>
      record(pinnedTerms?.includes(surface) ?? isCompoundPreferred(context, two, stem), surface),
    toTokens: context.toTokens,
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

/**
 * Whether more products have a compound than both words. A surface form must consist of both words, because a stem does
 * not show it: `cafetierered` has the stem of `cafetiere`.
 */
const isCompoundPreferred = (
  context: SearchContext,
  [first, second]: readonly [Token, Token],
  compoundStem: string,
): boolean => {
  const list = context.openList(termKey(compoundStem));
  if (!list) return false;
  const stemsOf = (text: string): string =>
    context
      .toTokens(text)
      .map(({ stem }) => stem)
      .join(" ");
  const secondStems = stemsOf(second.surface);
  const isCompoundForm = (form: string): boolean =>
    form.startsWith(first.surface) && stemsOf(form.slice(first.surface.length)) === secondStems;
  if (![...list.forms().keys()].some(isCompoundForm)) return false;
  const sources = [first, second].map((word) => termSource(context, word, false));
  return intersectSources(sources).ids.length < list.count;
};
