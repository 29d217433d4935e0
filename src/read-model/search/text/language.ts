import { createRequire } from "node:module";
import { lazy, memoize } from "../../../platform/memo.ts";
import { getStemmer, identityStemmer, moduleNames, type Stemmer } from "./stemmer.ts";
import { normaliseText } from "./text-normalisation.ts";

/** Rules of a language for splitting texts into tokens. */
export interface Language {
  readonly stem: Stemmer;
  /** Words for "and". The signs `&` and `+` between words stand for the first. */
  readonly conjunctions: readonly string[];
  /** Matches what an apostrophe joins to a word and is no part of it: `l'`, `'s`. */
  readonly elision: RegExp | undefined;
  /** Loads the words that say nothing about a product. */
  readonly stopWords: () => ReadonlySet<string>;
}

/** Words for "and" by ISO 639-1 code. */
const conjunctions: Readonly<Record<string, readonly string[]>> = {
  ar: ["و"],
  bg: ["и"],
  ca: ["i"],
  cs: ["a"],
  da: ["og"],
  de: ["und", "u"],
  el: ["και", "κι"],
  en: ["and", "n"],
  es: ["y", "e"],
  et: ["ja"],
  fa: ["و"],
  fi: ["ja"],
  fr: ["et"],
  ga: ["agus"],
  hr: ["i"],
  hu: ["és", "s"],
  id: ["dan"],
  it: ["e", "ed"],
  lt: ["ir"],
  lv: ["un"],
  nb: ["og"],
  nl: ["en"],
  no: ["og"],
  pl: ["i"],
  pt: ["e"],
  ro: ["și", "si", "şi"],
  ru: ["и"],
  sk: ["a"],
  sl: ["in"],
  sr: ["и", "i"],
  sv: ["och"],
  tr: ["ve"],
  uk: ["і", "й", "та"],
  vi: ["và"],
};

/** Articles and prepositions that lose their vowel before another, by ISO 639-1 code. */
const elidedWords: Readonly<Record<string, string>> = {
  ca: "l|d|n|s|m|t",
  fr: "l|d|j|m|t|s|c|n|qu|jusqu|lorsqu|puisqu|quoiqu|quelqu",
  ga: "d|b|m",
  it: "l|d|un|all|agl|dall|dagl|dell|degl|nell|negl|sull|sugl|coll|c|m|t|s|v|quest|quell",
  pt: "d",
};

/** Languages that join `s` to a word with an apostrophe: `men's`, `foto's`. */
const possessiveLanguages = ["de", "en", "nl"];

const getElision = (code: string): RegExp | undefined => {
  if (possessiveLanguages.includes(code)) return /(?<=\p{L})'s(?![\p{L}\p{N}])/gu;
  const words = elidedWords[code];
  return words === undefined
    ? undefined
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})'(?=\\p{L})`, "gu");
};

/** Gets the rules of a language by ISO 639-1 code. One object per language, because the cache of tokens is keyed by it. */
export const getLanguage: (code?: string) => Language = memoize((code = "en") => ({
  stem: getStemmer(code),
  conjunctions: Object.hasOwn(conjunctions, code) ? (conjunctions[code] ?? []) : [],
  elision: getElision(code),
  stopWords: lazy(() => loadStopWords(code)),
}));

/** Rules for texts whose language does not matter: every word is its own stem. */
export const anyLanguage: Language = {
  stem: identityStemmer,
  conjunctions: [],
  elision: undefined,
  stopWords: () => new Set(),
};

/** Modules with the stop words of a language by ISO 639-1 code: words that say nothing about a product. */
const stopWordModules: Readonly<Record<string, string>> = {
  ...moduleNames,
  bg: "bulgarian",
  ja: "japanese",
  nb: "norwegian",
  zh: "mandarin",
};

/** Words that the lists lack. */
const missingWords: Readonly<Record<string, string>> = {
  da: "uden",
  en: "a",
  id: "untuk",
  ro: "a o",
  uk: "і й та або для з із зі в у на до від по за без під над при про",
};

const require = createRequire(import.meta.url);

/** Loads the stop words of a language; none for a language without a list. */
const loadStopWords = (code: string): ReadonlySet<string> => {
  const name = Object.hasOwn(stopWordModules, code) ? stopWordModules[code] : undefined;
  if (name === undefined) return new Set();
  const { stopwords }: { readonly stopwords: readonly string[] } = require(
    `@orama/stopwords/${name}`,
  );
  const missing = missingWords[code]?.split(" ") ?? [];
  return new Set([...stopwords, ...missing].map(normaliseText));
};
