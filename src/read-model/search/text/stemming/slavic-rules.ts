import { replaceAll, type SpellingRules } from "./spelling-rules.ts";

/** A vowel between the last two consonants comes and goes: `носок`, `носки`; `сумка`, `сумок`; `огурец`, `огурцы`. */
const fleetingVowel = replaceAll([/(?<=[^аеёиіїоуыэюяє])[еёоє](?=[кц]$)|ь(?=[кц]$)/, ""]);

const eastSlavic: SpellingRules = {
  after: (stem) => (stem.length < 4 ? stem : fleetingVowel(stem)),
};

/** Short words have -ov- or -ev- between the stem and the ending of their plural. */
const serbian: SpellingRules = { after: replaceAll([/(?<=..[^aeiou])[oe]v$/, ""]) };

export const slavicRules: Readonly<Record<string, SpellingRules>> = {
  ru: eastSlavic,
  sr: serbian,
  uk: eastSlavic,
};
