import type { Stemmer } from "./stemmer.ts";

/** Longest word kept, in UTF-16 units: anything longer is cut, in the index and in the query alike. */
const longest = 40;

/** A word as written, and as its stem; both without case and accents. */
export interface Word {
  readonly written: string;
  readonly stem: string;
}

/**
 * The words of a text, split at everything that is neither letter nor digit; where a script writes no spaces, at
 * the boundaries Unicode's dictionaries know.
 */
export const wordsOf = (text: string, stemmer: Stemmer): Word[] => {
  const words: Word[] = [];
  const known = wordsKnown(stemmer);
  const add = (raw: string): void => {
    const word = known(raw.length > longest ? raw.slice(0, longest) : raw);
    if (word.written !== "") words.push(word);
  };
  const plain = prepared(text);
  const isSpaced = !spaceless.test(plain);
  for (const part of plain.split(between)) {
    if (part === "") continue;
    if (isSpaced) add(part);
    else for (const raw of segmented(part)) add(raw);
  }
  return words;
};

/** What a text is found by: each word as written and as its stem. */
export const termsOf = (text: string, stemmer: Stemmer): Set<string> =>
  new Set(wordsOf(text, stemmer).flatMap(({ written, stem }) => [written, stem]));

/**
 * Model numbers whose parts are also words (`WH-1000XM4`, `usb_3.0`): written together, as many ask for them.
 * Only where a letter meets a digit, so that neither compounds nor dates are doubled.
 */
export const compoundsOf = (text: string): string[] =>
  ((joins.test(text) && prepared(text).match(joined)) || [])
    .filter((part) => /\d/.test(part) && /\p{L}/u.test(part))
    .map((part) => fold(part.replace(/[-_./]/g, "")).slice(0, longest));

/** Without case, compatibility forms and accents. */
export const foldText = (text: string): string => fold(prepared(text));

/**
 * A reference or GTIN without separators and case, so that "AB-12 3" finds "ab123"; empty when nothing is left.
 * Zeros that only fill a barcode up to another standard's length do not count.
 */
export const identifierOf = (text: string): string => {
  const plain = prepared(text)
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 100);
  return /^\d{8,14}$/.test(plain) ? plain.replace(/^0+(?=\d{7})/, "") : plain;
};

const between = /[^\p{L}\p{N}\p{M}]+/u;
const joined = /[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)+/gu;
const joins = /[-_./]/;

/** Scripts that put no spaces between words. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

const segmented = (part: string): string[] =>
  spaceless.test(part) ? [...segmenter.segment(part)].map(({ segment }) => segment) : [part];

const plainAscii = /^[\x20-\x7e]*$/;

const prepared = (text: string): string =>
  (plainAscii.test(text) ? text : text.normalize("NFKC")).toLowerCase();

const fold = (word: string): string =>
  plainAscii.test(word) ? word : word.normalize("NFKD").replace(/\p{M}+/gu, "");

/** Texts repeat their words: each is stemmed once, until so many are known that it begins anew. */
const mostKnown = 20_000;
const knownByStemmer = new WeakMap<Stemmer, Map<string, Word>>();

const wordsKnown = (stemmer: Stemmer): ((raw: string) => Word) => {
  const known = knownByStemmer.get(stemmer) ?? new Map<string, Word>();
  knownByStemmer.set(stemmer, known);
  return (raw) => {
    let word = known.get(raw);
    if (word) return word;
    const written = fold(raw);
    // Stems are cut before accents are folded: stemmers know their language's letters.
    word = { written, stem: fold(stemmer(raw)) || written };
    if (known.size >= mostKnown) known.clear();
    known.set(raw, word);
    return word;
  };
};
