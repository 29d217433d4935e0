import type { Token } from "./token.ts";

/** Splits a size into its numbers, and one of three numbers into its pairs, too: `80x30x40`. */
export const splitSize = ({ surface }: Token): readonly string[] => {
  if (!size.test(surface)) return [];
  const parts = surface.split(sizeSign);
  const pairs = parts.slice(1).map((part, at) => `${parts[at]}x${part}`);
  return parts.length > 2 ? [...parts, ...pairs] : parts;
};

const size = /^\d+(?:x\d+\p{L}*)+$/u;
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

const minLongWord = 3;
const ideographs = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+$/u;
