/**
 * The order a language gives to letters, as texts that the store orders so too. ICU compares texts but gives no sort
 * keys to JavaScript, so each letter, and each pair that counts as one, is put into its place once.
 */

/** What sorts like a letter, in lower case; an empty text for one that does not count. */
export interface Alphabet {
  readonly letters: ReadonlyMap<string, string>;
  /** The same of two that count as one; in most languages there are none. */
  readonly pairs: ReadonlyMap<string, string>;
}

/** Letters beyond sort by their code points, behind all of these. */
const ranges = [
  [0x20, 0x0eff],
  [0x10a0, 0x10ff],
  [0x1e00, 0x1fff],
] as const;

const known = new Map<string, Alphabet>();

export const alphabetOf = (language: string): Alphabet => {
  const alphabet = known.get(language) ?? makeAlphabet(language);
  known.set(language, alphabet);
  return alphabet;
};

const makeAlphabet = (language: string): Alphabet => {
  const { compare } = new Intl.Collator(language, { sensitivity: "base" });
  const letters = ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)),
  );
  const pairs = new Set(pairsOf(compare));
  const counted = [...letters, ...pairs].filter(
    (letter) => letter.toLowerCase() === letter && !/^\p{Cn}$/u.test(letter),
  );
  const alphabet = new Map<string, string>();
  const groups = grouped(counted.sort(compare), compare);
  const lastPlain = groups.findLastIndex((group) => group.some(isPlain));
  let plain = 0x20;
  for (const [rank, group] of groups.entries()) {
    if (group.some(isPlain)) plain += 1;
    const text = group.some(isPlain)
      ? String.fromCharCode(plain)
      : String.fromCharCode(...(rank < lastPlain ? [plain, 0x7f] : []), 0x80 + rank);
    for (const letter of group) alphabet.set(letter, compare(letter, "") === 0 ? "" : text);
  }
  const told = [...alphabet];
  return {
    letters: new Map(told.filter(([letter]) => !pairs.has(letter))),
    pairs: new Map(told.filter(([letter]) => pairs.has(letter))),
  };
};

/** What most names are written with takes one byte; a letter between two of these comes behind all of the first one. */
const isPlain = (letter: string): boolean => /^[\x20-\x7e]$/.test(letter);

/** Letters that sort alike, together. */
const grouped = (
  sorted: readonly string[],
  compare: (a: string, b: string) => number,
): readonly (readonly string[])[] => {
  const groups: string[][] = [];
  for (const letter of sorted) {
    const last = groups.at(-1);
    if (last && compare(letter, last[0] as string) === 0) last.push(letter);
    else groups.push([letter]);
  }
  return groups;
};

/** Pairs that are one letter, such as `ch` in Czech and `sz` in Hungarian: they sort behind all that begin alike. */
const pairsOf = (compare: (a: string, b: string) => number): readonly string[] => {
  const latin = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at));
  return latin.flatMap((first) =>
    latin
      .filter((second) => second !== "z" || compare(`${first}z`, `${first}zz`) > 0)
      .map((second) => first + second)
      .filter((pair) => compare(pair, `${pair[0]}zzz`) > 0),
  );
};
