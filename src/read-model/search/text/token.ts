import { copyString } from "../../../text/copy-string.ts";
import { hashString } from "../../../text/hash.ts";
import type { Language } from "./language.ts";
import { foldDiacritics } from "./text-normalisation.ts";

/** A word with its surface form and its stem, both without case and accents. */
export interface Token {
  readonly surface: string;
  readonly stem: string;
  /** Mark of the spelling with its accents and signs, see `markSpelling`. */
  readonly spelling: SpellingMark;
  /** Whether the spelling has a sign at the word: `c#`. */
  readonly isSigned?: true;
}

/**
 * Seven bits of a spelling: five of the surface form, two of its accents and signs. Forms of one stem mostly have different
 * marks, so that products with a word as the query spells it rank before those with another form.
 */
export type SpellingMark = number;

/** Marks a spelling. The upper two bits are 0 where it has neither accents nor signs. */
export const markSpelling = (spelling: string, surface: string): SpellingMark => {
  // The lowest bit is that of the length, because most forms differ by one letter.
  const form = (((hashString(surface) >>> 22) << 1) | (surface.length & 1)) & formMask;
  return spelling === surface ? form : form | (classifyMarks(spelling) << formBits);
};

/** Classifies accents from 1 to 3, so that those that distinguish words of a language differ: `avó`, `avô`; `péché`, `pêche`. */
const classifyMarks = (spelling: string): number => {
  // The summand separates `&` from `és`.
  if (!/^[\p{L}\p{M}\p{N}]+$/u.test(spelling)) return 1 + ((hashString(spelling) + 1) % 3);
  const accents = spelling.normalize("NFD").replace(/\P{M}/gu, "");
  const accentClass = endsAcute.test(accents) ? 0 : endsCircumflex.test(accents) ? 1 : 2;
  return 1 + ((accentClass + (accents.length > 1 ? 2 : 0)) % 3);
};

const [endsAcute, endsCircumflex] = [/[\u0301\u0309\u0327\u0328]$/, /[\u0302\u0308\u0323\u030c]$/];

const formBits = 5;
const formMask = (1 << formBits) - 1;

/** Tests whether two spellings differ at most in accents and signs. */
export const isSameForm = (one: SpellingMark, other: SpellingMark): boolean =>
  ((one ^ other) & formMask) === 0;

/** In UTF-16 units. A longer token is cut, in the index and in queries alike. */
export const maxTokenLength = 40;

/** Creates a token without a stem of its own: model numbers, sizes and the like are no words of a language. */
export const toCodeToken = (raw: string): Token => {
  const surface = foldDiacritics(raw);
  return { surface, stem: surface, spelling: markSpelling(raw, surface) };
};

/** The tokens met last are cached, because texts repeat their words. */
const maxCachedTokens = 20_000;
const factoriesByLanguage = new WeakMap<Language, (raw: string) => Token>();

export const getTokenFactory = (language: Language): ((raw: string) => Token) => {
  const factory = factoriesByLanguage.get(language) ?? createTokenFactory(language);
  factoriesByLanguage.set(language, factory);
  return factory;
};

const createTokenFactory = (language: Language): ((raw: string) => Token) => {
  let [recent, previous] = [new Map<string, Token>(), new Map<string, Token>()];
  return (raw) => {
    const cached = recent.get(raw);
    if (cached) return cached;
    const copy = copyString(raw);
    if (recent.size >= maxCachedTokens) [recent, previous] = [new Map(), recent];
    const token = previous.get(copy) ?? createToken(copy, language);
    recent.set(copy, token);
    return token;
  };
};

const createToken = (raw: string, { stem, conjunctions }: Language): Token => {
  const [conjunction = ""] = conjunctions;
  const isSign = raw === "&" || raw === "+";
  const word = isSign || conjunctions.includes(raw) ? conjunction : raw;
  const surface = foldDiacritics(isSign ? word : raw);
  // Stemming precedes the removal of accents, because stemmers know their language's letters.
  return {
    surface,
    stem: foldDiacritics(stem(word)) || surface,
    spelling: markSpelling(raw, surface),
  };
};
