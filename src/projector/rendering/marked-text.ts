import { normaliseMarks } from "./marks.ts";
import { writeScripts } from "./superscripts.ts";
import { parseTree, writeTree } from "./tree.ts";

/**
 * Rewrites text-level markup for Markdown and plain text.
 * Superscripts and subscripts become characters. Marks become elements within one block; `<del>` is within one line.
 * @param html sanitised
 */
export const withMarkedText = (html: string): string =>
  html.includes("<") ? writeTree(normaliseMarks(writeScripts(parseTree(html)))) : html;
