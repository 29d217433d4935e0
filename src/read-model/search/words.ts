import type { Stemmer } from "./stemmer.ts";

/** Longest word kept, in UTF-16 units: anything longer is cut, in the index and in the query alike. */
const longest = 40;

/** A word as written, and as its stem; both without case and accents. */
export interface Word {
  readonly written: string;
  readonly stem: string;
}

/** The words of a text, split at everything that is neither letter nor digit. */
export const wordsOf = (text: string, stemmer: Stemmer): Word[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map((word) => word.slice(0, longest))
    // Stems are cut before accents are folded: stemmers know their language's letters.
    .map((word) => ({ written: fold(word), stem: fold(stemmer(word)) }))
    .filter(({ written }) => written !== "");

/** What a text is found by: each word as written and as its stem. */
export const termsOf = (text: string, stemmer: Stemmer): Set<string> =>
  new Set(wordsOf(text, stemmer).flatMap(({ written, stem }) => [written, stem || written]));

const fold = (word: string): string => word.normalize("NFKD").replace(/\p{M}+/gu, "");

/** A reference or GTIN without separators and case, so that "AB-12 3" finds "ab123"; empty when nothing is left. */
export const identifierOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 100);
