/**
 * Sort keys for the letters of a language, so that LMDB's byte order is the order of the language. ICU compares texts but
 * gives JavaScript no sort keys, so the key of each letter and of each pair is derived once from comparisons.
 */

/** Sort keys by lower-case letter; an empty key for a letter that the comparison ignores. */
interface Collation {
  readonly letters: ReadonlyMap<string, string>;
  /** Sort keys by pair of letters that sorts as one letter; empty in most languages. */
  readonly pairs: ReadonlyMap<string, string>;
}

/** Code points that get sort keys. All others sort after them, by code point. */
const ranges = [
  [0x20, 0x0eff],
  [0x10a0, 0x10ff],
  [0x1e00, 0x1fff],
] as const;

const cache = new Map<string, Collation>();

export const collationFor = (language: string): Collation => {
  const collation = cache.get(language) ?? buildCollation(language);
  cache.set(language, collation);
  return collation;
};

const buildCollation = (language: string): Collation => {
  const { compare } = new Intl.Collator(language, { sensitivity: "base" });
  const letters = ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)),
  );
  const pairs = new Set(findPairs(compare));
  const sortable = [...letters, ...pairs].filter(
    (letter) => letter.toLowerCase() === letter && !/^\p{Cn}$/u.test(letter),
  );
  const keys = new Map<string, string>();
  const groups = groupEqual(sortable.sort(compare), compare);
  const lastAscii = groups.findLastIndex((group) => group.some(isPrintableAscii));
  let ascii = 0x20;
  for (const [rank, group] of groups.entries()) {
    if (group.some(isPrintableAscii)) ascii += 1;
    const key = group.some(isPrintableAscii)
      ? String.fromCharCode(ascii)
      : String.fromCharCode(...(rank < lastAscii ? [ascii, 0x7f] : []), 0x80 + rank);
    for (const letter of group) keys.set(letter, compare(letter, "") === 0 ? "" : key);
  }
  const entries = [...keys];
  return {
    letters: new Map(entries.filter(([letter]) => !pairs.has(letter))),
    pairs: new Map(entries.filter(([letter]) => pairs.has(letter))),
  };
};

/** ASCII letters get one-byte keys, because most names consist of them; a letter between two of them sorts after the first. */
const isPrintableAscii = (letter: string): boolean => /^[\x20-\x7e]$/.test(letter);

const groupEqual = (
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

/** Finds pairs that sort as one letter (`ch` in Czech, `sz` in Hungarian): after all other words with that first letter. */
const findPairs = (compare: (a: string, b: string) => number): readonly string[] => {
  const latin = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at));
  return latin.flatMap((first) =>
    latin
      .filter((second) => second !== "z" || compare(`${first}z`, `${first}zz`) > 0)
      .map((second) => first + second)
      .filter((pair) => compare(pair, `${pair[0]}zzz`) > 0),
  );
};
