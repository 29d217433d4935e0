/**
 * Characters that stand for delimiters of Markdown until the text around them is complete; that of a link precedes it. The
 * HTML has no control characters, so that no text contains one of them.
 */
export const delimiterCharacters = {
  ...{ strong: "\u0001", em: "\u0002", del: "\u0003", address: "\u0004", link: "\u0005" },
} as const;

/** Characters that need an escape, and web addresses. Most texts contain none, so that the escape is skipped. */
const needsEscape = /[\\*`[\]_<~]|^[-+=#>\d]|:\/\/|www\./i;

/** Escapes a text of the shop as Markdown, and encloses web addresses in the character that stands for their delimiters. */
export const escapeWithAddresses = (text: string): string =>
  needsEscape.test(text)
    ? text
        .split(address)
        .map((part, at) => (at % 2 === 0 ? escapeText(part) : enclose(part)))
        .join("")
    : text;

const enclose = (url: string): string =>
  delimiterCharacters.address + url + delimiterCharacters.address;

/** Escapes a text without web addresses. Within a word, `_` needs no escape. */
export const escapeText = (text: string): string =>
  text.replace(special, "\\$&").replace(/^(\d+)(?=\. )/, "$1\\");

const special = /[\\*`[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|^(?:[->=]|\+(?= )|#{1,6}(?= ))/gu;

const urlCharacters = "\\p{L}\\p{M}\\p{N}\\-._~:/?#@!$&'*+,;=%";

/** Matches a web address without credentials, which look like another host, and without the punctuation after it. */
const address = new RegExp(
  `((?:(?<![a-z])https?://(?![^\\s/?#]*@)|(?<![\\p{L}\\p{N}@/.])www\\.)(?:[${urlCharacters}]|\\([${urlCharacters}]*\\))+(?<![.,:;!?'*~]))`,
  "iu",
);
