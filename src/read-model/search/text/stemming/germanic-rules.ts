import { replaceAll, type SpellingRules } from "./spelling-rules.ts";

/** Most words have no such letter, and one search is faster than three replacements. */
const onlyWhere =
  (letters: RegExp, respell: (word: string) => string) =>
  (word: string): string =>
    letters.test(word) ? respell(word) : word;

/**
 * `ae`, `oe` and `ue` are umlauts, as `ß` is `ss`. Not after a vowel or q (`neue`, `quelle`), and not where the e is the
 * first letter of an ending (`statuen`), except in words that end so (`schoen`, `gruen`).
 */
const germanUmlauts = replaceAll(
  [/(?<=sch|^f)oe(?=n)|(?<![aeiouyqäöü])oe(?!$|n$|s$)/g, "ö"],
  [/(?<=gr)ue(?=n)|(?<![aeiouyqäöü])ue(?!$|n$|s$)/g, "ü"],
  [/(?<![aeiouyqäöü])ae(?!$|n$|s$)/g, "ä"],
);

const german: SpellingRules = {
  before: onlyWhere(/[aou]e/, germanUmlauts),
};

/** Plurals in -s and -'s after a vowel, and in -ën. The stemmer leaves them as they are. */
const dutchPlurals = replaceAll(
  [/['’]s$/, "", "s"],
  [/(?<=[ie])e[ëe]n$/, "e", "n"],
  [/(?<=i)ën$/, "e", "n"],
  [/(?<=eau|[aeiouy].*[ghjklmnt]e|[aeiouy].*ie|[aeiouy].*[iu]re|[aeiouy].*[^aeiou]en)s$/, "", "s"],
);

/**
 * A syllable that ends in f or s has v or z before an ending, and a vowel that is doubled in it or a consonant that is doubled
 * behind it is single in the other form. The stemmer takes -s as an ending of the singular also where it belongs to the word.
 */
const dutchConsonants = replaceAll(
  [/z$/, "s", "z"],
  [/v$/, "f", "v"],
  [/([bcdfgklmnprst])\1$/, "$1", "bcdfgklmnprst"],
  [/(?<=[^aeiouyj])s$/, "", "s"],
  [/(?<=[^aeiou])([aeou])\1(?=[^aeiouyj]$)/, "$1"],
  [/(?<=[aeiou][^aeiou]+)en$/, "", "n"],
);

const dutch: SpellingRules = { before: dutchPlurals, after: dutchConsonants };

/** The letters of a neighbour's keyboard. */
const danishLetters = replaceAll([/aa/g, "å"], [/ä/g, "æ"], [/ö/g, "ø"]);
const swedishLetters = replaceAll([/aa/g, "å"], [/æ/g, "ä"], [/ø/g, "ö"]);

/** Words in -el lose their e before an ending: `nyckel`, `nycklar`. */
const scandinavianStem = replaceAll(
  [/(?<=[aeiouyæøåäö].*[^aeiouyæøåäölr])l$/, "el", "l"],
  [/([^aeiouyæøåäö])\1(?=el$)/, "$1", "l"],
);

export const germanicRules: Readonly<Record<string, SpellingRules>> = {
  da: { before: onlyWhere(/aa|[äö]/, danishLetters), after: scandinavianStem },
  de: german,
  nl: dutch,
  no: { before: onlyWhere(/aa|[äö]/, danishLetters), after: scandinavianStem },
  sv: { before: onlyWhere(/aa|[æø]/, swedishLetters), after: scandinavianStem },
};
