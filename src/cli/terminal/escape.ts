/** What a shop wrote, fit for a terminal: characters that steer one, hide or reorder are written out. */
export const plainText = (text: string): string =>
  text.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

/** The same of several lines, which stay lines. */
export const plainLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.split("\t").map(plainText).join("\t"))
    .join("\n");

/** A value as JSON on one line. */
export const plainJson = (value: unknown): string => plainText(JSON.stringify(value));
