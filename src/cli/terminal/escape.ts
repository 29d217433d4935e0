/** Escapes characters that control a terminal, hide text or reorder it. */
export const escapeText = (text: string): string =>
  text.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

/** Escapes each line of a text; line breaks and tabs stay. */
export const escapeLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.split("\t").map(escapeText).join("\t"))
    .join("\n");

/** Formats a value as escaped JSON on one line. */
export const escapeJson = (value: unknown): string => escapeText(JSON.stringify(value));
