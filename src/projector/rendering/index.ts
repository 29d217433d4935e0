import { hash } from "node:crypto";
import { gfm } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import type { Rendering } from "../../../projections/field-group.ts";
import { withoutUnseen } from "../../text/invisible-characters.ts";
import { withoutCdata } from "./cdata.ts";
import { plainTables } from "./flatten-tables.ts";
import { readSimple } from "./html-fast-path.ts";
import { withMarkedText } from "./marked-text.ts";
import { paragraphsOf, shorten } from "./plain-text.ts";
import { sanitise } from "./sanitise.ts";

/** Summaries are one paragraph; a longer one is cut. */
const longestSummary = 500;

/** Above this many tags turndown's quadratic corners would hold up the log: plain paragraphs serve instead. */
const mostTags = 2_000;

/** Runs of white space that nobody reads and turndown takes quadratic time over, in text and attributes alike. */
const longRuns = /[\s\u00a0]{40,}/gu;

/** HTML to text and Markdown, for the projector: the work is done once, when an event brings the HTML. */
export const createRendering = (): Rendering => {
  const turndown = new TurndownService({
    headingStyle: "atx",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
  });
  turndown.use(gfm);
  const escapeMarkdown = turndown.escape.bind(turndown);
  // A `<` that was text must not become a tag again where the Markdown is shown.
  turndown.escape = (text) =>
    mayEscape.test(text) ? escapeMarkdown(text).replaceAll("<", "\\<") : text;
  turndown.addRule("code block", {
    filter: "pre",
    replacement: (_content, node) => codeBlock(elementOf(node).textContent ?? ""),
  });
  turndown.addRule("code", {
    filter: "code",
    replacement: inlineCode,
  });
  turndown.addRule("image", {
    filter: "img",
    replacement: (_content, node) => image(turndown, elementOf(node)),
  });
  const simple = lately((html: string) =>
    readSimple(withoutCdata(withoutUnseen(html)), turndown.escape),
  );
  const clean = lately((html: string) => withMarkedText(sanitise(html)));
  const paragraphs = lately((html: string) => paragraphsOf(clean(html)));
  return {
    fingerprint: (html) => hash("sha256", html, "base64url").slice(0, 22),
    plain: plainOf,
    text(html) {
      const text = (simple(html)?.paragraphs ?? paragraphs(html)).join("\n");
      return text === "" ? null : shorten(text);
    },
    markdown: (html) =>
      simple(html)?.markdown ??
      toMarkdown(turndown, clean(html)) ??
      paragraphs(html).map(turndown.escape).join("\n\n"),
    summary(html) {
      const [first] = paragraphsOf(firstParagraph(clean(html)));
      return first === undefined ? null : shorten(first, longestSummary);
    },
  };
};

/** What turndown escapes somewhere in a text: most texts hold none of it. */
const mayEscape = /[\\*`[\]_<]|^[-+=#~>\d]/;

/** One text is asked for in more than one form, mostly one after the other. */
const lately = <T>(make: (html: string) => T): ((html: string) => T) => {
  let last: { readonly html: string; readonly made: T } | undefined;
  return (html) => {
    if (last?.html !== html) last = { html, made: make(html) };
    return last.made;
  };
};

/** Most names are plain as they are. */
const isPlain = /^[!-~]+(?: [!-~]+)*$/;

const plainOf = (text: string): string =>
  isPlain.test(text) ? text : withoutUnseen(text).replace(/\s+/gu, " ").trim();

/** A fence longer than any run of backticks inside, wherever it stands; a `<pre>` needs no `<code>` in it. */
const codeBlock = (code: string): string => {
  const runs = code.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `\n\n${fence}\n${code.replace(/\n$/, "")}\n${fence}\n\n`;
};

/** As turndown has it, but for its pattern, which takes quadratic time over a long one. */
const inlineCode = (content: string): string => {
  const code = content.replace(/\r?\n|\r/g, " ");
  if (code === "") return "";
  const isSpaced = code.startsWith(" ") && code.endsWith(" ") && /[^ ]/.test(code);
  const space = isSpaced || code.startsWith("`") || code.endsWith("`") ? " " : "";
  const runs = new Set(code.match(/`+/g));
  let mark = "`";
  while (runs.has(mark)) mark += "`";
  return `${mark}${space}${code}${space}${mark}`;
};

/** What is used of turndown's own DOM: the types of a browser's are not there. */
interface ElementLike {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
}

const elementOf = (node: unknown): ElementLike => node as ElementLike;

const image = (turndown: TurndownService, node: ElementLike): string => {
  const [source, alt] = ["src", "alt"].map((name) => node.getAttribute(name) ?? "");
  const address = source?.replace(/[\s()<>]/g, encodeURIComponent);
  return address ? `![${turndown.escape(alt?.replace(/\s+/g, " ") ?? "")}](${address})` : "";
};

const shortRun = (run: string): string => (run.includes("\n") ? "\n" : " ");

/** Undefined for what cannot be converted, or not soon enough: it is still shown, without its structure. */
const toMarkdown = (turndown: TurndownService, html: string): string | undefined => {
  // Of the tags of a table at most about half go where its cells are made plain.
  if (tagsIn(html) > 2 * mostTags) return undefined;
  const plain = plainTables(html);
  if (plain === undefined || tagsIn(plain) > mostTags || indentsIn(plain) > mostIndents)
    return undefined;
  try {
    return turndown.turndown(plain.replace(longRuns, shortRun));
  } catch {
    return undefined;
  }
};

/** Blanks that lists and quotes within each other put before their lines: turndown looks back from each of them. */
const mostIndents = 500_000;

const indentsIn = (html: string): number => {
  let [depth, deepest] = [0, 0];
  for (const [, end] of html.matchAll(/<(\/?)(?:ul|ol|blockquote)\b/gi)) {
    depth += end ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }
  return 4 * deepest * html.split("\n").length;
};

const tagsIn = (html: string): number => html.split("<").length - 1;

/** From the first `<p>` on, so that a heading is not taken for the summary; all of it without one. */
const firstParagraph = (html: string): string => {
  const start = html.search(/<p[\s>]/i);
  return start === -1 ? html : html.slice(start);
};
