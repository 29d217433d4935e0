import { type Token, toCodeToken } from "../text/token.ts";
import { isTermIndexed } from "./is-term-indexed.ts";
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
 * Joins neighbours of a query into words that products have: `wi fi` into `wifi`, `wh 1000 xm4` into `wh1000xm4`.
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
  const isModel = /\p{L}/u.test(surface) && !parts.some(followsDigit);
  return isModel && isTermIndexed(context, surface) ? toCodeToken(surface) : undefined;
};

/** Whether two digits would meet. The separator between them may have been a decimal point. */
const followsDigit = ({ surface }: Token, at: number, parts: readonly Token[]): boolean =>
  /^\d/.test(surface) && /\d$/.test(parts[at - 1]?.surface ?? "");

/** A compound consists of two words, because three that stand together are rarely one. */
const joinCompound = (
  context: SearchContext,
  [first, second, ...more]: readonly Token[],
  surface: string,
): Token | undefined => {
  if (!first || !second || more.length > 0) return undefined;
  const compound = context.toToken(surface);
  // The stemmer must not take the second word for an ending of the first: `star ring` is not `starring`.
  const hasBoth = compound.stem === first.surface + context.toToken(second.surface).stem;
  return hasBoth && isTermIndexed(context, compound.stem) ? compound : undefined;
};
