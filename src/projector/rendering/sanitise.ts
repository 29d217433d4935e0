import sanitizeHtml from "sanitize-html";
import { stripInvisible } from "../../text/invisible-characters.ts";
import { isBlockByStyle, isStruckOutByStyle, styleAttributes } from "./style-marks.ts";

/** Maximum length of rendered HTML in UTF-16 units; longer HTML is cut before parsing. */
const maxHtmlLength = 256 * 1024;

/** Maximum number of tags, closing ones included; HTML after them is cut. Pages of shops have hundreds. */
const maxTags = 20_000;

/** Maximum number of comments. Within a URL, each costs time proportional to the URL's length. */
const maxComments = 500;

/**
 * Maximum nesting depth. Turndown's recursion overflows the stack at about 1,000, and turndown writes a nested list once
 * for each list around it.
 */
const maxDepth = 64;

/** Elements that are kept: blocks, lists, parts of tables, and inline elements. */
const allowedTags = [
  ..."p div section article header footer main aside address h1 h2 h3 h4 h5 h6".split(" "),
  ..."pre blockquote hr ul ol li dl dt dd".split(" "),
  ..."table thead tbody tfoot tr th td caption".split(" "),
  ..."a b strong i em u span code br img s del strike sub sup".split(" "),
];

/** Elements that browsers show as blocks, with the element that is written for each. */
const renamedBlocks: ReadonlyMap<string, string> = new Map([
  ..."button center details dialog fieldset figcaption figure form hgroup legend marquee nav optgroup search select summary"
    .split(" ")
    .map((name) => [name, "div"] as const),
  ...["dir", "menu"].map((name) => [name, "ul"] as const),
  ...["listing", "plaintext", "xmp"].map((name) => [name, "pre"] as const),
]);

/** Elements reduced to their text; one that its style strikes out or shows as a block becomes a `span`. */
const textOnly = new Set(
  "abbr bdi big cite font ins kbd label mark nobr q samp small time tt var".split(" "),
);

const options: sanitizeHtml.IOptions = {
  allowedTags,
  allowedAttributes: {
    "*": Object.values(styleAttributes),
    a: ["href"],
    img: ["src", "alt"],
    ol: ["start"],
    td: ["rowspan", "colspan"],
    th: ["rowspan", "colspan"],
  },
  transformTags: {
    ol: (tagName, attributes) => ({ tagName, attribs: withValidStart(attributes) }),
    a: (tagName, attributes) => ({ tagName, attribs: withNormalisedUrl(attributes, "href") }),
    img: (tagName, attributes) => ({ tagName, attribs: withNormalisedUrl(attributes, "src") }),
    "*": (tagName, attributes) => applyStyle(tagName, attributes),
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  // A reader of the Markdown resolves such a URL, like other relative ones, against the page's own URL.
  allowProtocolRelative: true,
  nestingLimit: maxDepth,
  nonTextTags:
    "script style noscript template iframe object embed svg math textarea option title".split(" "),
};

/**
 * Sanitises merchant HTML. Removes scripts, styles, frames and event attributes with their text, and all links except
 * http(s), mail, telephone and relative ones. Runs twice when an entity hid an invisible character
 * (`java&shy;script:`), because removing that character can form a forbidden link.
 */
export const sanitise = (html: string): string => {
  const visible = unwrapCdata(stripInvisible(html.slice(0, maxHtmlLength)));
  const sanitised = sanitizeHtml(limitTags(visible), options);
  const result = stripInvisible(sanitised);
  return result === sanitised ? result : sanitizeHtml(result, options);
};

const limitTags = (html: string): string =>
  cutAfter(cutAfter(html, "<", maxTags), "<!--", maxComments);

const cutAfter = (html: string, marker: string, maxCount: number): string => {
  let end = -1;
  for (let count = 0; count <= maxCount; count += 1) {
    end = html.indexOf(marker, end + 1);
    if (end === -1) return html;
  }
  return html.slice(0, end);
};

/** Drops a `start` that is no number: turndown would write it before each item and indent the lines by its length. */
const withValidStart = ({
  start = "",
  ...others
}: sanitizeHtml.Attributes): sanitizeHtml.Attributes =>
  /^\d{1,9}$/.test(start) ? { ...others, start } : others;

/**
 * Normalises a URL attribute as browsers do: without tabs and line breaks.
 * Drops a URL that begins with two slashes, one of them a backslash: it reads as a path of the shop and leads to
 * another host.
 */
const withNormalisedUrl = (
  attributes: sanitizeHtml.Attributes,
  name: string,
): sanitizeHtml.Attributes => {
  const { [name]: raw, ...others } = attributes;
  if (raw === undefined) return attributes;
  const url = raw.replace(/[\t\n\r]/g, "").trim();
  return /^(?!\/\/[^\\/])[\\/]{2}/.test(url) ? others : { ...others, [name]: url };
};

/**
 * Translates a style into markup, because styles are removed: a hidden element becomes a `template`, which is dropped
 * with its text, and an element that is struck out or shown as a block is marked.
 */
const applyStyle = (name: string, attributes: sanitizeHtml.Attributes): sanitizeHtml.Tag => {
  if (isHidden(attributes)) return { tagName: "template", attribs: {} };
  const { style = "" } = attributes;
  const { struck, block } = styleAttributes;
  const attribs = {
    ...attributes,
    ...(isStruckOutByStyle(style) && { [struck]: "yes" }),
    ...(isBlockByStyle(style) && { [block]: "yes" }),
  };
  const isMarked = struck in attribs || block in attribs;
  const tagName = isMarked && textOnly.has(name) ? "span" : (renamedBlocks.get(name) ?? name);
  return { tagName, attribs };
};

const isHidden = (attributes: Readonly<Record<string, string>>): boolean =>
  "hidden" in attributes ||
  attributes["aria-hidden"] === "true" ||
  (attributes["style"] !== undefined &&
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes["style"]));

const delimiter = /<!\[CDATA\[|\]\]>/gi;

/**
 * Removes the delimiters of CDATA sections and keeps their content.
 * Shop exports wrap complete descriptions in CDATA, and an HTML parser would drop such a section as a comment. A `]]>`
 * that ends no section stays as text.
 * @param html unsanitised; the content of sections is sanitised with the rest
 */
export const unwrapCdata = (html: string): string => {
  if (!html.includes("<![")) return html;
  let depth = 0;
  return html.replace(delimiter, (match) => {
    if (match !== "]]>") depth += 1;
    else if (depth === 0) return match;
    else depth -= 1;
    return "";
  });
};
