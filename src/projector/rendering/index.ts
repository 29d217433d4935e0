import { createHash } from "node:crypto";
import { gfm } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import type { Rendering } from "../../../projections/group.ts";
import { sanitise, stripUnseen } from "./sanitise.ts";
import { plainTables } from "./tables.ts";
import { paragraphsOf, shorten } from "./text.ts";

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
  turndown.escape = (text) => escapeMarkdown(text).replaceAll("<", "\\<");
  turndown.addRule("code block", {
    filter: "pre",
    replacement: (_content, node) => codeBlock(elementOf(node).textContent ?? ""),
  });
  turndown.addRule("image", {
    filter: "img",
    replacement: (_content, node) => image(turndown, elementOf(node)),
  });
  return {
    fingerprint: (html) => createHash("sha256").update(html).digest("base64url").slice(0, 22),
    plain: (text) => stripUnseen(text).replace(/\s+/gu, " ").trim(),
    text(html) {
      const text = paragraphsOf(sanitise(html)).join("\n");
      return text === "" ? null : shorten(text);
    },
    markdown: (html) =>
      toMarkdown(turndown, plainTables(sanitise(html)).replace(longRuns, shortRun)),
    summary(html) {
      const [first] = paragraphsOf(firstParagraph(sanitise(html)));
      return first === undefined ? null : shorten(first, longestSummary);
    },
  };
};

/** A fence longer than any run of backticks inside, wherever it stands; a `<pre>` needs no `<code>` in it. */
const codeBlock = (code: string): string => {
  const runs = code.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `\n\n${fence}\n${code.replace(/\n$/, "")}\n${fence}\n\n`;
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

const toMarkdown = (turndown: TurndownService, html: string): string => {
  const tags = html.split("<").length;
  if (tags <= mostTags) {
    try {
      return turndown.turndown(html);
    } catch {
      // What cannot be converted is still shown, without its structure.
    }
  }
  return paragraphsOf(html).map(turndown.escape).join("\n\n");
};

/** From the first `<p>` on, so that a heading is not taken for the summary; all of it without one. */
const firstParagraph = (html: string): string => {
  const start = html.search(/<p[\s>]/i);
  return start === -1 ? html : html.slice(start);
};
