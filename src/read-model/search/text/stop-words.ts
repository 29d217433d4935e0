import { createRequire } from "node:module";
import { normaliseText } from "./text-normalisation.ts";

/** Modules with the stop words of a language by ISO 639-1 code: words that say nothing about a product. */
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
  ja: "japanese",
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
  zh: "mandarin",
};

const require = createRequire(import.meta.url);

/** Loads the stop words of a language; none for a language without a list. */
export const loadStopWords = (code: string): ReadonlySet<string> => {
  const name = Object.hasOwn(modules, code) ? modules[code] : undefined;
  if (name === undefined) return new Set();
  const { stopwords }: { readonly stopwords: readonly string[] } = require(
    `@orama/stopwords/${name}`,
  );
  return new Set(stopwords.map(normaliseText));
};
