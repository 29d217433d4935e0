/** Rewrites a word before or after the stemmer. Rules that follow the stemmer only join words that it gives different stems. */
export interface SpellingRules {
  readonly before?: (word: string) => string;
  readonly after?: (stem: string) => string;
  /**
   * Stems a stem again until it stays. The stemmer makes the singular of a plural, and cuts off more of that singular; so the two
   * meet. A stem stays together with all words that had it.
   */
  readonly isRepeated?: boolean;
}

/** A pattern, its replacement and, where the pattern matches at the end of a word only, the letters that it can end in. */
type Replacement = readonly [pattern: RegExp, replacement: string, lastLetters?: string];

/** Makes replacements one after the other. Checks the last letter first, because most patterns take longer than that. */
export const replaceAll =
  (...replacements: readonly Replacement[]) =>
  (word: string): string => {
    let text = word;
    for (const [pattern, replacement, lastLetters] of replacements) {
      if (lastLetters === undefined || lastLetters.includes(text.charAt(text.length - 1))) {
        text = text.replace(pattern, replacement);
      }
    }
    return text;
  };
