import { createRequire } from "node:module";
import { moduleNames } from "./module-names.ts";
import { normaliseText } from "./text-normalisation.ts";

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
export const loadStopWords = (code: string): ReadonlySet<string> => {
  const name = Object.hasOwn(stopWordModules, code) ? stopWordModules[code] : undefined;
  if (name === undefined) return new Set();
  const { stopwords }: { readonly stopwords: readonly string[] } = require(
    `@orama/stopwords/${name}`,
  );
  const missing = missingWords[code]?.split(" ") ?? [];
  return new Set([...stopwords, ...missing].map(normaliseText));
};
