import { copyString } from "../../../text/copy-string.ts";
import type { Language } from "./language.ts";
import { foldDiacritics } from "./text-normalisation.ts";

/** A word with its surface form and its stem, both without case and accents. */
export interface Token {
  readonly surface: string;
  readonly stem: string;
  /** Mark of the spelling with its accents and signs, see `markSpelling`. */
  readonly spelling: SpellingMark;
  /** Whether the spelling has a sign beside the word: `c#`. */
  readonly isSigned?: true;
}

/**
 * Four bits of a spelling. Forms of one stem mostly have different marks, so that products with a word as the query spells
 * it rank before those with another form.
 */
export type SpellingMark = number;

/** Computes a checksum that differs for the endings of most languages. */
export const markSpelling = (spelling: string): SpellingMark => {
  let sum = 5 * spelling.length;
  for (let at = 0; at < spelling.length; at += 1) sum += spelling.charCodeAt(at);
  return sum & 15;
};

/** In UTF-16 units. A longer token is cut, in the index and in queries alike. */
export const maxTokenLength = 40;

/** Creates a token without a stem of its own: model numbers, sizes and the like are no words of a language. */
export const toCodeToken = (raw: string): Token => {
  const surface = foldDiacritics(raw);
  return { surface, stem: surface, spelling: markSpelling(raw) };
};

/** The tokens met last are cached, because texts repeat their words. */
const maxCachedTokens = 20_000;
const factoriesByLanguage = new WeakMap<Language, (raw: string) => Token>();

/** Gets the function that creates the tokens of a language. */
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
  return { surface, stem: foldDiacritics(stem(word)) || surface, spelling: markSpelling(raw) };
};
