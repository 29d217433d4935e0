import { tables } from "../../schema/tables.ts";
import { termKey } from "../postings/list-keys.ts";
import { type Token, toCodeToken } from "../text/token.ts";
import type { SearchContext } from "./search-context.ts";

/** A word that a query writes with a space, with the indexes of its parts. */
interface JoinedWord {
  readonly from: number;
  readonly to: number;
  readonly token: Token;
}

/** Limits the tokens that are joined into one model number. */
const maxParts = 3;

/**
 * Joins neighbours of a query into words that products have: `wi fi` into `wifi`, `wh 1000 xm4` into `wh1000xm4`, `1,000` into
 * `1000`.
 * @returns a function that lists the words with the token at an index
 */
export const joinWords = (
  context: SearchContext,
  tokens: readonly Token[],
): ((index: number) => readonly Token[]) => {
  const words: JoinedWord[] = [];
  for (let from = 0; from < tokens.length; from += 1) {
    for (let to = from + 2; to <= Math.min(tokens.length, from + maxParts); to += 1) {
      const token = joinToken(context, tokens.slice(from, to));
      if (token) words.push({ from, to, token });
    }
  }
  return (index) =>
    words.filter(({ from, to }) => from <= index && index < to).map(({ token }) => token);
};

const joinToken = (context: SearchContext, parts: readonly Token[]): Token | undefined => {
  const surface = parts.map((part) => part.surface).join("");
  return /\d/.test(surface)
    ? joinModelNumber(context, parts, surface)
    : joinCompound(context, parts, surface);
};

const joinModelNumber = (
  context: SearchContext,
  parts: readonly Token[],
  surface: string,
): Token | undefined => {
  const written = parts
    .map((part) => part.surface)
    .join(" ")
    .replace(thousands, "x");
  const isModel = /\p{L}/u.test(written) && !/\d \d/.test(written);
  return isModel && isTermIndexed(context, surface) ? toCodeToken(surface) : undefined;
};

/** Other digits must not meet: the separator between them may have been a decimal point. */
const thousands = /^[1-9]\d{0,2}(?: \d{3})+(?!\d)/;

/** A compound consists of two words, because three that stand together are rarely one. */
const joinCompound = (
  context: SearchContext,
  [first, second, ...more]: readonly Token[],
  surface: string,
): Token | undefined => {
  if (!first || !second || more.length > 0) return undefined;
  const compound = context.toToken(surface);
  const both = first.surface + context.toToken(second.surface).stem;
  const end = [...both, ""].findIndex((letter, at) => letter !== compound.stem[at]);
  // The stemmer must not take most of the second word for an ending of the first: `star ring` is not `starring`.
  const hasBoth = 2 * (end - first.surface.length) > both.length - first.surface.length;
  return hasBoth && isTermIndexed(context, compound.stem) ? compound : undefined;
};

/** Whether a product or the name of a category has a term. */
export const isTermIndexed = ({ stored, categoryTerms }: SearchContext, term: string): boolean =>
  stored.has(tables.postingLists, termKey(term)) || categoryTerms().findCategories([term]).size > 0;
