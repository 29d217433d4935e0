import { gfm } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import { writeLinkText } from "./delimiters.ts";
import { delimiterCharacters, escapeText, escapeWithAddresses } from "./escape-text.ts";
import { flattenTables } from "./flatten-tables.ts";

export const createTurndown = (): TurndownService => {
  const turndown = new TurndownService({
    headingStyle: "atx",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
  });
  turndown.use(gfm);
  turndown.escape = escapeWithAddresses;
  turndown.addRule("code block", {
    filter: "pre",
    replacement: (_content, node) => codeBlock(toElement(node)),
  });
  turndown.addRule("code", { filter: "code", replacement: inlineCode });
  turndown.addRule("image", {
    filter: "img",
    replacement: (_content, node) => toImage(toElement(node)),
  });
  turndown.addRule("link", {
    filter: (node) => isLink(toElement(node)),
    replacement: (content, node) => toLink(content, toElement(node)),
  });
  turndown.addRule("heading", {
    filter: ["h1", "h2", "h3", "h4", "h5", "h6"],
    replacement: (content, node) => toHeading(content, Number(toElement(node).nodeName.charAt(1))),
  });
  for (const name of ["strong", "em", "del"] as const) {
    const character = delimiterCharacters[name];
    turndown.addRule(name, {
      filter: name,
      replacement: (content) => character + content + character,
    });
  }
  return turndown;
};

/** Writes a fenced code block. The fence is longer than any run of backticks in the code. */
const codeBlock = (node: ElementLike): string => {
  const parts = readCode(node).split("\0").filter(Boolean);
  const code = parts.map((part) => part.replace(/\n$/, "")).join("\n");
  const runs = code.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `\n\n${fence}\n${code}\n${fence}\n\n`;
};

/** Reads the text of code, with a null character at both ends of a block. */
const readCode = (node: ElementLike): string =>
  Array.from(node.childNodes, (child) => {
    if (child.nodeName === "BR") return "\n";
    const edge = child.isBlock ? "\0" : child.nodeName === "DEL" ? "~~" : "";
    return edge + (child.nodeValue ?? readCode(child)) + edge;
  }).join("");

/** Writes inline code. Replaces turndown's own rule, whose pattern takes quadratic time over long code. */
const inlineCode = (content: string): string => {
  const code = content.replace(/\r?\n|\r/g, " ");
  if (code === "") return "";
  const isSpaced = code.startsWith(" ") && code.endsWith(" ") && /[^ ]/.test(code);
  const space = isSpaced || code.startsWith("`") || code.endsWith("`") ? " " : "";
  const runs = new Set(code.match(/`+/g));
  let delimiter = "`";
  while (runs.has(delimiter)) delimiter += "`";
  return `${delimiter}${space}${code}${space}${delimiter}`;
};

/** The members used of turndown's DOM nodes, because the types of the browser DOM are not installed. */
interface ElementLike {
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes: ArrayLike<ElementLike>;
  /** Set by turndown. */
  readonly isBlock?: boolean;
  getAttribute(name: string): string | null;
}

const toElement = (node: unknown): ElementLike => node as ElementLike;

const toImage = (node: ElementLike): string => {
  const [source, alt] = ["src", "alt"].map((name) => node.getAttribute(name) ?? "");
  const address = source?.replace(/[\s()<>]/g, encodeURIComponent);
  return address ? `![${escapeText(alt?.replace(/\s+/g, " ") ?? "")}](${address})` : "";
};

const isLink = (node: ElementLike): boolean =>
  node.nodeName === "A" && node.getAttribute("href") !== null;

const toLink = (content: string, node: ElementLike): string => {
  const destination = (node.getAttribute("href") ?? "").replace(/[<>()]/g, "\\$&");
  const isSpaced = destination.includes(" ");
  return `${delimiterCharacters.link}[${writeLinkText(content)}](${isSpaced ? `<${destination}>` : destination})`;
};

/** Maximum length of a heading that is joined to one line. A longer one includes text, because it is not closed. */
const maxHeadingLength = 300;

/** Matches a line that is no paragraph. Text that begins like one is escaped. */
const structure = /^(?:[-#>|*]|```|\d+\.)/m;

const toHeading = (content: string, level: number): string => {
  const isOneLine = content.length <= maxHeadingLength && !structure.test(content);
  const lines = content.split("\n").map((line) => line.trim());
  const title = isOneLine ? lines.filter(Boolean).join(" ") : content;
  return `\n\n${"#".repeat(level)} ${title}\n\n`;
};

/** HTML with more tags becomes plain paragraphs, because turndown's quadratic time would delay the projector. */
const maxTags = 2_000;

/** Long white space in text and attributes is collapsed, because turndown takes quadratic time over it. */
const longWhitespace = /[\s\u00a0]{40,}/gu;

const collapseWhitespace = (run: string): string => (run.includes("\n") ? "\n" : " ");

/**
 * Converts sanitised HTML to Markdown.
 * @returns undefined when turndown fails, or would take too long; the text is then shown without structure
 */
export const toMarkdown = (turndown: TurndownService, html: string): string | undefined => {
  // Flattening tables removes at most about half of the tags.
  if (countTags(html) > 2 * maxTags) return undefined;
  const flattened = flattenTables(html);
  if (
    flattened === undefined ||
    countTags(flattened) > maxTags ||
    estimateIndents(flattened) > maxIndents
  )
    return undefined;
  try {
    return turndown.turndown(flattened.replace(longWhitespace, collapseWhitespace));
  } catch {
    return undefined;
  }
};

/** Limit on indentation in characters. Turndown scans back from each blank that nested lists and quotes add. */
const maxIndents = 500_000;

const estimateIndents = (html: string): number => {
  let [depth, maxDepth] = [0, 0];
  for (const [, slash] of html.matchAll(/<(\/?)(?:ul|ol|blockquote)\b/gi)) {
    depth += slash ? -1 : 1;
    maxDepth = Math.max(maxDepth, depth);
  }
  return 4 * maxDepth * html.split("\n").length;
};

const countTags = (html: string): number => html.split("<").length - 1;
