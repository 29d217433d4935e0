import { tables } from "../tables.ts";
import { wordList } from "./names.ts";
import type { Thesaurus } from "./synonyms.ts";
import type { SearchMoment } from "./word-source.ts";
import type { Word } from "./words.ts";

/** One thing a query asks for: a word, or words that belong together, and other ways to say it. */
export interface Slot {
  /** As the query says it. */
  readonly words: readonly Word[];
  /** Whether the last word may be the beginning of one. */
  readonly asPrefix: boolean;
  /** Any of these is as good; each in one word or several. */
  readonly alternatives: readonly (readonly Word[])[];
}

/** What a query asks for, in its order. Said again a word asks for nothing more, and would cost as much again. */
export const planOf = (
  words: readonly Word[],
  thesaurus: Thesaurus,
  isIndexed: (word: string) => boolean,
): readonly Slot[] => {
  const slots = new Map<string, Slot>();
  for (let at = 0; at < words.length; ) {
    const slot = slotAt(words, at, thesaurus, isIndexed);
    const said = slot.words.map(({ stem }) => stem).join(" ");
    at += slot.words.length;
    // In the place of the first, as in a name; the last one counts, as it alone may be a prefix.
    slots.set(said, slot);
  }
  return [...slots.values()];
};

/** Whether a word stands in any product, or in the name of a category. */
export const isIndexedIn =
  ({ stored, categoryWords }: Pick<SearchMoment, "stored" | "categoryWords">) =>
  (word: string): boolean =>
    stored.has(tables.lists, wordList(word)) || categoryWords().having([word]).size > 0;

const slotAt = (
  words: readonly Word[],
  at: number,
  thesaurus: Thesaurus,
  isIndexed: (word: string) => boolean,
): Slot => {
  for (let length = Math.max(thesaurus.longest, mostJoined); length > 0; length -= 1) {
    const said = words.slice(at, at + length);
    if (said.length < length) continue;
    const alternatives = [
      ...synonymsOf(said, thesaurus, isIndexed),
      ...writtenTogether(said, isIndexed),
    ];
    if (alternatives.length > 0 || length === 1) {
      return { words: said, asPrefix: at + length === words.length, alternatives };
    }
  }
  throw new Error("a slot holds one word at least");
};

/** Other words for several are of use where products have them: else each of the several can be looked for by itself. */
const synonymsOf = (
  said: readonly Word[],
  thesaurus: Thesaurus,
  isIndexed: (word: string) => boolean,
): readonly (readonly Word[])[] => {
  const known = thesaurus.alternatives(said.map(({ stem }) => stem));
  if (said.length === 1) return known;
  return known.filter((words) => words.every(({ stem }) => isIndexed(stem)));
};

/** Words of a model number that is asked for in parts. */
const mostJoined = 3;

/** `wh 1000xm4` is `wh1000xm4` where a product is called so. */
const writtenTogether = (
  said: readonly Word[],
  isIndexed: (word: string) => boolean,
): readonly (readonly Word[])[] => {
  if (said.length < 2 || said.length > mostJoined) return [];
  const written = said.map((word) => word.written).join("");
  const isModel = /\d/.test(written) && /\p{L}/u.test(written) && !said.some(followsDigit);
  return isModel && isIndexed(written) ? [[{ written, stem: written }]] : [];
};

/** Two digits meet: what stood between them may have been the point of a decimal. */
const followsDigit = ({ written }: Word, at: number, said: readonly Word[]): boolean =>
  /^\d/.test(written) && /\d$/.test(said[at - 1]?.written ?? "");
