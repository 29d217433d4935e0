import type { OptionValues } from "../../schema/filter-values.ts";
import { ungroupNumbers } from "../text/joined-terms.ts";
import type { Language } from "../text/language.ts";
import { countNumbers } from "../text/split-terms.ts";
import type { Token } from "../text/token.ts";
import { tokenize } from "../text/tokenizer.ts";

type Words = readonly Token[];

/** Lists the words of a text: as it is spelled, and with the groups of its numbers joined. */
const readSpellings = (text: string, language: Language): readonly Words[] => {
  const read = spellings.get(language) ?? new Map<string, readonly Words[]>();
  const existing = read.get(text);
  if (existing) return existing;
  const texts = [...new Set([text, ungroupNumbers(text)])];
  const words = texts.map((each) => countNumbers(tokenize(each, language)));
  if (read.size >= maxTexts) read.clear();
  spellings.set(language, read.set(text, words));
  return words;
};

/** Words by their text, because the products of a shop share the values of their options. */
const spellings = new WeakMap<Language, Map<string, readonly Words[]>>();
const maxTexts = 10_000;

/** Limits the neighbours that are one word where they are joined. */
const maxParts = 3;

/** Joins up to three words from an index on: `usb c` is `usbc`. Not where digits meet: `1,5 m` is no `15 m`. */
const joinFrom = (words: Words, from: number): readonly string[] => {
  const joined: string[] = [];
  let text = words[from]?.surface ?? "";
  for (const { surface } of words.slice(from + 1, from + maxParts)) {
    if (/\d$/.test(text) && /^\d/.test(surface)) break;
    text += surface;
    joined.push(text);
  }
  return joined;
};

/** Lists the words of a query, by themselves and joined with their neighbours. */
export const readQuery = (query: string, language: Language): ReadonlySet<string> =>
  new Set(
    readSpellings(query, language).flatMap((words) =>
      words.flatMap(({ surface, stem }, at) => [surface, stem, ...joinFrom(words, at)]),
    ),
  );

/**
 * Finds the values of options whose words are all in a query: `red jacket m` names Red and M, `1kg` names 1 kg. Stop words of a value
 * may be missing. Of two values of an option, one of which has all words of the other, only the longer one counts.
 * @returns values by the name of their option
 */
export const findNamedValues = (
  options: readonly OptionValues[],
  words: ReadonlySet<string>,
  language: Language,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const named = new Map<string, ReadonlySet<string>>();
  for (const [name, , values] of options) {
    const candidates = values.flatMap((value) =>
      readSpellings(value, language).flatMap((each) => toCandidate(value, each, words, language)),
    );
    const longest = candidates.filter((own) => !candidates.some((other) => isLonger(other, own)));
    if (longest.length > 0) named.set(name, new Set(longest.map(({ value }) => value)));
  }
  return named;
};

interface Candidate {
  readonly value: string;
  readonly stems: ReadonlySet<string>;
  /** Whether the query has its stop words, too. */
  readonly isComplete: boolean;
}

/** @returns none when the query does not have the words of a value */
const toCandidate = (
  value: string,
  words: Words,
  query: ReadonlySet<string>,
  language: Language,
): readonly Candidate[] => {
  // A stop word of one letter is mostly a mark: `USB A`.
  const content = words.filter(
    ({ surface }) => surface.length === 1 || !language.stopWords().has(surface),
  );
  const counted = content.length > 0 ? content : words;
  if (counted.length === 0 || !hasWords(counted, query)) return [];
  const stems = new Set(counted.map(({ stem }) => stem));
  return [{ value, stems, isComplete: hasWords(words, query) }];
};

/** Whether a query has the words of a value, each by itself or joined with its neighbours. */
const hasWords = (words: Words, query: ReadonlySet<string>): boolean => {
  for (let at = 0; at < words.length; ) {
    const { surface = "", stem = "" } = words[at] ?? {};
    const parts = joinFrom(words, at).findIndex((joined) => query.has(joined));
    if (query.has(surface) || query.has(stem)) at += 1;
    else if (parts >= 0) at += parts + 2;
    else return false;
  }
  return true;
};

const isLonger = (other: Candidate, own: Candidate): boolean =>
  [...own.stems].every((stem) => other.stems.has(stem)) &&
  (other.stems.size > own.stems.size || (other.isComplete && !own.isComplete));
