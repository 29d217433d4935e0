import type { Language } from "./language.ts";
import type { Token } from "./token.ts";
import { tokenize } from "./tokenizer.ts";

/** A synonym of the shop: a query with the phrase matches each of the alternatives, too. */
export interface Synonym {
  readonly phrase: string;
  readonly meanings: readonly string[];
}

export type Thesaurus = ReturnType<typeof buildThesaurus>;

/** Builds the look-up of synonyms by the stems of consecutive query tokens. */
export const buildThesaurus = (synonyms: readonly Synonym[], language: Language) => {
  const alternativesByPhrase = new Map<string, (readonly Token[])[]>();
  let maxPhraseLength = 0;
  for (const { phrase, meanings } of synonyms) {
    const stems = tokenize(phrase, language).map(({ stem }) => stem);
    if (stems.length === 0) continue;
    maxPhraseLength = Math.max(maxPhraseLength, stems.length);
    const alternatives = alternativesByPhrase.get(stems.join(" ")) ?? [];
    alternativesByPhrase.set(stems.join(" "), alternatives);
    for (const alternative of meanings) {
      const tokens = tokenize(alternative, language);
      if (tokens.length > 0) alternatives.push(tokens);
    }
  }
  return {
    /** Number of stems in the longest phrase that has a synonym. */
    maxPhraseLength,
    /** Finds alternative phrases, each of one or more tokens. */
    alternatives: (stems: readonly string[]): readonly (readonly Token[])[] =>
      alternativesByPhrase.get(stems.join(" ")) ?? [],
  };
};
