import { withoutUnseen } from "../../text/invisible-characters.ts";
import { webAddress } from "../../text/parse-url.ts";
import { destination, percent } from "./escape.ts";

/**
 * A merchant's stored Markdown as a part of a page of ours. Its headings go below our section headings, links become
 * absolute and lead to the web, mail or telephone only, raw HTML is shown as text, and no fence stays open.
 *
 * Line by line and in linear time, on the safe side where only a whole parser could tell: what looks like structure
 * is treated as structure. A fence counts only in the first column; there, no container can hide it.
 * @param base what relative links are relative to
 */
export const prose = (markdown: string, base: string): string => {
  const out: string[] = [];
  const safe = safeFrom(base);
  let text: string[] = [];
  /** The mark that opened it. */
  let fence: string | undefined;
  const flush = (): void => {
    if (text.length > 0) out.push(plainProse(text.join("\n"), safe));
    text = [];
  };
  const seen = withoutUnseen(markdown).replace(separators, " ");
  for (const line of seen.split(/\r\n?|\n/)) {
    if (fence) {
      out.push(line);
      if (isClosedBy(fence, line)) fence = undefined;
      continue;
    }
    fence = openedBy(line);
    if (!fence) text.push(line);
    else {
      flush();
      out.push(line);
    }
  }
  flush();
  if (fence) out.push(fence);
  return out.join("\n").trim();
};

/** Lines begin behind them for a pattern, and not for Markdown: a line of many would be looked at from each of them. */
const separators = /[\u2028\u2029]/g;

const openedBy = (line: string): string | undefined =>
  /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line)?.slice(1).find(Boolean);

/** By as many of its marks, or more. A pattern of thousands of them is none. */
const isClosedBy = (fence: string, line: string): boolean => {
  const mark = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1];
  return mark !== undefined && mark.startsWith(fence);
};

/** Levels merchant headings go down, so that the highest stands below a section of the page. */
const below = 2;

const plainProse = (text: string, safe: Safe): string =>
  text
    .replace(headings, (_, lead: string, marks: string) => lead + demoted(marks))
    .replace(underlines, "$1\\$2")
    .replace(fences, "$1\\$2")
    .replace(destinations, (_, open: string, told: string) => open + safe(told))
    .replace(/(?<!\\)(\\*)<(?=[A-Za-z/!?])/g, shownTag)
    .replace(/\]:/g, "]\\:");

/** What may stand before a block on its line: white space and the marks of quotes and lists. */
const containers = /(?:[^\S\n]|>|[-+*](?=\s)|\d{1,9}[.)](?=\s))*/.source;
const headings = new RegExp(`^(${containers})(#{1,6})(?=\\s|$)`, "gm");
const underlines = /^((?:[^\S\n]|>)*)(=+|-+)(?=[^\S\n]*$)/gm;
const fences = new RegExp(`^(${containers})(\`\`\`|~~~)`, "gm");
/** Not behind a bracket that is escaped: that is text, and what follows it is not led anywhere. */
const destinations =
  /(?<!\\)((?:\\\\)*\]\(\s*)(<[^<>\n]*>|(?:[^\s()\\]|\\[^\n]|\((?:[^\s()\\]|\\[^\n])*\))*)/g;

const demoted = (marks: string): string => "#".repeat(Math.min(6, marks.length + below));

/** Not `\\<`: a bare address before it would take in the backslash, and leave the tag. */
const shownTag = (_: string, slashes: string): string => `${slashes.slice(slashes.length % 2)}&lt;`;

const schemes = new Set(["http:", "https:", "mailto:", "tel:"]);

/** Says that an address is here, and none: after nothing at all, what comes next would be taken for it. */
const nowhere = "<>";

/**
 * An absolute address, or none when it leads elsewhere than to the web, mail or telephone, or has credentials, which read
 * as another host: `//shop.example@other.example/`. An address without a scheme gets that of the page.
 */
type Safe = (told: string) => string;

/**
 * Characters of addresses in a text, and of what they are relative to: that is read anew for each of them, may be as
 * long as each becomes, and there may be thousands.
 */
const mostOfAddresses = 1_000_000;

const safeFrom = (page: string): Safe => {
  const base = webAddress(page)?.href;
  let left = mostOfAddresses;
  return (told) => {
    if (told === "") return "";
    const written = told.replace(/^<|>$/g, "").replace(/\\([!-/:-@[-`{-~])/g, "$1");
    if (written === "" || left < 0) return nowhere;
    left -= base?.length ?? 0;
    const url = webAddress(written, base);
    if (!url || !schemes.has(url.protocol) || url.username || url.password) return nowhere;
    const shown = destination(withoutBrackets(url));
    left -= shown.length;
    return shown;
  };
};

/** A bracket in an address would end the text of a link that is open around it; those of a host (IPv6) end none. */
const withoutBrackets = ({ href, host }: URL): string => {
  const path = href.indexOf(host) + host.length;
  return href.slice(0, path) + href.slice(path).replace(/[[\]]/g, percent);
};
