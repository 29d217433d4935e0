import { normaliseStrikethrough, struckMark } from "./strikethrough.ts";
import { writeScripts } from "./superscripts.ts";
import { parseTree, writeTree } from "./tree.ts";

const needed = new RegExp(`<(?:su[bp]|del|s|strike)>|${struckMark}`);

/**
 * Rewrites what the tags of a text say of it, for readers that see no tags: superscripts and subscripts become
 * characters, and struck-out text stands in `<del>` elements within one block.
 * @param html sanitised
 */
export const withMarkedText = (html: string): string =>
  needed.test(html) ? writeTree(writeScripts(normaliseStrikethrough(parseTree(html)))) : html;
