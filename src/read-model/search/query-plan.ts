import { tables } from "../schema/tables.ts";
import { termKey } from "./postings/list-keys.ts";
import { openPostingList } from "./postings/posting-list.ts";
import { intersectSources } from "./postings/source-intersection.ts";
import { type SearchContext, termSource } from "./term-query.ts";
import type { Thesaurus } from "./text/synonyms.ts";
import type { Token } from "./text/tokenizer.ts";

/** One term of a query: a token, or several tokens that belong together, with its alternatives. */
export interface QueryTerm {
  /** Tokens as the query spells them. */
  readonly tokens: readonly Token[];
  /** Whether the last token may match as a prefix. */
  readonly isPrefix: boolean;
  /** Phrases that match equally well, each of one or more tokens. */
  readonly alternatives: readonly (readonly Token[])[];
}

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
 * Splits a query into terms, in the sequence of the query. A repeated term is dropped, because it matches nothing
 * more and costs as much again.
 */
export const planQuery = (
  words: readonly Token[],
  vocabulary: CatalogueVocabulary,
): readonly QueryTerm[] => {
  const terms = new Map<string, QueryTerm>();
  for (let at = 0; at < words.length; ) {
    const term = readTermAt(words, at, vocabulary);
    const stems = term.tokens.map(({ stem }) => stem).join(" ");
    at += term.tokens.length;
    // The position is that of the first occurrence, as in a name; the value is that of the last, because only the
    // last token may be a prefix.
    terms.set(stems, term);
  }
  return [...terms.values()];
};

/** Creates `isIndexed` over the stored posting lists and the category terms. */
export const createIndexedCheck =
  ({ stored, categoryTerms }: SearchContext) =>
  (word: string, asPrefix = false): boolean => {
    if (
      stored.has(tables.postingLists, termKey(word)) ||
      categoryTerms().findCategories([word]).size > 0
    ) {
      return true;
    }
    if (!asPrefix) return false;
    const prefixRange = { start: termKey(word), end: termKey(`${word}\u{10ffff}`), limit: 1 };
    return [...stored.keys(tables.postingLists, prefixRange)].length > 0;
  };

/**
 * Creates `prefersCompound` over the stored posting lists. A surface form must consist of both words, because a stem
 * does not show it: `cafetierered` has the stem of `cafetiere`.
 */
export const createCompoundCheck =
  (
    context: SearchContext,
    toTokens: CatalogueVocabulary["toTokens"],
  ): CatalogueVocabulary["prefersCompound"] =>
  ([first, second], compound) => {
    const list = openPostingList(context.stored, context.listCache, termKey(compound.stem));
    if (!list) return false;
    const secondStems = joinStems(second.surface, toTokens);
    const isCompoundForm = (form: string): boolean =>
      form.startsWith(first.surface) &&
      joinStems(form.slice(first.surface.length), toTokens) === secondStems;
    if (![...list.forms().keys()].some(isCompoundForm)) return false;
    const sources = [first, second].map((word) => termSource(context, word, false));
    return intersectSources(sources).ids.length < list.count;
  };

const joinStems = (text: string, toTokens: CatalogueVocabulary["toTokens"]): string =>
  toTokens(text)
    .map(({ stem }) => stem)
    .join(" ");

const readTermAt = (
  words: readonly Token[],
  at: number,
  vocabulary: CatalogueVocabulary,
): QueryTerm => {
  const { thesaurus, isIndexed } = vocabulary;
  for (let length = Math.max(thesaurus.maxPhraseLength, maxJoinedTokens); length > 0; length -= 1) {
    const phrase = words.slice(at, at + length);
    if (phrase.length < length) continue;
    const isPrefix = at + length === words.length;
    const alternatives = [
      ...findSynonyms(phrase, thesaurus, isIndexed),
      ...joinModelNumber(phrase, isIndexed),
      ...findCompound(phrase, vocabulary),
      ...findSplitForms(phrase, isPrefix, vocabulary),
    ];
    if (alternatives.length > 0 || length === 1) return { tokens: phrase, isPrefix, alternatives };
  }
  throw new Error("a query term holds at least one token");
};

/** Splits a model number that no product writes together: `1000g` into `1000 g`, `iphone13` into `iphone 13`. */
const findSplitForms = (
  phrase: readonly Token[],
  asPrefix: boolean,
  { isIndexed, toTokens }: CatalogueVocabulary,
): readonly (readonly Token[])[] => {
  const [word, ...more] = phrase;
  if (!word || more.length > 0 || !letterDigitPair.test(word.surface)) return [];
  if (isIndexed(word.surface, asPrefix)) return [];
  return splitModelNumber(word.surface).map(toTokens);
};

/**
 * Splits a word at all edges between letters and digits, and at each edge alone: `eos5d` into `eos 5d`.
 * @returns nothing when the word has more than `maxModelParts` parts
 */
const splitModelNumber = (surface: string): readonly string[] => {
  const fullySplit = surface.replace(letterDigitEdges, " ");
  const parts = fullySplit.split(" ");
  if (parts.length > maxModelParts) return [];
  const splitOnce = parts
    .slice(1)
    .map((_, at) => `${parts.slice(0, at + 1).join("")} ${parts.slice(at + 1).join("")}`);
  return [...new Set([fullySplit, ...splitOnce])];
};

/** Limits the parts of a model number, because every way to split it looks up each part. */
const maxModelParts = 5;

const letterDigitPair = /\d[\p{L}]|\p{L}\d/u;
const letterDigitEdges = /(?<=\d)(?=\p{L})|(?<=[\p{L}\p{M}])(?=\d)/gu;

/**
 * Finds the synonyms of a phrase. Synonyms of several tokens count only when products have them; otherwise each token
 * is searched by itself.
 */
const findSynonyms = (
  phrase: readonly Token[],
  thesaurus: Thesaurus,
  isIndexed: (word: string) => boolean,
): readonly (readonly Token[])[] => {
  const alternatives = thesaurus.alternatives(phrase.map(({ stem }) => stem));
  if (phrase.length === 1) return alternatives;
  return alternatives.filter((words) => words.every(({ stem }) => isIndexed(stem)));
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

/** Limits the tokens that are joined into one model number. */
const maxJoinedTokens = 3;

/** Joins tokens into a model number that a product has: `wh 1000xm4` into `wh1000xm4`. */
const joinModelNumber = (
  phrase: readonly Token[],
  isIndexed: (word: string) => boolean,
): readonly (readonly Token[])[] => {
  if (phrase.length < 2 || phrase.length > maxJoinedTokens) return [];
  const surface = phrase.map((word) => word.surface).join("");
  const isModel = /\d/.test(surface) && /\p{L}/u.test(surface) && !phrase.some(followsDigit);
  return isModel && isIndexed(surface) ? [[{ surface, stem: surface }]] : [];
};

/** Whether two digits would meet. The separator between them may have been a decimal point. */
const followsDigit = ({ surface }: Token, at: number, phrase: readonly Token[]): boolean =>
  /^\d/.test(surface) && /\d$/.test(phrase[at - 1]?.surface ?? "");
