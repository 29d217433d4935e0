import { createRequire } from "node:module";
import { stemBulgarian } from "./stemming/bulgarian.ts";
import { extendStemmer } from "./stemming/extended-stemmer.ts";
import { dropFinalLongVowel } from "./stemming/katakana.ts";
import type { Stemmer } from "./stemming/stemmer-type.ts";

export type { Stemmer };

/** Modules with Snowball's stemmers by ISO 639-1 code. */
const modules: Readonly<Record<string, string>> = {
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
  const name = Object.hasOwn(modules, code) ? modules[code] : undefined;
  if (name === undefined) return dropFinalLongVowel;
  const { stemmer }: { readonly stemmer: Stemmer } = require(`@orama/stemmers/${name}`);
  return extendStemmer(code, stemmer);
};
