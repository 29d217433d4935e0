import { withoutUnseen } from "../../text/invisible-characters.ts";
import { webAddress } from "../../text/parse-url.ts";

/**
 * Text of a merchant as one run of Markdown text: what it says is shown, nothing in it makes a heading, a list, a
 * table cell, emphasis, code or HTML, and no link but a web address, which leads where it says.
 */
export const inline = (text: string): string =>
  oneLine(text)
    .split(bareAddress)
    .map((part, at) => (at % 2 === 0 ? escaped(part) : `<${part}>`))
    .join("");

const oneLine = (text: string): string => withoutUnseen(text).replace(/\s+/gu, " ").trim();

/** An address that is a word of its own, of characters that need no escape; the mark behind it is not part of it. */
const bareAddress =
  /(?=https?:)(?<=(?:^| )[("]*)(https?:\/\/[\w\-.~:/?#@$&+,=%]*[\w/=#%+-])(?=[.,:;!?)"]*(?: |$))/i;

const escaped = (text: string): string =>
  text
    .replace(/[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/&(?=#?[A-Za-z0-9]+;)/g, "\\&")
    .replace(/(?<=^| )#/g, "\\#")
    .replace(/^[>=+-]/, "\\$&")
    .replace(/^(\d+)(?=[.)](?: |$))/, "$1\\")
    // A bare address that becomes a link takes in what follows, escapes and all.
    .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&");

/** A link, in whose text no other can stand; without text it shows its address. */
export const link = (text: string, url: string): string => {
  const shown = escaped(oneLine(text));
  return shown ? `[${shown}](${destination(url)})` : autolink(url);
};

/** An address that is its own text. */
export const autolink = (url: string): string => `<${address(url)}>`;

/** An address as the destination of a link, where entities would be read. */
export const destination = (url: string): string =>
  address(url).replace(/&(?=#?[A-Za-z0-9]+;)/g, "&amp;");

/** An address that cannot end the link, cell or line it stands in: ASCII, percent-encoded where it must be. */
export const address = (url: string): string => ascii(url).replace(/[\s"<>\\^`{|}()]/g, percent);

/** A web address in ASCII, as headers and XML want it; one that is ASCII already stays as the shop wrote it. */
export const ascii = (url: string): string =>
  /^[\x21-\x7e]*$/.test(url) ? url : (webAddress(url)?.href ?? encodeURI(url));

/** A character of ASCII, percent-encoded. */
export const percent = (char: string): string =>
  `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
