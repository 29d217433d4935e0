import type { Stemmer } from "./stemmer.ts";
import { type Word, wordsOf } from "./tokenizer.ts";

/** What a shop's customers say in other words: wherever a query says `said`, it may mean any of `means` too. */
export interface Synonym {
  readonly said: string;
  readonly means: readonly string[];
}

/** By the stems a query would have to say, one after the other. */
export interface Thesaurus {
  /** Stems in the longest phrase that has a synonym. */
  readonly longest: number;
  /** Other ways to say it, each in one word or several. */
  alternatives(stems: readonly string[]): readonly (readonly Word[])[];
}

/** The synonyms as a query in this language meets them. */
export const thesaurusOf = (synonyms: readonly Synonym[], stemmer: Stemmer): Thesaurus => {
  const known = new Map<string, (readonly Word[])[]>();
  let longest = 0;
  for (const { said, means } of synonyms) {
    const stems = wordsOf(said, stemmer).map(({ stem }) => stem);
    if (stems.length === 0) continue;
    longest = Math.max(longest, stems.length);
    const alternatives = known.get(stems.join(" ")) ?? [];
    known.set(stems.join(" "), alternatives);
    for (const meant of means) {
      const words = wordsOf(meant, stemmer);
      if (words.length > 0) alternatives.push(words);
    }
  }
  return { longest, alternatives: (stems) => known.get(stems.join(" ")) ?? [] };
};
