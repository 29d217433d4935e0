import { normaliseStrikethrough, struckMark } from "./strikethrough.ts";
import { writeScripts } from "./superscripts.ts";
import { parseTree, writeTree } from "./tree.ts";

const struckPattern = new RegExp(`<(?:del|s|strike)>|${struckMark}`);
const scriptPattern = /<su[bp]>/;

/**
 * Rewrites text-level markup for Markdown and plain text.
 * Superscripts and subscripts become characters. Struck-out text becomes `<del>` elements within one block.
 * @param html sanitised
 */
export const withMarkedText = (html: string): string => {
  const [hasStruckText, hasScripts] = [struckPattern.test(html), scriptPattern.test(html)];
  if (!hasStruckText && !hasScripts) return html;
  const tree = hasStruckText ? normaliseStrikethrough(parseTree(html)) : parseTree(html);
  return writeTree(hasScripts ? writeScripts(tree) : tree);
};
