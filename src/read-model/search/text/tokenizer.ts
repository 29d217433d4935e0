import { lazy } from "../../../platform/memo.ts";
import type { Language } from "./language.ts";
import { normalise } from "./text-normalisation.ts";
import { getTokenFactory, markSpelling, maxTokenLength, type Token, toCodeToken } from "./token.ts";

export const tokenize = (text: string, language: Language): Token[] =>
  tokenizeNormalised(removeElided(prepareText(text), language), language);

/** Normalises a text, with the parts of a size as one: `80 × 30` becomes `80x30`, `M4 × 25` becomes `m4x25`. */
export const prepareText = (text: string): string => normalise(text).replace(sizeSign, "x");

/**
 * Between two numbers, with a space on both sides or none: `9 X1 Carbon` has no size. The last letter is the Cyrillic one of
 * keyboards without x. Lengths before it are bounded, because each sign looks back.
 */
const sizeSign = /(?<=\d)(\s?)[x×✕✖*х]\1(?=\d)(?<=(?<![\p{L}\p{N}])\p{L}{0,8}\d{1,20}\1.\1)/gu;

/** Removes what an apostrophe joins to a word and is no part of it. */
export const removeElided = (prepared: string, { elision }: Language): string =>
  elision && prepared.includes("'") ? prepared.replace(elision, " ") : prepared;

/**
 * Splits a text into tokens, at everything that is neither letter nor digit. In scripts without spaces, it splits at
 * the boundaries of Unicode's dictionaries.
 * @param normalised output of `prepareText` or `removeElided`
 */
export const tokenizeNormalised = (normalised: string, language: Language): Token[] => {
  const tokens: Token[] = [];
  const toToken = getTokenFactory(language);
  const add = (raw: string, isCode: boolean): void => {
    const cut = raw.length > maxTokenLength ? raw.slice(0, maxTokenLength) : raw;
    const token = isCode ? toCodeToken(cut) : toToken(cut);
    if (token.surface !== "") tokens.push(token);
  };
  scanRuns(normalised, {
    run(from, to, traits) {
      const count = tokens.length;
      addPart(readDecimal(normalised, from, to), traits, add);
      const spelling = readSigns(normalised, from, to);
      if (spelling !== undefined && tokens.length > count) markLast(tokens, spelling);
    },
    separator(at) {
      if (language.conjunctions.length > 0 && isConjunction(normalised, at)) add("&", false);
    },
  });
  return tokens;
};

/** Reads a run. A fraction that repeats its whole number is read with it: `5.5`. Three digits may be thousands. */
const readDecimal = (text: string, from: number, to: number): string => {
  const run = text.slice(from, to);
  if (!".,".includes(text[from - 1] ?? " ")) return run;
  const number = text.slice(Math.max(0, from - 22), to).match(decimal)?.[0];
  return number?.replace(",", ".") ?? run;
};

const decimal = /(?<![\p{L}\p{N}])(?!\d{3}\D)(\d{1,20})[.,]\1(?!\d)[\p{L}\p{M}\p{N}]*$/u;

interface RunHandlers {
  /** Called for each run of letters and digits, with the kinds of its characters. */
  run(from: number, to: number, traits: number): void;
  separator(at: number): void;
}

/** Scans a text unit by unit, because a splitting pattern costs several times as much. */
const scanRuns = (text: string, { run, separator: onSeparator }: RunHandlers): void => {
  let from = 0;
  let traits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const kind = getKind(text.charCodeAt(at));
    if (kind !== separator) {
      if (traits === 0) from = at;
      traits |= kind;
      continue;
    }
    if (traits !== 0) run(from, at, traits);
    traits = 0;
    onSeparator(at);
  }
  if (traits !== 0) run(from, text.length, traits);
};

/** Marks the last token as spelled with signs: `c#`, `.net`. */
const markLast = (tokens: Token[], spelling: string): void => {
  const last = tokens.pop();
  if (last)
    tokens.push({ ...last, spelling: markSpelling(spelling, last.surface), isSigned: true });
};

type Add = (raw: string, isCode: boolean) => void;

const addPart = (part: string, traits: number, add: Add): void => {
  if (traits & surrogate) {
    for (const piece of part.split(separators)) {
      if (unsegmentedScript.test(piece)) addPart(piece, unsegmented, add);
      else if (piece !== "") add(piece, hasDigit.test(piece));
    }
  } else if (traits & unsegmented) {
    for (const segment of segmentText(part)) add(segment, hasDigit.test(segment));
  } else add(part, (traits & digit) !== 0);
};

/** Characters that are segmented together: the time for a text without a mark or a space grows with its square. */
const maxSegmentChars = 512;
const uncertainSegments = 8;

function* segmentText(text: string): Iterable<string> {
  let from = 0;
  while (text.length - from > maxSegmentChars) {
    const cut = Array.from(
      segmenter().segment(text.slice(from, from + maxSegmentChars)),
      ({ segment }) => segment,
    );
    // The last segments are segmented again with the text behind them, because it decides where they end.
    cut.splice(Math.max(1, cut.length - uncertainSegments));
    for (const segment of cut) from += segment.length;
    yield* cut;
  }
  for (const { segment } of segmenter().segment(text.slice(from))) yield segment;
}

/** Lists the index terms of a text: the surface form and the stem of each token. */
export const indexTerms = (text: string, language: Language): Set<string> =>
  new Set(tokenize(text, language).flatMap(({ surface, stem }) => [surface, stem]));

const separators = /[^\p{L}\p{N}\p{M}]+/u;
const hasDigit = /[0-9]/;

/** Scripts without spaces between words. */
const unsegmentedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Made for the first such text: its dictionaries take 20 ms to load. */
const segmenter = lazy(() => new Intl.Segmenter("und", { granularity: "word" }));

/** Kinds of UTF-16 units, one bit each. A part of a text has the bits of its units. */
const [separator, letter, digit, unsegmented, surrogate] = [1, 2, 4, 8, 16];
const kindByUnit = new Uint8Array(0x10000);

/** Classifies a unit by the patterns, once for each unit. */
const getKind = (code: number): number => {
  const cached = kindByUnit[code] as number;
  if (cached !== 0) return cached;
  const kind = classifyUnit(code);
  kindByUnit[code] = kind;
  return kind;
};

const classifyUnit = (code: number): number => {
  // Half of a character past U+FFFF; the patterns classify the complete character.
  if (code >= 0xd800 && code <= 0xdfff) return surrogate;
  const unit = String.fromCharCode(code);
  if (separators.test(unit)) return separator;
  if (unsegmentedScript.test(unit)) return unsegmented;
  return unit >= "0" && unit <= "9" ? digit : letter;
};

// Signs at words by which products differ (`C++`, `C#`, `.NET`), and signs that stand for a word (`&`).
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
