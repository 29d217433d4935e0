import type { PostingSource } from "../postings/posting-source.ts";
import type { Token } from "../text/token.ts";
import type { SearchContext } from "./search-context.ts";
import { adjacentSource, textSource } from "./term-source.ts";

/** Terms of a query that are split, because each takes a look at the index for every letter. */
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
  const hasDigit = /\d/.test(surface);
  const splits = hasDigit ? splitAtDigits(surface) : splitEverywhere(surface);
  return splits.flatMap((parts) => {
    const tokens = parts.map(context.toToken);
    const isJoined = !hasDigit && tokens.some(isIndexedJoined(context));
    if (isJoined || tokens.every(context.isStopWord)) return [];
    const sources = openAll(context, tokens, asPrefix);
    return sources ? [adjacentSource(sources)] : [];
  });
};

/** Opens the source of each part. @returns undefined when a part has no products; further parts are not read then */
const openAll = (
  context: SearchContext,
  tokens: readonly Token[],
  asPrefix: boolean,
): readonly PostingSource[] | undefined => {
  const sources: PostingSource[] = [];
  for (const [at, token] of tokens.entries()) {
    const isPrefix = asPrefix && at === tokens.length - 1 && longNumber.test(token.surface);
    const source = textSource(context, token, isPrefix);
    if (source.count === 0) return undefined;
    sources.push(source);
  }
  return sources;
};

/** One digit begins too many numbers. */
const longNumber = /^\d{2,}$/;

/** Whether the index has the word with this part as one, too, see `joinNeighbours`. */
const isIndexedJoined =
  ({ isStopWord }: SearchContext) =>
  (part: Token): boolean =>
    /^\p{L}{1,2}$/u.test(part.surface) && !isStopWord(part);

const minPart = 2;
/** No word of two that shops write is longer. */
const maxLetters = 30;

const splitEverywhere = (surface: string): readonly (readonly string[])[] =>
  surface.length > maxLetters
    ? []
    : Array.from({ length: Math.max(0, surface.length - 2 * minPart + 1) }, (_, at) => [
        surface.slice(0, at + minPart),
        surface.slice(at + minPart),
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
