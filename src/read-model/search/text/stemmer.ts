import { createRequire } from "node:module";
import { dropFinalLongVowel, extendStemmer, type Stemmer } from "./stemming/extended-stemmer.ts";

export type { Stemmer };

/** Names of the modules of Snowball's stemmers and of their lists of stop words, by ISO 639-1 code. */
export const moduleNames: Readonly<Record<string, string>> = {
  ar: "arabic",
  da: "danish",
  de: "german",
  el: "greek",
  en: "english",
  es: "spanish",
  fi: "finnish",
  fr: "french",
  ga: "irish",
  hi: "indian",
  hu: "hungarian",
  hy: "armenian",
  id: "indonesian",
  it: "italian",
  lt: "lithuanian",
  ne: "nepali",
  nl: "dutch",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sr: "serbian",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
  uk: "ukrainian",
};

/** Returns each word unchanged. One constant, because the cache of tokens is keyed by stemmer. */
export const identityStemmer: Stemmer = (word) => word;

/**
 * Stems Bulgarian nouns: removes article, plural and final vowel. The package's stemmer is not used, because it throws a
 * TypeError for words like `часовници`: it assigns to the letters of a string.
 */
const stemBulgarian: Stemmer = (word) => {
  if (word.length < 4) return word;
  let stem = word;
  for (const [pattern, replacement] of bulgarianSteps) stem = stem.replace(pattern, replacement);
  return stem;
};

const bulgarianSteps: readonly (readonly [RegExp, string])[] = [
  // Articles.
  [/(?<=...)(?:ият|ът|то|те|ия|ят)$|(?<=..[ая])та$/, ""],
  // Plurals.
  [/(?<=...)(?:ове|ища|еве)$/, ""],
  [/(?<=..)ии?$/, ""],
  // Final vowels.
  [/(?<=..)я$/, ""],
  [/(?<=..)[аое]$/, ""],
  [/(?<=..[вжкчш])ет$/, ""],
  // Consonants and vowels that change before an ending: часовник, часовници; каталог, каталози; бял, бели; вятър, ветрове.
  [/(?<=...)ц$/, "к"],
  [/(?<=...)з$/, "г"],
  [/(?<=..[^аеиоуъюя])[еъ](?=[нлр]$)/, ""],
  [/(?<=[^аеиоуъюя])я(?=[^аеиоуъюя]{1,2}$)/, "е"],
];

const require = createRequire(import.meta.url);
const loaded = new Map<string, Stemmer>([["bg", extendStemmer("bg", stemBulgarian)]]);

/**
 * Gets the stemmer of a language with its irregular forms and spelling rules. All languages without a stemmer share one
 * function. Loads the module of a language at its first use, because all of them take 35 ms of each start.
 */
export const getStemmer = (language = "en"): Stemmer => {
  const code = aliases.get(language) ?? language;
  const stemmer = loaded.get(code) ?? loadStemmer(code);
  if (stemmer !== dropFinalLongVowel) loaded.set(code, stemmer);
  return stemmer;
};

const aliases: ReadonlyMap<string, string> = new Map([["nb", "no"]]);

const loadStemmer = (code: string): Stemmer => {
  const name = Object.hasOwn(moduleNames, code) ? moduleNames[code] : undefined;
  if (name === undefined) return dropFinalLongVowel;
  const { stemmer }: { readonly stemmer: Stemmer } = require(`@orama/stemmers/${name}`);
  return extendStemmer(code, stemmer);
};
