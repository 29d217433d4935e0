/** Escapes characters that control a terminal, hide text or reorder it. */
export const escapeText = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, toEscape);

const toEscape = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Colours that the program adds, line breaks and tabs, or one character to escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour starts with ESC
const colourOrControl = /\u001b\[(?:[12]|22|3[1-39])m|(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu;

/** Escapes a text of several lines, except its colours if it may have some. */
export const escapeLines = (text: string, hasColours: boolean): string =>
  text.replace(colourOrControl, (part) =>
    hasColours && part.length > 2 ? part : escapeText(part),
  );

/** Escapes line breaks in a text that is shown on one line. */
export const escapeBreaks = (text: string): string => text.replace(/[\r\n]/g, toEscape);

/** Escapes the same characters in JSON, whose meaning stays: JSON.stringify leaves those above U+001F. */
export const escapeInJson = (json: string): string =>
  json.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character.replace(
      /[\s\S]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
