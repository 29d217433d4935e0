import { hash } from "node:crypto";
import { Parser } from "htmlparser2";
import type { HtmlRenderer } from "../../../projections/projection.ts";
import { memoizeLast } from "../../platform/memo.ts";
import { cleanText, stripInvisible } from "../../text/invisible-characters.ts";
import { writeDelimiters } from "./delimiters.ts";
import { delimiterCharacters, escapeWithAddresses } from "./escape-text.ts";
import { parseSimpleHtml } from "./html-fast-path.ts";
import { createTurndown, toMarkdown } from "./markdown.ts";
import { normaliseMarks } from "./marks.ts";
import { sanitise, unwrapCdata } from "./sanitise.ts";
import { writeScripts } from "./superscripts.ts";
import { isInlineName, parseTree, writeTree } from "./tree.ts";

const maxSummaryChars = 500;

/** Creates the renderer of HTML to text and Markdown. The projector runs it once, when an event brings the HTML. */
export const createHtmlRenderer = (): HtmlRenderer => {
  const turndown = createTurndown();
  const parseSimple = memoizeLast((html: string) =>
    parseSimpleHtml(unwrapCdata(stripInvisible(html))),
  );
  const clean = memoizeLast((html: string) =>
    writeTree(normaliseMarks(writeScripts(parseTree(sanitise(html))))),
  );
  const toParagraphs = memoizeLast((html: string) => parseParagraphs(clean(html)));
  return {
    hashHtml: (html) => hash("sha256", html, "base64url").slice(0, 22),
    cleanText,
    toPlainText(html) {
      const text = (parseSimple(html)?.paragraphs ?? toParagraphs(html)).join("\n");
      return text === "" ? null : truncate(text);
    },
    markdown: (html) =>
      writeDelimiters(
        parseSimple(html)?.markdown ??
          toMarkdown(turndown, clean(html)) ??
          parseParagraphs(clean(html), delimiterCharacters.del)
            .map(escapeWithAddresses)
            .join("\n\n"),
      ),
    summary(html) {
      const [first] = parseParagraphs(fromFirstParagraph(clean(html)));
      return first === undefined ? null : truncate(first, maxSummaryChars);
    },
  };
};

/** Skips to the first `<p>`, so that a heading is not used as the summary. Without one, returns all HTML. */
const fromFirstParagraph = (html: string): string => {
  const start = html.search(/<p[\s>]/i);
  return start === -1 ? html : html.slice(start);
};

/** Maximum length of the plain text stored for one description, in UTF-16 units. */
const maxPlainTextChars = 20_000;

/**
 * Parses sanitised HTML into paragraphs of plain text.
 * Decodes entities, collapses white space and marks struck-out text.
 * @param html from `normaliseMarks`: no `<del>` contains a line break
 */
const parseParagraphs = (html: string, strikeMark = "~~"): string[] => {
  const paragraphs: string[] = [];
  let paragraph = "";
  const endParagraph = (): void => {
    const text = paragraph.replace(/\s+/gu, " ").trim();
    if (text !== "") paragraphs.push(text);
    paragraph = "";
  };
  const readTag = (name: string): void => {
    if (!isInlineName(name)) endParagraph();
    else if (name === "del") paragraph += strikeMark;
  };
  const parser = new Parser(
    {
      onopentagname: readTag,
      onclosetag: readTag,
      ontext: (text) => {
        paragraph += text;
      },
      onend: endParagraph,
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return paragraphs;
};

/** Truncates text at a word and appends an ellipsis. @param maxLength in UTF-16 units */
const truncate = (text: string, maxLength = maxPlainTextChars): string => {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > maxLength / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`;
};
