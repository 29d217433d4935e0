import { germanicRules } from "./germanic-rules.ts";
import { createBaseFormLookup } from "./irregular-words.ts";
import { otherRules } from "./other-rules.ts";
import { romanceRules } from "./romance-rules.ts";
import type { SpellingRules } from "./spelling-rules.ts";

const rulesByLanguage: Readonly<Record<string, SpellingRules>> = {
  ...germanicRules,
  ...otherRules,
  ...romanceRules,
};

/**
 * Adds irregular forms and spelling rules to a stemmer.
 * @returns a stemmer that never removes all letters of a word
 */
export const extendStemmer = (language: string, stemmer: Stemmer): Stemmer => {
  const { before, after, isRepeated } = rulesByLanguage[language] ?? {};
  const findBaseForm = createBaseFormLookup(language);
  const stemOnce: Stemmer = after === undefined ? stemmer : (word) => after(stemmer(word));
  const stemSpelled = isRepeated ? repeat(stemOnce) : stemOnce;
  const respell = (word: string): string => {
    const base = findBaseForm?.(word);
    if (before === undefined) return base ?? word;
    const spelled = before(base ?? word);
    // An irregular form may have the letters of another keyboard.
    const isNew = base === undefined && spelled !== word;
    return (isNew ? findBaseForm?.(spelled) : undefined) ?? spelled;
  };
  return (word) => {
    if (isKatakana(word)) return dropFinalLongVowel(word);
    return stemSpelled(respell(word)) || word;
  };
};

const isKatakana = (word: string): boolean => {
  const code = word.charCodeAt(word.length - 1);
  return code >= 0x30a1 && code <= 0x30fc;
};

/** More endings than a word has. */
const maxRepeats = 5;

const repeat =
  (stemmer: Stemmer): Stemmer =>
  (word) => {
    let stem = stemmer(word);
    for (let times = 1; times < maxRepeats; times += 1) {
      const next = stemmer(stem);
      if (next === stem || next === "") break;
      stem = next;
    }
    return stem;
  };

/** Reduces a word in lower case, accents kept, to its stem. */
export type Stemmer = (word: string) => string;

/** A katakana word of at least four characters, with the mark of a long vowel at its end. */
const longVowelAtEnd = /^[\u30a1-\u30fa\u30fc]{3,}\u30fc$/;

/** Removes the final mark of a long vowel, because it is written or not: `コンピューター`, `コンピュータ`. */
export const dropFinalLongVowel = (word: string): string =>
  word.charCodeAt(word.length - 1) === 0x30fc && longVowelAtEnd.test(word)
    ? word.slice(0, -1)
    : word;
