import { ownText } from "../../../text/copy-string.ts";
import type { Stemmer } from "./stemmer.ts";
import { fold, prepared } from "./text-normalisation.ts";

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
  const add = (raw: string, isCode: boolean): void => {
    const cut = raw.length > longest ? raw.slice(0, longest) : raw;
    const word = isCode ? asWritten(cut) : known(cut);
    if (word.written !== "") words.push(word);
  };
  const plain = prepared(text);
  let from = 0;
  let traits = 0;
  // Code by code: a pattern that splits costs several times as much.
  for (let at = 0; at <= plain.length; at += 1) {
    const kind = at < plain.length ? kindOf(plain.charCodeAt(at)) : separator;
    if (kind !== separator) {
      if (traits === 0) from = at;
      traits |= kind;
    } else if (traits !== 0) {
      addPart(plain.slice(from, at), traits, add);
      traits = 0;
    }
  }
  return words;
};

type Add = (raw: string, isCode: boolean) => void;

const addPart = (part: string, traits: number, add: Add): void => {
  if (traits & half) {
    for (const piece of part.split(between)) {
      if (spaceless.test(piece)) addPart(piece, unspaced, add);
      else if (piece !== "") add(piece, hasDigit.test(piece));
    }
  } else if (traits & unspaced) {
    for (const segment of segmentsOf(part)) add(segment, hasDigit.test(segment));
  } else add(part, (traits & digit) !== 0);
};

/** Characters that are segmented together: the time for a run without a mark or a space grows with its square. */
const mostSegmented = 512;
const mostUnsure = 8;

function* segmentsOf(run: string): Iterable<string> {
  let from = 0;
  while (run.length - from > mostSegmented) {
    const cut = Array.from(
      segmenter.segment(run.slice(from, from + mostSegmented)),
      ({ segment }) => segment,
    );
    // Where the last ones end depends on what comes behind: they are begun again with it.
    cut.splice(Math.max(1, cut.length - mostUnsure));
    for (const segment of cut) from += segment.length;
    yield* cut;
  }
  for (const { segment } of segmenter.segment(run.slice(from))) yield segment;
}

/** What a text is found by: each word as written and as its stem. */
export const termsOf = (text: string, stemmer: Stemmer): Set<string> =>
  new Set(wordsOf(text, stemmer).flatMap(({ written, stem }) => [written, stem]));

/**
 * Model numbers whose parts are also words (`WH-1000XM4`, `usb_3.0`): written together, as many ask for them.
 * Only where a letter meets a digit, so that neither compounds nor dates are doubled, and never across the point of
 * a decimal or the stroke of a fraction: 2.0m is not 20m.
 */
export const compoundsOf = (text: string): string[] =>
  ((joins.test(text) && prepared(text).match(joined)) || [])
    .flatMap((part) => part.split(inNumbers))
    .filter((part) => joins.test(part) && /\d/.test(part) && /\p{L}/u.test(part))
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

/** The same as a word of a longer query. */
export const wordOfIdentifier = (text: string): string =>
  fold(identifierOf(text)).slice(0, longest);

const between = /[^\p{L}\p{N}\p{M}]+/u;
/** From the start of a run only: whoever tried from each of its letters would take a second for a long one. */
const joined = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)+/gu;
const joins = /[-_./]/;
const inNumbers = /(?<=\d)[./](?=\d)/;
const hasDigit = /[0-9]/;

/** Scripts that put no spaces between words. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Kinds of UTF-16 units, bits of what a word is made of. */
const [separator, letter, digit, unspaced, half] = [1, 2, 4, 8, 16];
const kinds = new Uint8Array(0x10000);

/** Found out once for each unit, by the patterns. */
const kindOf = (code: number): number => {
  const known = kinds[code] as number;
  if (known !== 0) return known;
  const kind = kindOfUnit(code);
  kinds[code] = kind;
  return kind;
};

const kindOfUnit = (code: number): number => {
  // Half a character past U+FFFF: which one it is, the patterns see in the whole.
  if (code >= 0xd800 && code <= 0xdfff) return half;
  const unit = String.fromCharCode(code);
  if (between.test(unit)) return separator;
  if (spaceless.test(unit)) return unspaced;
  return unit >= "0" && unit <= "9" ? digit : letter;
};

/** Model numbers, sizes and the like are no words of a language: they are kept as they are. */
const asWritten = (raw: string): Word => {
  const written = fold(raw);
  return { written, stem: written };
};

/** Texts repeat their words: each is stemmed once, while it is among those met last. */
const mostKnown = 20_000;
const knownByStemmer = new WeakMap<Stemmer, (raw: string) => Word>();

const wordsKnown = (stemmer: Stemmer): ((raw: string) => Word) => {
  const known = knownByStemmer.get(stemmer) ?? knowWords(stemmer);
  knownByStemmer.set(stemmer, known);
  return known;
};

const knowWords = (stemmer: Stemmer): ((raw: string) => Word) => {
  let [known, former] = [new Map<string, Word>(), new Map<string, Word>()];
  return (raw) => {
    const met = known.get(raw);
    if (met) return met;
    const own = ownText(raw);
    if (known.size >= mostKnown) [known, former] = [new Map(), known];
    const written = fold(own);
    // Stems are cut before accents are folded: stemmers know their language's letters.
    const word = former.get(own) ?? { written, stem: fold(stemmer(own)) || written };
    known.set(own, word);
    return word;
  };
};
