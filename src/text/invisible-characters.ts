/**
 * Matches characters that are invisible and can hide text from a reader (Contract §8): controls except white space,
 * direction marks, joiners, fillers, selectors, tags. Visible format characters stay (signs above numbers, the end of
 * a verse), and so does the selector that makes a sign an emoji.
 */
const invisible =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the selectors stand alone, each is a character to find
  /(?![\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\ufe0e\ufe0f\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|(?<!\p{Emoji})[\ufe0e\ufe0f]/gu;

/** ASCII text contains no invisible characters. */
const isAscii = /^[\t\n\r -~]*$/;

/**
 * Removes invisible characters. Lone surrogates are replaced first, because a removal could join two of them to one
 * character.
 */
export const stripInvisible = (text: string): string =>
  isAscii.test(text) ? text : text.toWellFormed().replace(invisible, "");

/** Text that needs no cleaning: printable ASCII with single spaces, as most names are. */
const cleanPattern = /^[!-~]+(?: [!-~]+)*$/;

/** Cleans a text on one line: without invisible characters, blanks at the ends and repeated blanks. */
export const cleanText = (text: string): string =>
  cleanPattern.test(text) ? text : stripInvisible(text).replace(/\s+/gu, " ").trim();
