import { tables } from "../../schema/tables.ts";
import { termKey } from "../postings/list-keys.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import { type Token, toCodeToken } from "../text/token.ts";
import type { SearchContext } from "./search-context.ts";
import { adjacentSource } from "./term-source.ts";

/**
 * Matches products whose names have the two parts of a word side by side: `sun glasses` for `sunglasses`, `iphone 15` for
 * `iphone15`. Whether other products have the word makes no difference.
 * @param asPrefix whether a number behind letters may go on: `iphone1`
 */
export const splitSources = (
  context: SearchContext,
  { surface }: Token,
  asPrefix: boolean,
): readonly PostingSource[] => {
  const hasDigit = /\d/.test(surface);
  const splits = hasDigit ? splitAtDigits(surface) : splitEverywhere(surface);
  return splits.flatMap(([one, other]) => {
    const first = toWord(context, one);
    const second = first && toWord(context, other);
    return second ? [adjacentSource(context, first, second, asPrefix && hasDigit)] : [];
  });
};

type Parts = readonly [string, string];

/** Words with a shorter part are in the index as one, too, see `joinNeighbours`. */
const minPart = 3;

const splitEverywhere = (surface: string): readonly Parts[] =>
  Array.from(
    { length: Math.max(0, surface.length - 2 * minPart + 1) },
    (_, at) => [surface.slice(0, at + minPart), surface.slice(at + minPart)] as const,
  );

const splitAtDigits = (surface: string): readonly Parts[] =>
  Array.from(
    surface.matchAll(digitEdge),
    ({ index }) => [surface.slice(0, index), surface.slice(index)] as const,
  );

/** Between letters and digits. */
const digitEdge = /(?<=\d)(?=\p{L})|(?<=[\p{L}\p{M}])(?=\d)/gu;

/** Makes a token of a part that tells something and that a product has, or a longer number in place of a number. */
const toWord = (context: SearchContext, part: string): Token | undefined => {
  const isNumber = /\d/.test(part);
  const token = isNumber ? toCodeToken(part) : context.toToken(part);
  const isFound = isNumber || context.stored.has(tables.postingLists, termKey(token.stem));
  return isFound && !context.isStopWord(token) ? token : undefined;
};
