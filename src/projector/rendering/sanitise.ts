import sanitizeHtml from "sanitize-html";
import { withoutUnseen } from "../../unseen.ts";

/** Longest HTML that is rendered, in UTF-16 units; what is longer is cut before it is parsed. */
const longestHtml = 256 * 1024;

/** Most tags that are looked at, closing ones too; what comes behind them is cut. Pages of shops have hundreds. */
const mostTags = 20_000;

/** Most comments; in an address each costs as much as the address is long. */
const mostComments = 500;

/**
 * Deepest nesting kept: turndown's recursion overflows the stack at about 1,000, and a list within a list is written
 * again for each of those around it.
 */
const deepest = 64;

const blocks = ["p", "div", "section", "article", "header", "footer", "main", "aside", "address"];
const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
const lists = ["ul", "ol", "li", "dl", "dt", "dd"];
const tablesOf = ["table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption"];
const inline = ["a", "b", "strong", "i", "em", "u", "s", "del", "sub", "sup", "span", "code", "br"];

const harmless: sanitizeHtml.IOptions = {
  allowedTags: [
    ...blocks,
    ...headings,
    ...lists,
    ...tablesOf,
    ...inline,
    "pre",
    "blockquote",
    "hr",
    "img",
  ],
  allowedAttributes: { a: ["href"], img: ["src", "alt"], ol: ["start"] },
  transformTags: { ol: (tagName, attributes) => ({ tagName, attribs: startOf(attributes) }) },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  nestingLimit: deepest,
  nonTextTags: [
    "script",
    "style",
    "noscript",
    "template",
    "iframe",
    "object",
    "embed",
    "svg",
    "math",
    "textarea",
    "option",
    "title",
  ],
  exclusiveFilter: ({ attribs }) => isHidden(attribs),
};

/**
 * Merchant HTML made harmless: no script, style, frame or event attribute with its text, and links only to http(s),
 * mail, telephone or the shop itself. An entity may stand for a character nobody sees: what was parted by one
 * (`java&shy;script:`) is looked at once more when it is gone.
 */
export const sanitise = (html: string): string => {
  const sanitised = sanitizeHtml(withoutUnseen(bounded(html.slice(0, longestHtml))), harmless);
  const seen = withoutUnseen(sanitised);
  return seen === sanitised ? seen : sanitizeHtml(seen, harmless);
};

const bounded = (html: string): string => cutAt(cutAt(html, "<", mostTags), "<!--", mostComments);

const cutAt = (html: string, mark: string, most: number): string => {
  let end = -1;
  for (let met = 0; met <= most; met += 1) {
    end = html.indexOf(mark, end + 1);
    if (end === -1) return html;
  }
  return html.slice(0, end);
};

/** What is no number would be written before each item, and each of its lines indented by as much. */
const startOf = ({ start = "", ...others }: sanitizeHtml.Attributes): sanitizeHtml.Attributes =>
  /^\d{1,9}$/.test(start) ? { ...others, start } : others;

const isHidden = (attributes: Readonly<Record<string, string>>): boolean =>
  "hidden" in attributes ||
  attributes["aria-hidden"] === "true" ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes["style"] ?? "");
