import { normaliseStrikethrough, struckMark } from "./strikethrough.ts";
import { writeScripts } from "./superscripts.ts";
import { parseTree, writeTree } from "./tree.ts";

const struck = new RegExp(`<(?:del|s|strike)>|${struckMark}`);
const raised = /<su[bp]>/;

/**
 * Rewrites what the tags of a text say of it, for readers that see no tags: superscripts and subscripts become
 * characters, and struck-out text stands in `<del>` elements within one block.
 * @param html sanitised
 */
export const withMarkedText = (html: string): string => {
  const [isStruck, isRaised] = [struck.test(html), raised.test(html)];
  if (!isStruck && !isRaised) return html;
  const tree = isStruck ? normaliseStrikethrough(parseTree(html)) : parseTree(html);
  return writeTree(isRaised ? writeScripts(tree) : tree);
};
