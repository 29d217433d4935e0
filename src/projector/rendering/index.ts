import { hash } from "node:crypto";
import { gfm } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import type { HtmlRenderer } from "../../../projections/projection.ts";
import { stripInvisible } from "../../text/invisible-characters.ts";
import { unwrapCdata } from "./cdata.ts";
import { flattenTables } from "./flatten-tables.ts";
import { parseSimpleHtml } from "./html-fast-path.ts";
import { withMarkedText } from "./marked-text.ts";
import { parseParagraphs, truncate } from "./plain-text.ts";
import { sanitise } from "./sanitise.ts";

const maxSummaryChars = 500;

/** HTML with more tags becomes plain paragraphs, because turndown's quadratic time would delay the projector. */
const maxTags = 2_000;

/** Long white space in text and attributes is collapsed, because turndown takes quadratic time over it. */
const longWhitespace = /[\s\u00a0]{40,}/gu;

/** Creates the renderer of HTML to text and Markdown. The projector runs it once, when an event brings the HTML. */
export const createHtmlRenderer = (): HtmlRenderer => {
  const turndown = new TurndownService({
    headingStyle: "atx",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
  });
  turndown.use(gfm);
  const escapeMarkdown = turndown.escape.bind(turndown);
  // Escapes `<` in text, because a reader of the Markdown would parse it as a tag.
  turndown.escape = (text) =>
    needsEscape.test(text) ? escapeMarkdown(text).replaceAll("<", "\\<") : text;
  turndown.addRule("code block", {
    filter: "pre",
    replacement: (_content, node) => codeBlock(toElement(node).textContent ?? ""),
  });
  turndown.addRule("code", {
    filter: "code",
    replacement: inlineCode,
  });
  turndown.addRule("image", {
    filter: "img",
    replacement: (_content, node) => toImage(turndown, toElement(node)),
  });
  const parseSimple = memoLast((html: string) =>
    parseSimpleHtml(unwrapCdata(stripInvisible(html)), turndown.escape),
  );
  const clean = memoLast((html: string) => withMarkedText(sanitise(html)));
  const toParagraphs = memoLast((html: string) => parseParagraphs(clean(html)));
  return {
    hashHtml: (html) => hash("sha256", html, "base64url").slice(0, 22),
    cleanText,
    toPlainText(html) {
      const text = (parseSimple(html)?.paragraphs ?? toParagraphs(html)).join("\n");
      return text === "" ? null : truncate(text);
    },
    markdown: (html) =>
      parseSimple(html)?.markdown ??
      toMarkdown(turndown, clean(html)) ??
      toParagraphs(html).map(turndown.escape).join("\n\n"),
    summary(html) {
      const [first] = parseParagraphs(fromFirstParagraph(clean(html)));
      return first === undefined ? null : truncate(first, maxSummaryChars);
    },
  };
};

/** Characters that turndown escapes. Most texts contain none, so that the escape is skipped. */
const needsEscape = /[\\*`[\]_<]|^[-+=#~>\d]/;

/** Memoises the last result, because text and Markdown of one HTML are mostly rendered one after the other. */
const memoLast = <T>(compute: (html: string) => T): ((html: string) => T) => {
  let last: { readonly html: string; readonly result: T } | undefined;
  return (html) => {
    if (last?.html !== html) last = { html, result: compute(html) };
    return last.result;
  };
};

/** Text that needs no cleaning: printable ASCII with single spaces, as most names are. */
const cleanPattern = /^[!-~]+(?: [!-~]+)*$/;

const cleanText = (text: string): string =>
  cleanPattern.test(text) ? text : stripInvisible(text).replace(/\s+/gu, " ").trim();

/** Writes a fenced code block. The fence is longer than any run of backticks in the code. */
const codeBlock = (code: string): string => {
  const runs = code.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `\n\n${fence}\n${code.replace(/\n$/, "")}\n${fence}\n\n`;
};

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
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
}

const toElement = (node: unknown): ElementLike => node as ElementLike;

const toImage = (turndown: TurndownService, node: ElementLike): string => {
  const [source, alt] = ["src", "alt"].map((name) => node.getAttribute(name) ?? "");
  const address = source?.replace(/[\s()<>]/g, encodeURIComponent);
  return address ? `![${turndown.escape(alt?.replace(/\s+/g, " ") ?? "")}](${address})` : "";
};

const collapseWhitespace = (run: string): string => (run.includes("\n") ? "\n" : " ");

/** @returns undefined when turndown fails, or would take too long; the text is then shown without structure */
const toMarkdown = (turndown: TurndownService, html: string): string | undefined => {
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

/** Skips to the first `<p>`, so that a heading is not used as the summary. Without one, returns all HTML. */
const fromFirstParagraph = (html: string): string => {
  const start = html.search(/<p[\s>]/i);
  return start === -1 ? html : html.slice(start);
};
