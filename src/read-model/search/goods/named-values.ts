import type { OptionValues } from "../../schema/filter-values.ts";
import { getLanguage } from "../text/language.ts";
import { tokenize } from "../text/tokenizer.ts";

/**
 * Finds the values of options whose words are all in a text: `red jacket m` names Red and M. Of two values of an option, one of which
 * has all words of the other, only the longer one counts.
 * @returns values by the name of their option
 */
export const findNamedValues = (
  options: readonly OptionValues[],
  text: string,
  language: string | undefined,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const toStems = (words: string): ReadonlySet<string> =>
    new Set(tokenize(words, getLanguage(language)).map(({ stem }) => stem));
  const stems = toStems(text);
  const named = new Map<string, ReadonlySet<string>>();
  for (const [name, , values] of options) {
    const candidates = values
      .map((value) => ({ value, words: toStems(value) }))
      .filter(({ words }) => words.size > 0 && isSubset(words, stems));
    const longest = candidates.filter(
      ({ words }) =>
        !candidates.some((other) => other.words.size > words.size && isSubset(words, other.words)),
    );
    if (longest.length > 0) named.set(name, new Set(longest.map(({ value }) => value)));
  }
  return named;
};

const isSubset = (part: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...part].every((word) => all.has(word));
