import { replaceAll, type SpellingRules } from "./spelling-rules.ts";

/** The plural -ات becomes the -ة of the singular. The stemmer takes off one of its two letters. */
const arabic: SpellingRules = { before: replaceAll([/(?<=...)ات$/, "ة", "ت"]) };

const armenian: SpellingRules = { after: replaceAll([/(?<=...)(?:ները?|երը?)$/, ""]) };

/** A vowel between the last two consonants comes and goes: `носок`, `носки`; `сумка`, `сумок`; `огурец`, `огурцы`. */
const fleetingVowel = replaceAll([/(?<=[^аеёиіїоуыэюяє])[еёоє](?=[кц]$)|ь(?=[кц]$)/, ""]);

const eastSlavic: SpellingRules = {
  after: (stem) => (stem.length < 4 ? stem : fleetingVowel(stem)),
};

/** Forms of one word differ in the length of the last consonant and in the vowel of the ending. */
const finnish: SpellingRules = {
  before: replaceAll([/(?<=.[aeiouyäö])nen$/, "se", "n"]),
  after: replaceAll(
    [/(?<=...)j$/, "", "j"],
    [/(?<=..[^aeiouyäö])e$/, "", "e"],
    [/(?<=...)[aäei]$/, "", "aäei"],
    [/(?<=..)im$|(?<=...)in$/, "", "mn"],
    [/(?<=[aeiouyäö])ks$/, "s", "s"],
    [/(?<=[aeiouyäö])ng(?=[ouyö]?$)/, "nk", "gouyö"],
    [/(?<=[aeiouyäö])d(?=[ouyö]?$)/, "t", "douyö"],
    [/([klpt])\1(?=[ouyö]?$)/, "$1", "klptouyö"],
  ),
};

const greek: SpellingRules = {
  after: replaceAll([/(?<=...)ι$/, "", "ι"], [/(?<=....)[ιί]δ$/, "", "δ"]),
};

/** The possessive of words of one syllable, which the stemmer keeps. */
const indonesian: SpellingRules = {
  before: replaceAll([/(?<=^[^aeiou]+[aeiou][^aeiou]+)nya$/, ""]),
};

/** The stemmer knows endings of verbs and cases, and no plurals. */
const irish: SpellingRules = {
  after: replaceAll(
    [/(?<=...)eacha$|(?<=...)acha$/, ""],
    [/(?<=..[^aeiouáéíóú])[aeiouáéíóú]+$/, ""],
  ),
};

/** Short words have -ov- or -ev- between the stem and the ending of their plural. */
const serbian: SpellingRules = { after: replaceAll([/(?<=..[^aeiou])[oe]v$/, ""]) };

/** A final m of the singular is ng before the plural. */
const tamil: SpellingRules = {
  before: replaceAll([/ங்கள்$/, "ம்", "்"], [/(?<=..)க்கள்$|(?<=..)கள்$/, "", "்"]),
};

/** Nouns that end in s. Behind any other vowel an s belongs to the possessive -sı, as in `el çantası`. */
const turkishInS = new Set(
  "adres otobüs minibüs elmas ananas kaktüs virüs atlas kampüs ofis servis tenis kafes nefes teras mühendis".split(
    " ",
  ),
);

const turkish: SpellingRules = {
  after: (stem) => (turkishInS.has(stem) ? stem : stem.replace(/(?<=..[aeıioöuü])s$/, "")),
  isRepeated: true,
};

export const otherRules: Readonly<Record<string, SpellingRules>> = {
  ar: arabic,
  el: greek,
  fi: finnish,
  ga: irish,
  hu: { isRepeated: true },
  hy: armenian,
  id: indonesian,
  ru: eastSlavic,
  sr: serbian,
  ta: tamil,
  tr: turkish,
  uk: eastSlavic,
};
