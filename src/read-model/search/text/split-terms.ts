import { type Token, toCodeToken } from "./token.ts";

/** Splits a size into its numbers, and one of three numbers into its pairs, too: `80x30x40`. */
export const splitSize = ({ surface }: Pick<Token, "surface">): readonly string[] => {
  if (!surface.includes("x") || !size.test(surface)) return [];
  const parts = surface.split(sizeSign);
  const pairs = parts.slice(1).map((part, at) => `${parts[at]}x${part}`);
  return parts.length > 2 ? [...parts, ...pairs] : parts;
};

const size = /^\p{L}{0,8}\d+(?:x\d+\p{L}*)+$/u;
const sizeSign = /(?<=\d)x(?=\d)/;

/**
 * Splits a long Chinese or Japanese word into pieces of two characters, because its parts are words, too, and the dictionary
 * keeps them together.
 */
export const splitIdeographs = ({ surface }: Token): readonly string[] => {
  if (surface.length < minLongWord || !ideographs.test(surface)) return [];
  const characters = Array.from(surface);
  return characters.slice(1).map((character, at) => (characters[at] ?? "") + character);
};

/** Lists pieces of long words, pairs of Chinese characters that the dictionary separates, and the last character of each word. */
export const listPieces = (prepared: string, words: readonly Token[]): readonly string[] => {
  const pieces = words.flatMap(splitIdeographs);
  if (!eastern.test(prepared)) return pieces;
  const pairs = Array.from(prepared.matchAll(hanPair), ([, pair = ""]) => pair);
  const ends = words.flatMap(({ surface }) => surface.match(hanEnd)?.[1] ?? []);
  return [...new Set([...pieces, ...pairs, ...ends])];
};

const eastern = /[\u2e80-\uffff]/;
const hanPair = /(?=(\p{Script=Han}{2}))/gu;
const hanEnd = /\p{Script=Han}(\p{Script=Han})$/u;

/** Replaces a number that stands in a text again by a term of its own: `32 32` for the second of `32/32`. */
export const countNumbers = (tokens: readonly Token[]): readonly Token[] => {
  const counts = new Map<string, number>();
  return tokens.map((token) => {
    if (token.surface >= ":" || !integerPattern.test(token.surface)) return token;
    const count = 1 + (counts.get(token.surface) ?? 0);
    counts.set(token.surface, count);
    return count > 1 ? toCodeToken(Array(Math.min(count, 3)).fill(token.surface).join(" ")) : token;
  });
};

const integerPattern = /^\d{1,9}$/;

const minLongWord = 3;
const ideographs = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+$/u;
