import { replaceAll, type SpellingRules } from "./spelling-rules.ts";

/** Plurals in -ces of nouns in -ce, by their letters before -ces. */
const spanishInCe =
  /^(?:dul|avan|alcan|balan|bron|cau|lan|percan|roman|tran|enla|desenla|go|ro|[íi]ndi|v[ée]rti|ap[ée]ndi|h[ée]li|c[óo]di|[áa]pi|c[óo]mpli|art[íi]fi)ces$/;

const spanishPlurals = replaceAll(
  [/(?<=.[aeiouáéíóú])ces$/, "z", "s"],
  [/(?<=...[ae]r)es$/, "", "s"],
);

/**
 * A final z is c before the ending: `lápiz`, `lápices`. Without -es, the stemmer cuts the same part off the plural as off the
 * singular: `mujer`, `mujeres`.
 */
const spanish: SpellingRules = {
  before: (word) => (word.endsWith("es") && !spanishInCe.test(word) ? spanishPlurals(word) : word),
};

/** Words that end as plurals of -al, -ol and -ul do. */
const portugueseSingulars = new Set(
  "mais cais jamais demais vais pois dois depois seis".split(" "),
);

/** Plurals of words in -ão, -al, -el, -il, -ol, -ul and -m, with and without accents. -il and -el have one plural. */
const portuguesePlurals = replaceAll(
  [/(?<=..)[õo]es$|(?<=.)ães$|(?<=..)aes$|(?<=.)ãos$|(?<=..)aos$|(?<=.)ao$/, "ão", "so"],
  [/cão$/, "ção", "o"],
  [/^ção$/, "cão", "o"],
  [/(?<=.)ais$/, "al", "s"],
  [/(?<=.)[óo]is$/, "ol", "s"],
  [/(?<=[^gq])uis$/, "ul", "s"],
  [/(?<=nt)is$/, "il", "s"],
  [/(?<=.)éis$|(?<=..)eis$/, "el", "s"],
  [/(?<=[eioõuéíóú])ns?$/, "m", "ns"],
);

const portuguese: SpellingRules = {
  before: (word) =>
    portugueseSingulars.has(word) || word === "caos" ? word : portuguesePlurals(word),
  after: replaceAll([/(?<=..)il$/, "el", "l"]),
};

/** Letters that keep the sound of g and c before an i or e. */
const italian: SpellingRules = {
  after: replaceAll([/(?<=[aeiou].*[gc])h$/, "", "h"], [/(?<=..[ao])i$/, "", "i"]),
};

/** Old keyboards have cedillas in place of commas. A vowel of the last syllable changes before an ending: `telefon`, `telefoane`. */
const romanian: SpellingRules = {
  before: replaceAll([/ş/g, "ș"], [/ţ/g, "ț"]),
  after: replaceAll([/oa(?=[^aeiouăâî]+$)/, "o"], [/ea(?=[^aeiouăâî]+$)/, "e"]),
};

export const romanceRules: Readonly<Record<string, SpellingRules>> = {
  es: spanish,
  it: italian,
  pt: portuguese,
  ro: romanian,
};
