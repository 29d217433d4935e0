/** What makes no difference between two words that are written otherwise: forms, case, accents. */

const plainAscii = /^[\x20-\x7e]*$/;

/** Without compatibility forms and case; accents are kept, as stemmers know them. */
export const prepared = (text: string): string =>
  (plainAscii.test(text) ? text : compatible(text)).toLowerCase();

/** Soft hyphens, joiners and the like: texts of products come without them, and a query may have been pasted. */
const unseen = /\p{Default_Ignorable_Code_Point}+/gu;

/** Marks upon each other, more than any script has: to put thousands of them in order takes long. */
const piled = /(\p{M}{30})\p{M}+/gu;

/** Unicode takes Thai's and Lao's vowel am apart, and then no dictionary knows the words that have it. */
const compatible = (text: string): string =>
  text
    .replace(piled, "$1")
    .normalize("NFKC")
    .replace(unseen, "")
    .replaceAll("\u0e4d\u0e32", "\u0e33")
    .replaceAll("\u0ecd\u0eb2", "\u0eb3");

/** Marks that a word is the same without, as ranges of code points. In other scripts marks are vowels and the like. */
const accents = {
  "on Latin, Greek and Cyrillic":
    "\\u0300-\\u036f\\u0483-\\u0487\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff",
  "points of Hebrew": "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
  "points and stretches of Arabic":
    "\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed",
  "how a character looks": "\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}",
};
const accent = new RegExp(`[${Object.values(accents).join("")}]+`, "gu");

/** Letters that Unicode does not take for others with a mark, and people write so where they have no such key. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  þ: "th",
  // What a capital at the end of a word becomes in lower case, though the word may go on.
  ς: "σ",
};
const unplain = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "g");

/** A kana and the mark that makes it another one. */
const voiced = /[\u3040-\u30ff][\u3099\u309a]/g;

/** Without accents. @param word as `prepared` leaves it */
export const fold = (word: string): string =>
  plainAscii.test(word)
    ? word
    : word
        .normalize("NFKD")
        .replace(accent, "")
        .replace(unplain, (letter) => plainLetters[letter] ?? letter)
        .replace(voiced, (kana) => kana.normalize("NFC"));
