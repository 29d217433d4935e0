import { createRequire } from "node:module";

/** Reduces a word in lower case, accents kept, to its stem. */
export type Stemmer = (word: string) => string;

/** Modules with Snowball's stemmers by ISO 639-1 code. */
const modules: Readonly<Record<string, string>> = {
  ar: "arabic",
  bg: "bulgarian",
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
  nb: "norwegian",
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

const require = createRequire(import.meta.url);
const loaded = new Map<string, Stemmer>();

/**
 * Gets the stemmer of a language; `identityStemmer` for a language without one. Loads the module of a language at its first use,
 * because all of them take 35 ms of each start.
 */
export const getStemmer = (language = "en"): Stemmer => {
  const name = Object.hasOwn(modules, language) ? modules[language] : undefined;
  if (name === undefined) return identityStemmer;
  const stemmer = loaded.get(name) ?? loadStemmer(name);
  loaded.set(name, stemmer);
  return stemmer;
};

const loadStemmer = (name: string): Stemmer => {
  const { stemmer }: { readonly stemmer: Stemmer } = require(`@orama/stemmers/${name}`);
  return stemmer;
};
