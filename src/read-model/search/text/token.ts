import { copyString } from "../../../text/copy-string.ts";
import type { Stemmer } from "./stemmer.ts";
import { foldDiacritics } from "./text-normalisation.ts";

/** A word with its surface form and its stem, both without case and accents. */
export interface Token {
  readonly surface: string;
  readonly stem: string;
}

/** In UTF-16 units. A longer token is cut, in the index and in queries alike. */
export const maxTokenLength = 40;

/** Creates a token without a stem of its own: model numbers, sizes and the like are no words of a language. */
export const toCodeToken = (raw: string): Token => {
  const surface = foldDiacritics(raw);
  return { surface, stem: surface };
};

/** The tokens met last are cached, because texts repeat their words. */
const maxCachedTokens = 20_000;
const factoriesByStemmer = new WeakMap<Stemmer, (raw: string) => Token>();

/** Gets the function that creates the tokens of a language. */
export const getTokenFactory = (stemmer: Stemmer): ((raw: string) => Token) => {
  const factory = factoriesByStemmer.get(stemmer) ?? createTokenFactory(stemmer);
  factoriesByStemmer.set(stemmer, factory);
  return factory;
};

const createTokenFactory = (stemmer: Stemmer): ((raw: string) => Token) => {
  let [recent, previous] = [new Map<string, Token>(), new Map<string, Token>()];
  return (raw) => {
    const cached = recent.get(raw);
    if (cached) return cached;
    const copy = copyString(raw);
    if (recent.size >= maxCachedTokens) [recent, previous] = [new Map(), recent];
    const surface = foldDiacritics(copy);
    // Stemming precedes the removal of accents, because stemmers know their language's letters.
    const token = previous.get(copy) ?? { surface, stem: foldDiacritics(stemmer(copy)) || surface };
    recent.set(copy, token);
    return token;
  };
};
