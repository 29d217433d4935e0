import { delimiterCharacters, escapeText } from "./escape-text.ts";

const { strong, em, del, address, link } = delimiterCharacters;
const mark = `[${strong}${em}${del}]`;

/** Writes the delimiters that stand in Markdown as characters. Marks that Markdown would not read are left out. */
export const writeDelimiters = (markdown: string): string =>
  writeMarks(writeAddresses(markdown).replace(exclamations, "\\!$1").replaceAll(link, ""));

/** Matches an exclamation mark before a link, which would make it an image. */
const exclamations = new RegExp(`!(${mark}*)${link}`, "g");

const addresses = new RegExp(`${address}([^${address}]*)${address}`, "g");

/** Writes the addresses in the text of a link as text, because a link contains no other. */
export const writeLinkText = (content: string): string =>
  content.replace(addresses, (_, url: string) => escapeText(url));

/** Writes `<https://…>`. An address without a scheme stays as it is where GitHub's Markdown makes it a link. */
const writeAddresses = (markdown: string): string =>
  markdown.replace(addresses, (match, url: string, at: number) => {
    if (/^h/i.test(url)) return `<${url}>`;
    const isLink =
      beforeAddress.test(markdown.slice(Math.max(0, at - 1), at)) &&
      afterAddress.test(markdown.slice(at + match.length));
    return isLink ? url : escapeText(url);
  });

const beforeAddress = new RegExp(`^(?:[\\s*_~(]|${mark})?$`);
const afterAddress = new RegExp(`^(?:[?!.,:*_~'")]|${mark})*(?:\\s|$)`);

/** Text between delimiters at even positions, and characters of delimiters at odd ones. */
type Parts = readonly string[];

const marks = new RegExp(`(${mark})`);

const writeMarks = (markdown: string): string => {
  const parts = markdown.split(marks);
  const written = [...parts];
  const starts = new Map<string, number>();
  const ends = new Set<number>();
  for (let at = 1; at < parts.length; at += 2) {
    const character = parts[at] ?? "";
    const start = starts.get(character);
    starts.delete(character);
    if (start === undefined) starts.set(character, at);
    else {
      ends.add(at);
      [written[start], written[at]] = chooseDelimiters(parts, start, at, ends);
    }
  }
  return written.join("");
};

/**
 * Chooses the delimiters of one marked text. Where Markdown would not read them, emphasis has none, and `~~` is set off
 * by a blank, because text that is not struck out means the opposite.
 * @param ends positions of closing delimiters before `end`
 */
const chooseDelimiters = (
  parts: Parts,
  start: number,
  end: number,
  ends: ReadonlySet<number>,
): readonly [opening: string, closing: string] => {
  const isDel = parts[start] === del;
  const [first, last] = [neighbour(parts, start, 1, isDel), neighbour(parts, end, -1, isDel)];
  const opens = !/^[\p{P}\p{S}]/u.test(first) || endsWord.test(neighbour(parts, start, -1));
  const closes =
    !/[\p{P}\p{S}]$/u.test(last.slice(-2)) || startsWord.test(neighbour(parts, end, 1));
  if (isDel) return [opens ? "~~" : " ~~", closes ? "~~" : "~~ "];
  if (!opens || !closes || followsEmphasis(parts, start, ends)) return ["", ""];
  return parts[start] === strong ? ["**", "**"] : ["*", "*"];
};

/**
 * Finds the text next to a delimiter. Emphasis between them may be left out, `~~` never is.
 * @param isAdjacent true for punctuation in place of any delimiter
 */
const neighbour = (parts: Parts, at: number, step: 1 | -1, isAdjacent = false): string => {
  const text = parts[at + step] ?? "";
  const next = parts[at + 2 * step];
  if (text !== "" || next === undefined) return text;
  return isAdjacent || next === del ? "~" : neighbour(parts, at + 2 * step, step);
};

/** Match the end of the text before a delimiter, and the start of that after it, where delimiters next to punctuation are read. */
const [endsWord, startsWord] = [/(?:^|[\s\p{P}$+<=>^`|~])$/u, /^(?:$|[\s\p{P}$+<=>^`|~])/u];

/** Checks for emphasis that ends where another begins: its asterisks would be read as one run. */
const followsEmphasis = (parts: Parts, start: number, ends: ReadonlySet<number>): boolean => {
  if (parts[start - 1] !== "" || start < 2 || parts[start - 2] === del) return false;
  return ends.has(start - 2) || followsEmphasis(parts, start - 2, ends);
};
