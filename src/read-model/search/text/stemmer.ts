import { createRequire } from "node:module";
import { moduleNames } from "./module-names.ts";
import { stemBulgarian } from "./stemming/bulgarian.ts";
import { extendStemmer } from "./stemming/extended-stemmer.ts";
import { dropFinalLongVowel } from "./stemming/katakana.ts";
import type { Stemmer } from "./stemming/stemmer-type.ts";

export type { Stemmer };

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
  const name = Object.hasOwn(moduleNames, code) ? moduleNames[code] : undefined;
  if (name === undefined) return dropFinalLongVowel;
  const { stemmer }: { readonly stemmer: Stemmer } = require(`@orama/stemmers/${name}`);
  return extendStemmer(code, stemmer);
};
