import { identifierToken } from "../text/identifiers.ts";
import { countNumbers, splitIdeographs } from "../text/split-terms.ts";
import type { Thesaurus } from "../text/synonyms.ts";
import { type Token, toCodeToken } from "../text/token.ts";
import { joinWords } from "./joined-words.ts";
import type { SearchContext } from "./search-context.ts";

/** One term of a query: a token, or several tokens that belong together, with its alternatives. */
export interface QueryTerm {
  readonly tokens: readonly Token[];
  readonly isPrefix: boolean;
  /** Phrases that match equally well, each of one or more tokens. */
  readonly alternatives: readonly (readonly Token[])[];
  /** Whether it says nothing about a product, so that a product need not match it where other terms remain. */
  readonly isStopWord: boolean;
}

/** Whether the catalogue has a word. */
type IsIndexed = (word: string) => boolean;

/**
 * Splits a query into terms, in the sequence of the query. A repeated term is dropped, because it matches nothing
 * more and costs as much again. A repeated number asks for products that have it as often: `32/32`.
 */
export const planQuery = (
  context: SearchContext,
  written: readonly Token[],
  isIndexed: IsIndexed,
): readonly QueryTerm[] => {
  const terms = new Map<string, QueryTerm>();
  const joinedWith = joinWords(context, written);
  const tokens = countNumbers(written);
  for (let at = 0; at < tokens.length; ) {
    const term =
      readPhraseAt(context.thesaurus(), tokens, at, isIndexed) ??
      readToken(context, tokens[at] as Token, at + 1 === tokens.length);
    const joined = term.tokens.length === 1 ? joinedWith(at) : [];
    const alternatives = [...term.alternatives, ...joined.map((token) => [token])];
    const stems = term.tokens.map(({ stem }) => stem).join(" ");
    at += term.tokens.length;
    // The position is that of the first occurrence, as in a name; the value is that of the last, because only the
    // last token may be a prefix.
    terms.set(stems, { ...term, alternatives });
  }
  return [...terms.values()];
};

/**
 * Reads the longest phrase at an index that has a synonym. Its synonyms of several tokens count only when products have
 * them; without them, each token is searched by itself.
 */
const readPhraseAt = (
  thesaurus: Thesaurus,
  tokens: readonly Token[],
  at: number,
  isIndexed: IsIndexed,
): QueryTerm | undefined => {
  for (
    let length = Math.min(thesaurus.maxPhraseLength, tokens.length - at);
    length > 1;
    length -= 1
  ) {
    const phrase = tokens.slice(at, at + length);
    const alternatives = thesaurus
      .alternatives(phrase.map(({ stem }) => stem))
      .filter((synonym) => synonym.every(({ stem }) => isIndexed(stem)));
    if (alternatives.length > 0)
      return {
        tokens: phrase,
        isPrefix: at + length === tokens.length,
        alternatives,
        isStopWord: false,
      };
  }
  return undefined;
};

/** Writes a number of a standard as the index has it, where the query writes it in another way. */
const writeIdentifier = ({ surface }: Token): readonly (readonly Token[])[] => {
  if (!longNumber.test(surface)) return [];
  const identifier = identifierToken(surface);
  return identifier === surface ? [] : [[toCodeToken(identifier)]];
};

const longNumber = /^\d{8,13}[\dx]$/;

const readToken = (
  { thesaurus, toToken, isStopWord }: SearchContext,
  token: Token,
  isPrefix: boolean,
): QueryTerm => {
  const pieces = splitIdeographs(token).map(toToken);
  return {
    tokens: [token],
    isPrefix,
    isStopWord: isStopWord(token),
    alternatives: [
      ...thesaurus().alternatives([token.stem]),
      ...(pieces.length > 0 ? [pieces] : []),
      ...writeIdentifier(token),
    ],
  };
};
