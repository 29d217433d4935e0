import type { Stemmer } from "./stemmer.ts";
import { type Word, wordsOf } from "./tokenizer.ts";

/** A synonym of the shop: a query with the phrase matches each of the alternatives, too. */
export interface Synonym {
  readonly said: string;
  readonly means: readonly string[];
}

/** Looks up synonyms by the stems of consecutive query tokens. */
export interface Thesaurus {
  /** Number of stems in the longest phrase that has a synonym. */
  readonly longest: number;
  /** Finds alternative phrases, each of one or more tokens. */
  alternatives(stems: readonly string[]): readonly (readonly Word[])[];
}

/** Builds the thesaurus of a language: phrases by their stems. */
export const thesaurusOf = (synonyms: readonly Synonym[], stemmer: Stemmer): Thesaurus => {
  const alternativesByPhrase = new Map<string, (readonly Word[])[]>();
  let maxPhraseLength = 0;
  for (const { said: phrase, means: meanings } of synonyms) {
    const stems = wordsOf(phrase, stemmer).map(({ stem }) => stem);
    if (stems.length === 0) continue;
    maxPhraseLength = Math.max(maxPhraseLength, stems.length);
    const alternatives = alternativesByPhrase.get(stems.join(" ")) ?? [];
    alternativesByPhrase.set(stems.join(" "), alternatives);
    for (const alternative of meanings) {
      const tokens = wordsOf(alternative, stemmer);
      if (tokens.length > 0) alternatives.push(tokens);
    }
  }
  return {
    longest: maxPhraseLength,
    alternatives: (stems) => alternativesByPhrase.get(stems.join(" ")) ?? [],
  };
};
