import { separateSigns, uniteCharacters } from "./code-points.ts";

/** Removes the differences of form, case and accents between two spellings of a word. */

const plainAscii = /^[\x20-\x7e]*$/;

/** Removes compatibility forms and case. Accents are kept, because stemmers need them. */
export const normalise = (text: string): string =>
  (plainAscii.test(text) ? text : normaliseUnicode(text)).toLowerCase();

/** Soft hyphens, joiners and the like. Texts of products come without them, and a query may have been pasted. */
const ignorable = /\p{Default_Ignorable_Code_Point}+/gu;

/** More stacked marks than any script has. Normalisation would sort thousands of them, which takes long. */
const stackedMarks = /(\p{M}{30})\p{M}+/gu;

const normaliseUnicode = (text: string): string =>
  uniteCharacters(
    separateSigns(text.replace(stackedMarks, "$1")).normalize("NFKC").replace(ignorable, ""),
  );

/** Ranges of marks that make no difference between words. In other scripts marks are vowels and the like. */
const combiningMarks = {
  "accents on Latin, Greek and Cyrillic":
    "\\u0300-\\u036f\\u0483-\\u0487\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff",
  "points of Hebrew": "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
  "points and elongation of Arabic":
    "\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed",
  "variation selectors": "\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}",
};
const combiningMark = new RegExp(`[${Object.values(combiningMarks).join("")}]+`, "gu");

/** Letters that Unicode does not decompose, with the letters that are typed on keyboards without them. */
const baseLetters: Readonly<Record<string, string>> = {
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
  // Lower case of a capital sigma at the end of a word, although the word may go on.
  ς: "σ",
  // Arabic alef maksura, which Persian and Egyptian texts write for yeh.
  ى: "ي",
};
const specialLetter = new RegExp(`[${Object.keys(baseLetters).join("")}]`, "g");

/** A kana and the mark that turns it into another one. */
const voicedKana = /[\u3040-\u30ff][\u3099\u309a]/g;

/**
 * Removes accents.
 * @param word output of `normalise`
 */
export const foldDiacritics = (word: string): string =>
  plainAscii.test(word)
    ? word
    : word
        .normalize("NFKD")
        .replace(combiningMark, "")
        .replace(specialLetter, (letter) => baseLetters[letter] ?? letter)
        .replace(voicedKana, (kana) => kana.normalize("NFC"));

export const normaliseText = (text: string): string => foldDiacritics(normalise(text));
