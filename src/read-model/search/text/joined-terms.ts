import type { Language } from "./language.ts";
import { maxTokenLength } from "./token.ts";

/** Joins words that a text writes apart and other texts write together. The functions read the output of `prepareText`. */

/**
 * Joins the parts of model numbers and compounds: `WH-1000XM4`, `usb_3.0`, `Wi-Fi`. Not across a decimal point or the stroke
 * of a fraction: 2.0m is not 20m.
 */
export const joinParts = (text: string): readonly string[] =>
  separator.test(text)
    ? (text.match(compound) ?? []).flatMap((match) => match.split(numberSeparator)).flatMap(join)
    : [];

const join = (text: string): readonly string[] => {
  if (!separator.test(text) || !letter.test(text)) return [];
  const parts = text.split(separator);
  if (digit.test(text)) return [parts.join("")];
  // A stroke and a low line separate words that mean something by themselves.
  if (/[_/]/.test(text) || parts.length > maxParts) return [];
  const pairs = parts.slice(1).map((part, at) => (parts[at] ?? "") + part);
  return [...new Set([...pairs, parts.join("")])];
};

/** Longer chains are whole phrases. */
const maxParts = 4;

/** From the start of a run only: matches from each of its letters would take a second for a long run. */
const compound = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]+(?:[-‐‑_./'][\p{L}\p{M}\p{N}]+)+/gu;
const separator = /[-‐‑_./']/;
const numberSeparator = /(?<=\d)[./](?=\d)/;
const letter = /\p{L}/u;
const digit = /\d/;

/** Joins neighbours, one of which is short: `60 W`, `5 m2`, `Wi Fi`, `T Shirt`. */
export const joinNeighbours = (text: string, language: Language): readonly string[] => {
  const joined: string[] = [];
  for (const [, first = "", second = ""] of text.matchAll(neighbours)) {
    const isPair = isNumberWithUnit(first, second) || isShortPair(first, second, language);
    if (isPair) joined.push(first + second);
  }
  return joined;
};

const neighbours = /(?<![\p{L}\p{M}\p{N}])([\p{L}\p{M}\p{N}]+) (?=([\p{L}\p{M}\p{N}]+))/gu;

const isNumberWithUnit = (first: string, second: string): boolean =>
  /^\d+$/.test(first) && /^\p{L}{1,3}[23]?$/u.test(second);

/** Not where the stemmer takes the second word for an ending of the first: `Hose M` is no form of `Hose`. */
const isShortPair = (
  first: string,
  second: string,
  { stem, stopWords, conjunctions }: Language,
): boolean =>
  (short.test(first) || short.test(second)) &&
  [first, second].every((word) => letters.test(word) && !conjunctions.includes(word)) &&
  ![first, second].some((word) => stopWords().has(word) && !consonant.test(word)) &&
  first.length + second.length <= maxTokenLength &&
  stem(first + second).length > first.length;

/** Lists of stop words have single letters, which are words of names: `T Shirt`, `X Box`. */
const consonant = /^[^aeiouy]$/;
const letters = /^[\p{L}\p{M}]+$/u;
const short = /^\p{L}{1,2}$/u;
