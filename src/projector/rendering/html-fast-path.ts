import { delimiterCharacters, escapeWithAddresses } from "./escape-text.ts";
import { normaliseMarks } from "./marks.ts";
import { parseTree, writeTree } from "./tree.ts";

export interface SimpleHtml {
  /** Plain text of each block. */
  readonly paragraphs: readonly string[];
  readonly markdown: string;
}

/** Larger HTML takes the slow path, which cuts it or avoids turndown. Length in UTF-16 units. */
const [maxLength, maxTags] = [64 * 1024, 1_000];

/** Matches other tags and entities than those of simple HTML, and white space that is not collapsed like a blank. */
const special =
  /<(?!\/?(?:p|h[1-6]|ul|li|strong|b|em|i)>)|&(?!(?:amp|lt|gt|quot|#39);)|[^\S \t\r\n]/;

/**
 * Fast path for simple HTML: paragraphs, headings and flat lists with emphasised words, as most merchants write it.
 * It yields exactly the text and Markdown of the sanitiser, turndown and `parseParagraphs`, at a small part of their cost.
 * Any other HTML takes the slow path.
 * @param html without invisible characters
 * @returns undefined when the HTML is not simple
 */
export const parseSimpleHtml = (html: string): SimpleHtml | undefined => {
  if (html.length > maxLength || special.test(html)) return undefined;
  if (html.split("<", maxTags + 2).length > maxTags + 1) return undefined;
  const tree = parseTree(html);
  // The parser closes elements that the HTML leaves open.
  const blocks = writeTree(tree) === html && readBlocks(writeTree(normaliseMarks(tree)));
  if (!blocks) return undefined;
  return {
    paragraphs: blocks.map(({ parts }) => parts.filter((_, at) => at % 2 === 0).join("")),
    markdown: blocks.map(writeBlock).join("").trimStart(),
  };
};

interface Block {
  /** Line breaks before the block, and its marker. */
  readonly prefix: string;
  /** Texts at even positions, and names of emphasis at odd ones. */
  readonly parts: readonly string[];
}

const markers: Readonly<Record<string, string>> = {
  ...{ li: "-   ", h1: "# ", h2: "## ", h3: "### ", h4: "#### ", h5: "##### ", h6: "###### " },
};

/** Matches the tags of blocks that contain no other block, except lists their items. */
const structure = /^(?:<(p|h\d)><\/\1>|<ul>(?:<li><\/li>)+<\/ul>)*$/;

/** Matches text of a list outside of its items, and an item without text. */
const irregularList = /(?:<ul>|<\/li>)\s*(?!<\/?(?:li|ul)>)\S|<li>\s*<\/li>/;

const readBlocks = (html: string): readonly Block[] | undefined => {
  // Texts at even positions, and the tag before each at odd ones.
  const pieces = html.split(/<(\/?(?:p|h\d|ul|li))>/);
  const tags = pieces.flatMap((piece, at) => (at % 2 === 0 ? [] : [`<${piece}>`])).join("");
  if (!structure.test(tags) || irregularList.test(html)) return undefined;
  return pieces.flatMap((piece, at) => {
    const text = at % 2 === 0 ? piece.replace(/[ \t\r\n]+/g, " ").trim() : "";
    if (text === "") return [];
    const tag = pieces[at - 1] ?? "";
    const separator = tag === "li" && pieces[at - 3] !== "ul" ? "\n" : "\n\n";
    return [{ prefix: separator + (markers[tag] ?? ""), parts: readParts(text) }];
  });
};

const readParts = (html: string): readonly string[] =>
  html
    .split(/<\/?(strong|em)>/)
    .map((part) => part.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? ""));

const entities: Readonly<Record<string, string>> = {
  ...{ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" },
};

const delimiters: Readonly<Record<string, string>> = delimiterCharacters;

const writeBlock = ({ prefix, parts }: Block): string =>
  prefix +
  parts.map((part, at) => (at % 2 === 0 ? escapeWithAddresses(part) : delimiters[part])).join("");
