/** Unites characters that customers use as the same and Unicode does not, before and after NFKC. */

/** Marks that are no part of the word before them. NFKC would turn them into letters of it. */
const tradeMarks = /[™℠]|ᵀᴹ|ˢᴹ/g;

/** Signs that look like a degree sign, behind a digit. The raised zero is one only before a scale. */
const degreeSigns = /(?<=\p{N}) ?(?:[ºª˚ᵒ]|⁰(?= ?[CFKcfk](?![\p{L}\p{N}])))/gu;

/** A raised or lowered number behind a digit. */
const raisedNumber = /(?<=\p{Nd})[⁰¹²³⁴-⁹₀-₉]+/gu;

/** A raised number that refers to a note. Behind one or two letters, 2 and 3 are powers of a unit: `m²` is `m2`. */
const noteNumber =
  /(?<=[\p{L}\p{M}])(?!(?<=(?<![\p{L}\p{M}])\p{L}{1,2})[²³](?![⁰¹²³⁴-⁹]))[⁰¹²³⁴-⁹]+/gu;

/** Signs of several letters or digits, such as `½`, `№` and `㎏`, except raised and lowered digits. */
const foldedSigns = /(?![⁰¹²³⁴-⁹₀-₉])[\p{So}\p{No}]/gu;

/** Separates signs from the words next to them. Call it before NFKC, which turns them into letters and digits. */
export const separateSigns = (text: string): string =>
  text
    .replace(tradeMarks, " ")
    .replace(degreeSigns, " ")
    .replace(raisedNumber, " $& ")
    .replace(noteNumber, " ")
    .replace(foldedSigns, " $& ")
    // Spaces between groups of a number: `1 250`.
    .replace(/(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g, "'")
    .replaceAll("´", "'");

/** Characters with one meaning. Letters of several keyboards become the form that stemmers know. */
const united: Readonly<Record<string, string>> = {
  ...fromLetters("ʹʻʼʽʾʿˈˊˋꞋꞌ՚׳‘’‛′", "'"),
  // Arabic letters as Persian and Urdu keyboards write them.
  ...fromLetters("یې", "ي"),
  ...fromLetters("کڪ", "ك"),
  ...fromLetters("ہەھۀ", "ه"),
  ...fromLetters("ٱ", "ا"),
  // Malayalam and Bengali letters that are also written with a joiner, which is removed.
  ൺ: "ണ്",
  ൻ: "ന്",
  ർ: "ര്",
  ൽ: "ല്",
  ൾ: "ള്",
  ൿ: "ക്",
  ৎ: "ত্",
  // Yiddish digraphs.
  װ: "וו",
  ױ: "וי",
  ײ: "יי",
};

function fromLetters(letters: string, form: string): Record<string, string> {
  return Object.fromEntries(Array.from(letters, (letter) => [letter, form]));
}

const unitedPattern = new RegExp(Object.keys(united).join("|"), "g");

const foreignDigit = /(?![0-9])\p{Nd}/gu;

/** Unites letters, apostrophes and digits. Call it after NFKC. */
export const uniteCharacters = (text: string): string =>
  text
    // NFKC decomposes the vowel am of Thai and Lao. Dictionaries have the composed form, behind its tone mark.
    .replace(/\u0e4d([\u0e48-\u0e4b]?)\u0e32([\u0e48-\u0e4b]?)/g, "$1$2\u0e33")
    .replace(/\u0ecd([\u0ec8-\u0ecb]?)\u0eb2([\u0ec8-\u0ecb]?)/g, "$1$2\u0eb3")
    .replace(unitedPattern, (character) => united[character] ?? character)
    .replace(foreignDigit, toAsciiDigit);

/** Unicode encodes the ten digits of a script in sequence, so the value of a digit follows from the digits before it. */
const toAsciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (isDigit(zero - 1)) zero -= 1;
  return String((code - zero) % 10);
};

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));
