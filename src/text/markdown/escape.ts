import { cleanText } from "../invisible-characters.ts";
import { parseUrl } from "../parse-url.ts";

/**
 * Escapes a merchant's text as inline Markdown on one line. Nothing in it becomes a heading, a list, a table cell,
 * emphasis, code or HTML. A web address becomes a link to itself; nothing else becomes a link.
 */
export const escapeInline = (text: string): string =>
  isPlain(text) ? text : escapeAnyInline(text);

/** Escapes any text as `escapeInline` does, without its test for plain text. */
export const escapeAnyInline = (text: string): string =>
  cleanText(text)
    .split(bareUrl)
    .map((part, at) => (at % 2 === 0 ? escapeText(part) : `<${part}>`))
    .join("");

/**
 * Checks for a text of plain words with single spaces, which no escape changes. Most names are such texts, and the check takes a
 * tenth of the time of the escapes.
 */
export const isPlain = (text: string): boolean => plainText.test(text);

const plainText =
  /^(?!\d+[.)])(?!.*www\.)[A-Za-z0-9\u00c0-\u024f"'(](?: ?(?:[A-Za-z0-9\u00c0-\u024f"'(),.!?%/$@&^={}+>-]|:(?!\/)))*$/i;

/** Matches a URL that is a separate word and needs no escape, without the punctuation after it. */
const bareUrl =
  /(?=https?:)(?<=(?:^| )[("]*)(https?:\/\/[\w\-.~:/?#@$&+,=%]*[\w/=#%+-])(?=[.,:;!?)"]*(?: |$))/i;

const escapeText = (text: string): string =>
  text
    .replace(/[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/&(?=#?[A-Za-z0-9]+;)/g, "\\&")
    .replace(/(?<=^| )#/g, "\\#")
    .replace(/^[>=+-]/, "\\$&")
    .replace(/^(\d+)(?=[.)](?: |$))/, "$1\\")
    // Breaks up bare URLs, because an autolink extension would include the escapes that follow them.
    .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&");

/** Formats a link whose text contains no other link. An empty text gives an autolink. */
export const link = (text: string, url: string): string => {
  const label = escapeLabel(text);
  return label ? `[${label}](${escapeDestination(url)})` : autolink(url);
};

/** Escapes the text of a link. Web addresses in it stay text. */
export const escapeLabel = (text: string): string =>
  isPlain(text) ? text : escapeText(cleanText(text));

export const autolink = (url: string): string => `<${escapeUrl(url)}>`;

/** Escapes a URL as a link destination, where Markdown decodes entities. */
export const escapeDestination = (url: string): string =>
  escapeUrl(url).replace(/&(?=#?[A-Za-z0-9]+;)/g, "&amp;");

/** Percent-encodes a URL in ASCII, so that no character ends the link, table cell or line around it. */
export const escapeUrl = (url: string): string =>
  toAscii(url).replace(/[\s"<>\\^`{|}()]/g, percentEncode);

/** Converts a web address to ASCII for headers and XML. One in ASCII stays as the shop wrote it. */
export const toAscii = (url: string): string =>
  /^[\x21-\x7e]*$/.test(url) ? url : (parseUrl(url)?.href ?? encodeURI(url));

export const percentEncode = (char: string): string =>
  `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
