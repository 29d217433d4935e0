import { tables } from "../../schema/tables.ts";
import { termKey } from "../postings/list-keys.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import type { Phrase } from "../search-caches.ts";
import type { Token } from "../text/token.ts";
import type { SearchContext } from "./search-context.ts";
import { adjacentSource } from "./term-source.ts";

/** The cache is emptied when it holds more words. */
const maxCachedSplits = 10_000;

/** Terms of a query that are split, because each costs a lookup for every letter. */
export const maxSplitTerms = 8;

/**
 * Matches products whose names have the parts of a word side by side: `sun glasses` for `sunglasses`, `wh 1000 xm4` for
 * `wh1000xm4`. Whether other products have the word makes no difference.
 * @param asPrefix whether a number at the end may go on: `iphone15` for `iPhone 150`
 */
export const splitSources = (
  context: SearchContext,
  { surface }: Token,
  asPrefix: boolean,
): readonly PostingSource[] => {
  const isPrefix = (phrase: Phrase): boolean =>
    asPrefix && longNumber.test(phrase.at(-1)?.surface ?? "");
  // The cache is for words of letters, because a new number does not change the counter that it depends on.
  const phrases = /\d/.test(surface)
    ? findPhrases(context, splitAtDigits(surface), isPrefix)
    : getWordPhrases(context, surface);
  return phrases.map((phrase) => adjacentSource(context, phrase, isPrefix(phrase)));
};

/** One digit begins too many numbers. */
const longNumber = /^\d{2,}$/;

const getWordPhrases = (context: SearchContext, surface: string): readonly Phrase[] => {
  const splits = context.splits();
  const phrases =
    splits.get(surface) ?? findPhrases(context, splitEverywhere(surface), () => false);
  if (splits.size > maxCachedSplits) splits.clear();
  splits.set(surface, phrases);
  return phrases;
};

/** Selects the splits of which products have each part. The last part of a prefix need not be a complete number. */
const findPhrases = (
  context: SearchContext,
  splits: readonly (readonly string[])[],
  isPrefix: (phrase: Phrase) => boolean,
): readonly Phrase[] =>
  splits
    // Checks the first part alone, because products have few of them. The other parts of the rest need no stem.
    .filter(([first = ""]) => isIndexed(context, context.toToken(first)))
    .map((parts) => parts.map(context.toToken))
    .filter((phrase) => !phrase.every(context.isStopWord))
    .filter((phrase) =>
      phrase.slice(1, isPrefix(phrase) ? -1 : undefined).every((part) => isIndexed(context, part)),
    );

const isIndexed = ({ stored }: SearchContext, { stem }: Token): boolean =>
  stored.has(tables.postingLists, termKey(stem));

/** A single letter behind a word is mostly an ending: `hoses` is no `Hose S`. */
const minSecond = 2;
/** No word of two that shops write is longer. */
const maxLetters = 30;

const splitEverywhere = (surface: string): readonly (readonly string[])[] =>
  surface.length > maxLetters
    ? []
    : Array.from({ length: Math.max(0, surface.length - minSecond) }, (_, at) => [
        surface.slice(0, at + 1),
        surface.slice(at + 1),
      ]);

const maxNumberParts = 4;

/** Splits between letters and digits, at one or more of these positions. */
const splitAtDigits = (surface: string): readonly (readonly string[])[] => {
  const [first = "", ...others] = surface.split(digitEdge);
  if (others.length === 0 || others.length >= maxNumberParts) return [];
  const joined = others.reduce<readonly (readonly string[])[]>(
    (splits, part) =>
      splits.flatMap((parts) => [
        [...parts.slice(0, -1), `${parts.at(-1)}${part}`],
        [...parts, part],
      ]),
    [[first]],
  );
  return joined.filter(({ length }) => length > 1);
};

const digitEdge = /(?<=\d)(?=\p{L})|(?<=[\p{L}\p{M}])(?=\d)/u;
