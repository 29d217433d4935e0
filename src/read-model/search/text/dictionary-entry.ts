/** Words that can be mistyped: letters only, of a script that is typed letter by letter. */
const mistyped = /^[\p{L}\p{M}]{3,24}$/u;
/** Past U+FFFF the store orders texts otherwise than the language does; no living alphabet is there. */
const characters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u{10000}-\u{10ffff}]/u;

/** A word with its stem as the dictionary of spellings keeps it; undefined for a number, a code and the like. */
export const spellingOf = (written: string, stem: string): string | undefined => {
  if (!mistyped.test(written) || characters.test(written)) return undefined;
  return written === stem ? written : `${written} ${stem}`;
};
