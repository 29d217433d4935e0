import type { Stemmer } from "./stemmer-type.ts";

/**
 * Stems Bulgarian nouns: removes article, plural and final vowel. The package's stemmer is not used, because it throws a
 * TypeError for words like `часовници`: it assigns to the letters of a string.
 */
export const stemBulgarian: Stemmer = (word) => {
  if (word.length < 4) return word;
  let stem = word;
  for (const [pattern, replacement] of steps) stem = stem.replace(pattern, replacement);
  return stem;
};

const steps: readonly (readonly [RegExp, string])[] = [
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
