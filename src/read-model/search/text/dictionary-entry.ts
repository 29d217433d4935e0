/** Words that may be corrected: letters only, of a script that is typed letter by letter. */
const correctable = /^[\p{L}\p{M}]{3,24}$/u;
/**
 * Scripts without corrections. Past U+FFFF, LMDB sorts texts differently from JavaScript; no living alphabet is
 * there.
 */
const excludedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u{10000}-\u{10ffff}]/u;

/**
 * Formats a word and its stem as an entry of the spelling dictionary.
 * @returns undefined for a number, a code and the like
 */
export const toDictionaryEntry = (written: string, stem: string): string | undefined => {
  if (!correctable.test(written) || excludedScripts.test(written)) return undefined;
  return written === stem ? written : `${written} ${stem}`;
};

/** Gets the word of an entry, without its stem. */
export const getSurface = (spelling: string): string => {
  const space = spelling.indexOf(" ");
  return space === -1 ? spelling : spelling.slice(0, space);
};
