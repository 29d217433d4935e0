/** Signs at words by which products differ (`C++`, `C#`, `.NET`), and signs that stand for a word (`&`). */

const ampersand = 0x26;
const plus = 0x2b;

/** Tests whether the character at an index is a sign between two words that stands for "and". */
export const isConjunction = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  if (code !== ampersand && code !== plus) return false;
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + 1, at + 3)];
  return sidesOf[code].some(([left, right]) => left.test(before) && right.test(after));
};

/** What stands next to a sign. `A+ rated` and `+1` have no such plus sign. */
const sidesOf = {
  [ampersand]: [[/[\p{L}\p{N}] ?$/u, /^ ?[\p{L}\p{N}]/u]],
  [plus]: [
    [/[\p{L}\p{N}] $/u, /^ [\p{L}\p{N}]/u],
    [/\p{L}$/u, /^\p{L}/u],
  ],
} as const;

const leadingSigns = ".+#@-";
const trailingSigns = "+#*";

/**
 * Reads a word with the signs that it starts or ends with.
 * @returns undefined for a word without such signs
 */
export const readSigns = (text: string, from: number, to: number): string | undefined => {
  let start = from;
  // Before the sign stands a space, or the text starts: a point ends a sentence, and a hyphen joins two words.
  if (leadingSigns.includes(text[from - 1] ?? " ") && (text[from - 2] ?? " ") === " ") start -= 1;
  let end = to;
  while (trailingSigns.includes(text[end] ?? " ")) end += 1;
  if (isWordCharacter.test(text[end] ?? "")) end = to;
  return start === from && end === to ? undefined : text.slice(start, end);
};

const isWordCharacter = /[\p{L}\p{N}]/u;
