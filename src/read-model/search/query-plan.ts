import { tables } from "../schema/tables.ts";
import { wordList } from "./postings/list-keys.ts";
import { openList } from "./postings/posting-list.ts";
import { conjunction } from "./postings/posting-source.ts";
import { type SearchMoment, wordSource } from "./term-query.ts";
import type { Thesaurus } from "./text/synonyms.ts";
import type { Word } from "./text/tokenizer.ts";

/** One thing a query asks for: a word, or words that belong together, and other ways to say it. */
export interface Slot {
  /** As the query says it. */
  readonly words: readonly Word[];
  /** Whether the last word may be the beginning of one. */
  readonly asPrefix: boolean;
  /** Any of these is as good; each in one word or several. */
  readonly alternatives: readonly (readonly Word[])[];
}

/** What is known of a catalogue's words and its language. */
export interface Lexicon {
  readonly thesaurus: Thesaurus;
  /** Whether a word stands in any product or in the name of a category, or one that begins so. */
  isIndexed(word: string, asBeginning?: boolean): boolean;
  /** Whether more products say two words as one than say both of them. */
  isRatherOne(two: readonly [Word, Word], one: Word): boolean;
  wordsIn(text: string): readonly Word[];
}

/** What a query asks for, in its order. Said again a word asks for nothing more, and would cost as much again. */
export const planOf = (words: readonly Word[], lexicon: Lexicon): readonly Slot[] => {
  const slots = new Map<string, Slot>();
  for (let at = 0; at < words.length; ) {
    const slot = slotAt(words, at, lexicon);
    const said = slot.words.map(({ stem }) => stem).join(" ");
    at += slot.words.length;
    // In the place of the first, as in a name; the last one counts, as it alone may be a prefix.
    slots.set(said, slot);
  }
  return [...slots.values()];
};

/** Whether a word stands in any product, or in the name of a category; or one that begins so. */
export const isIndexedIn =
  ({ stored, categoryWords }: Pick<SearchMoment, "stored" | "categoryWords">) =>
  (word: string, asBeginning = false): boolean => {
    if (stored.has(tables.lists, wordList(word)) || categoryWords().having([word]).size > 0) {
      return true;
    }
    if (!asBeginning) return false;
    const beginning = { start: wordList(word), end: wordList(`${word}\u{10ffff}`), limit: 1 };
    return [...stored.keys(tables.lists, beginning)].length > 0;
  };

/**
 * Whether more products say two words as one than say both of them. That one is written so has to be seen: what
 * `cafetierered` is cut to, `cafetiere` is as well.
 */
export const isRatherOneIn =
  (moment: SearchMoment, wordsIn: Lexicon["wordsIn"]): Lexicon["isRatherOne"] =>
  ([first, second], one) => {
    const list = openList(moment.stored, moment.kept, wordList(one.stem));
    if (!list) return false;
    const ending = stemsIn(second.written, wordsIn);
    const isBoth = (form: string): boolean =>
      form.startsWith(first.written) &&
      stemsIn(form.slice(first.written.length), wordsIn) === ending;
    if (![...list.forms().keys()].some(isBoth)) return false;
    const both = [first, second].map((word) => wordSource(moment, word, false));
    return conjunction(both).ids.length < list.count;
  };

const stemsIn = (text: string, wordsIn: Lexicon["wordsIn"]): string =>
  wordsIn(text)
    .map(({ stem }) => stem)
    .join(" ");

const slotAt = (words: readonly Word[], at: number, lexicon: Lexicon): Slot => {
  const { thesaurus, isIndexed } = lexicon;
  for (let length = Math.max(thesaurus.longest, mostJoined); length > 0; length -= 1) {
    const said = words.slice(at, at + length);
    if (said.length < length) continue;
    const asPrefix = at + length === words.length;
    const alternatives = [
      ...synonymsOf(said, thesaurus, isIndexed),
      ...modelTogether(said, isIndexed),
      ...writtenTogether(said, lexicon),
      ...writtenApart(said, asPrefix, lexicon),
    ];
    if (alternatives.length > 0 || length === 1) return { words: said, asPrefix, alternatives };
  }
  throw new Error("a slot holds one word at least");
};

/** `1000g` is `1000 g`, and `iphone13` an `iphone 13`, where no product writes it together. */
const writtenApart = (
  said: readonly Word[],
  asPrefix: boolean,
  { isIndexed, wordsIn }: Lexicon,
): readonly (readonly Word[])[] => {
  const [word, ...more] = said;
  if (!word || more.length > 0 || !mixed.test(word.written)) return [];
  if (isIndexed(word.written, asPrefix)) return [];
  return partings(word.written).map(wordsIn);
};

/** At every edge between letters and digits, and at each alone: `eos5d` is an `eos 5d`. None of what has many. */
const partings = (written: string): readonly string[] => {
  const whole = written.replace(edges, " ");
  const parts = whole.split(" ");
  if (parts.length > mostParts) return [];
  const atOne = parts
    .slice(1)
    .map((_, at) => `${parts.slice(0, at + 1).join("")} ${parts.slice(at + 1).join("")}`);
  return [...new Set([whole, ...atOne])];
};

/** Parts of a model number; each of them is looked for, as often as there are ways to part it. */
const mostParts = 5;

/** A letter beside a digit. */
const mixed = /\d[\p{L}]|\p{L}\d/u;
const edges = /(?<=\d)(?=\p{L})|(?<=[\p{L}\p{M}])(?=\d)/gu;

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

/** `sun glasses` are `sunglasses` too where more products write that than say both words. */
const writtenTogether = (
  said: readonly Word[],
  { isRatherOne, wordsIn }: Lexicon,
): readonly (readonly Word[])[] => {
  const [first, second, ...more] = said;
  if (!first || !second || more.length > 0) return [];
  const written = first.written + second.written;
  const [one, ...others] = /\d/.test(written) ? [] : wordsIn(written);
  return one && others.length === 0 && isRatherOne([first, second], one) ? [[one]] : [];
};

/** Words of a model number that is asked for in parts. */
const mostJoined = 3;

/** `wh 1000xm4` is `wh1000xm4` where a product is called so. */
const modelTogether = (
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
