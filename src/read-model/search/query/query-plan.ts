import type { Token } from "../text/token.ts";
import { joinModelNumber, maxJoinedTokens, splitModelNumber } from "./model-numbers.ts";
import type { CatalogueVocabulary } from "./vocabulary.ts";

/** One term of a query: a token, or several tokens that belong together, with its alternatives. */
export interface QueryTerm {
  /** Tokens as the query spells them. */
  readonly tokens: readonly Token[];
  /** Whether the last token may match as a prefix. */
  readonly isPrefix: boolean;
  /** Phrases that match equally well, each of one or more tokens. */
  readonly alternatives: readonly (readonly Token[])[];
}

/**
 * Splits a query into terms, in the sequence of the query. A repeated term is dropped, because it matches nothing
 * more and costs as much again.
 */
export const planQuery = (
  tokens: readonly Token[],
  vocabulary: CatalogueVocabulary,
): readonly QueryTerm[] => {
  const terms = new Map<string, QueryTerm>();
  for (let at = 0; at < tokens.length; ) {
    const term = readTermAt(tokens, at, vocabulary);
    const stems = term.tokens.map(({ stem }) => stem).join(" ");
    at += term.tokens.length;
    // The position is that of the first occurrence, as in a name; the value is that of the last, because only the
    // last token may be a prefix.
    terms.set(stems, term);
  }
  return [...terms.values()];
};

const readTermAt = (
  tokens: readonly Token[],
  at: number,
  vocabulary: CatalogueVocabulary,
): QueryTerm => {
  const { thesaurus } = vocabulary;
  for (let length = Math.max(thesaurus.maxPhraseLength, maxJoinedTokens); length > 0; length -= 1) {
    const phrase = tokens.slice(at, at + length);
    if (phrase.length < length) continue;
    const isPrefix = at + length === tokens.length;
    const alternatives = [
      ...findSynonyms(phrase, vocabulary),
      ...joinModelNumber(phrase, vocabulary),
      ...findCompound(phrase, vocabulary),
      ...splitModelNumber(phrase, isPrefix, vocabulary),
    ];
    if (alternatives.length > 0 || length === 1) return { tokens: phrase, isPrefix, alternatives };
  }
  throw new Error("a query term holds at least one token");
};

/**
 * Finds the synonyms of a phrase. Synonyms of several tokens count only when products have them; without them, each
 * token is searched by itself.
 */
const findSynonyms = (
  phrase: readonly Token[],
  { thesaurus, isIndexed }: CatalogueVocabulary,
): readonly (readonly Token[])[] => {
  const alternatives = thesaurus.alternatives(phrase.map(({ stem }) => stem));
  if (phrase.length === 1) return alternatives;
  return alternatives.filter((tokens) => tokens.every(({ stem }) => isIndexed(stem)));
};

/** Joins two words where more products have the compound than both words: `sun glasses` into `sunglasses`. */
const findCompound = (
  phrase: readonly Token[],
  { prefersCompound, toTokens }: CatalogueVocabulary,
): readonly (readonly Token[])[] => {
  const [first, second, ...more] = phrase;
  if (!first || !second || more.length > 0) return [];
  const surface = first.surface + second.surface;
  const [compound, ...others] = /\d/.test(surface) ? [] : toTokens(surface);
  return compound && others.length === 0 && prefersCompound([first, second], compound)
    ? [[compound]]
    : [];
};
