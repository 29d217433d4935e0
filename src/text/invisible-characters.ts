/**
 * Characters that nobody sees and that only ever hide something from the reader: controls but for white space, what
 * turns the direction of a text, joiners, fillers, selectors, tags (contract section 8). Of format characters those that
 * are seen stay (signs that stand over numbers, the end of a verse), and the selector that makes a sign an emoji.
 */
const invisible =
  /(?![\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\ufe0e\ufe0f\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|(?<!\p{Emoji})[\ufe0e\ufe0f]/gu;

/** Nothing in it is unseen. */
const isAscii = /^[\t\n\r -~]*$/;

/** A text without the characters nobody sees. Halves of characters first: without what parts them they would be one. */
export const withoutUnseen = (text: string): string =>
  isAscii.test(text) ? text : text.toWellFormed().replace(invisible, "");
