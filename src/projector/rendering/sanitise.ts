import sanitizeHtml from "sanitize-html";
import { withoutUnseen } from "../../text/invisible-characters.ts";
import { withoutCdata } from "./cdata.ts";
import { strikesOut, struckAttribute } from "./strikethrough.ts";

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
const inline = ["a", "b", "strong", "i", "em", "u", "span", "code", "br"];
const marked = ["s", "del", "strike", "sub", "sup"];

/** Elements of which only the text is kept; one that its style strikes out becomes a `span`. */
const plainInline = new Set(
  "abbr bdi big cite font ins kbd label mark nobr q samp small time tt var".split(" "),
);

const harmless: sanitizeHtml.IOptions = {
  allowedTags: [
    ...blocks,
    ...headings,
    ...lists,
    ...tablesOf,
    ...inline,
    ...marked,
    "pre",
    "blockquote",
    "hr",
    "img",
  ],
  allowedAttributes: {
    "*": [struckAttribute],
    a: ["href"],
    img: ["src", "alt"],
    ol: ["start"],
    td: ["rowspan", "colspan"],
    th: ["rowspan", "colspan"],
  },
  transformTags: {
    ol: (tagName, attributes) => ({ tagName, attribs: startOf(attributes) }),
    a: (tagName, attributes) => ({ tagName, attribs: withAddress(attributes, "href") }),
    img: (tagName, attributes) => ({ tagName, attribs: withAddress(attributes, "src") }),
    "*": (tagName, attributes) => withoutStyle(tagName, attributes),
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  // Whoever shows the Markdown completes it with the scheme of the page's own address, as it does other relative ones.
  allowProtocolRelative: true,
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
};

/**
 * Merchant HTML made harmless: no script, style, frame or event attribute with its text, and links only to http(s),
 * mail, telephone or the shop itself. An entity may stand for a character nobody sees: what was parted by one
 * (`java&shy;script:`) is looked at once more when it is gone.
 */
export const sanitise = (html: string): string => {
  const written = withoutCdata(withoutUnseen(html.slice(0, longestHtml)));
  const sanitised = sanitizeHtml(bounded(written), harmless);
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

/**
 * An address as browsers read it, without tabs and line breaks. One that begins with two slashes of which one is written
 * as a backslash is dropped: it looks like an address of the shop, and leads to another host.
 */
const withAddress = (
  attributes: sanitizeHtml.Attributes,
  name: string,
): sanitizeHtml.Attributes => {
  const { [name]: written, ...others } = attributes;
  if (written === undefined) return attributes;
  const address = written.replace(/[\t\n\r]/g, "").trim();
  return /^(?!\/\/[^\\/])[\\/]{2}/.test(address) ? others : { ...others, [name]: address };
};

/**
 * Keeps of a style what matters, because styles do not pass: an element it hides becomes one that is dropped with its
 * text, and one it strikes out is marked.
 */
const withoutStyle = (tagName: string, attributes: sanitizeHtml.Attributes): sanitizeHtml.Tag => {
  if (isHidden(attributes)) return { tagName: "template", attribs: {} };
  const { style } = attributes;
  const isStruck = struckAttribute in attributes || (style !== undefined && strikesOut(style));
  if (!isStruck) return { tagName, attribs: attributes };
  return {
    tagName: plainInline.has(tagName) ? "span" : tagName,
    attribs: { ...attributes, [struckAttribute]: "yes" },
  };
};

const isHidden = (attributes: Readonly<Record<string, string>>): boolean =>
  "hidden" in attributes ||
  attributes["aria-hidden"] === "true" ||
  (attributes["style"] !== undefined &&
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes["style"]));
