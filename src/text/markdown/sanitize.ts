import { stripInvisible } from "../invisible-characters.ts";
import { parseUrl } from "../parse-url.ts";
import { escapeDestination, percentEncode } from "./escape.ts";

/**
 * Sanitizes a merchant's stored Markdown for embedding in a page of this service. Headings move below the page's
 * section headings. Links become absolute and lead to the web, mail or telephone only. Raw HTML becomes text. Every
 * fence is closed.
 *
 * It works line by line in linear time, without a full parser, so it treats as structure everything that might be structure.
 * It recognises a fence in the first column only, because no container can hide one there.
 * @param base URL that relative links are resolved against
 */
export const embedMarkdown = (markdown: string, base: string): string => {
  const visible = stripInvisible(markdown).replace(separators, " ").replace(/\r\n?/g, "\n");
  const sanitizeUrl = createUrlSanitizer(base);
  return (
    hasFences(visible) ? sanitizeLines(visible, sanitizeUrl) : sanitizeText(visible, sanitizeUrl)
  ).trim();
};

const hasFences = (text: string): boolean => text.includes("```") || text.includes("~~~");

/** Sanitizes a text with fences, which are copied. */
const sanitizeLines = (markdown: string, sanitizeUrl: SanitizeUrl): string => {
  const out: string[] = [];
  let text: string[] = [];
  /** Opening marker of the current fence. */
  let fence: string | undefined;
  const flush = (): void => {
    if (text.length > 0) out.push(sanitizeText(text.join("\n"), sanitizeUrl));
    text = [];
  };
  for (const line of markdown.split("\n")) {
    if (fence) {
      out.push(line);
      if (closesFence(fence, line)) fence = undefined;
      continue;
    }
    fence = matchFence(line);
    if (!fence) text.push(line);
    else {
      flush();
      out.push(line);
    }
  }
  flush();
  if (fence) out.push(fence);
  return out.join("\n");
};

/**
 * Line separators of regular expressions, but not of Markdown. A pattern would match a line with many from each of
 * them.
 */
const separators = /[\u2028\u2029]/g;

const matchFence = (line: string): string | undefined =>
  /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line)?.slice(1).find(Boolean);

/**
 * Checks for a closing marker at least as long as the opening one. It compares text, because a pattern of
 * thousands of characters does not compile.
 */
const closesFence = (fence: string, line: string): boolean => {
  const mark = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1];
  return mark?.startsWith(fence) ?? false;
};

/** Levels that merchant headings move down, so that the highest is below the page's section headings. */
const headingOffset = 2;

/** Each pattern is searched only where the text has its characters: the search for characters is many times faster. */
const sanitizeText = (text: string, sanitizeUrl: SanitizeUrl): string => {
  let safe = text;
  if (safe.includes("#"))
    safe = safe.replace(headings, (_, lead: string, marks: string) => lead + moveDown(marks));
  if (safe.includes("=") || safe.includes("-")) safe = safe.replace(underlines, "$1\\$2");
  if (hasFences(safe)) safe = safe.replace(fences, "$1\\$2");
  if (safe.includes("]("))
    safe = safe.replace(destinations, (_, open: string, url: string) => open + sanitizeUrl(url));
  if (safe.includes("<")) safe = safe.replace(tags, escapeTag);
  return safe.replaceAll("]:", "]\\:");
};

/** Matches what may precede a block on its line: white space, and the markers of quotes and lists. */
const containers = /(?:[^\S\n]|>|[-+*](?=\s)|\d{1,9}[.)](?=\s))*/.source;
const headings = new RegExp(`^(${containers})(#{1,6})(?=\\s|$)`, "gm");
const underlines = /^((?:[^\S\n]|>)*)(=+|-+)(?=[^\S\n]*$)/gm;
const fences = new RegExp(`^(${containers})(\`\`\`|~~~)`, "gm");
/** Matches link destinations, but not after an escaped bracket, which is text. */
const destinations =
  /(?<!\\)((?:\\\\)*\]\(\s*)(<[^<>\n]*>|(?:[^\s()\\]|\\[^\n]|\((?:[^\s()\\]|\\[^\n])*\))*)/g;

/** Matches what may begin HTML: not a web address as an autolink, without credentials. */
const tags = /(?<!\\)(\\*)<(?!https?:\/\/(?![^\s/?#<>]*@)[^\s<>\\]*>)(?=[A-Za-z/!?])/gi;

const moveDown = (marks: string): string => "#".repeat(Math.min(6, marks.length + headingOffset));

/** Writes `&lt;` and not `\\<`, because a bare URL before it would include the backslash and leave the tag. */
const escapeTag = (_: string, slashes: string): string =>
  `${slashes.slice(slashes.length % 2)}&lt;`;

const schemes = new Set(["http:", "https:", "mailto:", "tel:"]);

/**
 * Empty link destination. It is written out, because Markdown would take the next text as the destination of a link without one.
 */
const emptyDestination = "<>";

/**
 * Resolves and escapes a link destination. The result is empty when the URL does not lead to the web, mail or
 * telephone, or has credentials, which look like another host: `//shop.example@other.example/`. A URL without a
 * scheme gets the scheme of the page.
 */
type SanitizeUrl = (url: string) => string;

/**
 * Maximum characters of URLs processed in one text. The base URL counts for each of them, because it is parsed again
 * each time and lengthens each result, and a text may have thousands of URLs.
 */
const maxUrlCharacters = 1_000_000;

const createUrlSanitizer = (page: string): SanitizeUrl => {
  let base: string | undefined;
  let remainingCharacters = maxUrlCharacters;
  return (source) => {
    if (source === "") return "";
    const written = source.replace(/^<|>$/g, "").replace(/\\([!-/:-@[-`{-~])/g, "$1");
    if (written === "" || remainingCharacters < 0) return emptyDestination;
    base ??= parseUrl(page)?.href;
    remainingCharacters -= base?.length ?? 0;
    const url = parseUrl(written, base);
    if (!url || !schemes.has(url.protocol) || url.username || url.password) return emptyDestination;
    const shown = escapeDestination(withoutBrackets(url));
    remainingCharacters -= shown.length;
    return shown;
  };
};

/**
 * Percent-encodes brackets in a URL, because one would end the text of a link around it. Those of an IPv6 host do
 * not.
 */
const withoutBrackets = ({ href, host }: URL): string => {
  const path = href.indexOf(host) + host.length;
  return href.slice(0, path) + href.slice(path).replace(/[[\]]/g, percentEncode);
};
