/** Escapes characters that control a terminal, hide text or reorder it. */
export const escapeText = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, toEscape);

const toEscape = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Escapes a text of several lines, except their breaks and tabs. */
export const escapeLines = (text: string): string =>
  text.replace(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu, toEscape);

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
