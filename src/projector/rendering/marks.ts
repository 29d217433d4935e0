import { struckMark, withoutStyleMarks } from "./style-marks.ts";
import { type Element, isInline, isInlineName, type Node, textOf } from "./tree.ts";

/** An element that Markdown writes as marks around text. */
interface Mark {
  readonly name: string;
  /** Opening tag. */
  readonly tag: string;
  /** State of a link: its element is one link, at its first words. */
  readonly link: { readonly hasWords: boolean; isWritten: boolean };
}

/** A part of a line with its marks, the outermost first: text, an image or a line break. */
interface Piece {
  readonly content: Node;
  readonly marks: readonly Mark[];
}

interface Context {
  readonly marks: readonly Mark[];
  /** Within `pre`, Markdown drops elements: strikes and ends of lines are written as text. */
  readonly isPre: boolean;
}

/**
 * Moves marks into the blocks within them and merges adjacent ones, because Markdown can mark only text within one
 * block, and plain text strikes out each paragraph. Blanks and line breaks at the edges of a mark move outside of it.
 */
export const normaliseMarks = (nodes: readonly Node[]): readonly Node[] =>
  rewriteNodes(nodes, { marks: [], isPre: false });

const rewriteNodes = (nodes: readonly Node[], context: Context): readonly Node[] => {
  const result: (readonly Node[])[] = [];
  let line: Piece[] = [];
  const endLine = (): void => {
    if (context.isPre && line.length > 0 && !endsLine(line.at(-1)?.content)) line.push(lineEnd);
    result.push(writePieces(line, 0, context));
    line = [];
  };
  const read = (node: Node, marks: readonly Mark[]): void => {
    if (typeof node === "string") line.push(...splitEdges(node, marks));
    else if (node.name === "br") line.push(...breakLine(marks, context));
    else if (node.name === "img") line.push({ content: withoutStyle(node), marks });
    else if (isInline(node)) {
      const inner = addMarks(node, marks);
      for (const child of node.children) read(child, inner);
    } else {
      endLine();
      result.push([rewriteBlock(node, { ...context, marks: addMarks(node, marks) })]);
    }
  };
  for (const node of nodes) read(node, context.marks);
  endLine();
  return result.flat();
};

const lineEnd: Piece = { content: "\n", marks: [] };

const endsLine = (content: Node | undefined): boolean =>
  typeof content === "string" && content.endsWith("\n");

/** Splits text into a text and the blanks around it. */
const splitEdges = (text: string, marks: readonly Mark[]): readonly Piece[] => {
  const inner = text.trim();
  const start = text.indexOf(inner);
  return [text.slice(0, start), inner, text.slice(start + inner.length)]
    .filter((content) => content !== "")
    .map((content) => ({ content, marks }));
};

const rewriteBlock = (element: Element, context: Context): Element => {
  const { name, tag, children } = withoutStyle(element);
  const isPre = context.isPre || name === "pre";
  const block = isInlineName(name) ? { name: "div", tag: "<div>" } : { name, tag };
  const rewritten = rewriteNodes(children, { ...context, isPre });
  // An HTML parser drops the first line break of a `pre`, but none in an element within it.
  const isDropped = name !== "pre" || typeof children[0] === "string";
  return { ...block, children: isDropped ? rewritten : ["\n", ...rewritten] };
};

const withoutStyle = (node: Element): Element => ({ ...node, tag: withoutStyleMarks(node.tag) });

/** Struck-out lines have marks of their own. */
const breakLine = (marks: readonly Mark[], { isPre }: Context): readonly Piece[] => {
  const struck = marks.findIndex(({ name }) => name === "del");
  const content = { name: "br", tag: "<br>", children: [] };
  const piece = { content, marks: struck === -1 ? marks : marks.slice(0, struck) };
  return isPre ? [piece, lineEnd] : [piece];
};

const markNames: Readonly<Record<string, string>> = {
  ...{ a: "a", code: "code" },
  ...{ b: "strong", strong: "strong", i: "em", em: "em", del: "del", s: "del", strike: "del" },
};

const addMarks = (element: Element, marks: readonly Mark[]): readonly Mark[] => {
  const struck = element.tag.includes(struckMark) ? addMark("del", element, marks) : marks;
  const name = markNames[element.name];
  const isMark = name !== undefined && (name !== "a" || element.tag.includes(" href="));
  return isMark ? addMark(name, element, struck) : struck;
};

/** Adds a mark before that of code, which is the innermost. A link ends the link around it, as in browsers. */
const addMark = (name: string, element: Element, marks: readonly Mark[]): readonly Mark[] => {
  if (name !== "a" && marks.some((mark) => mark.name === name)) return marks;
  const isLink = name === "a";
  const hasWords = isLink && textOf(element.children).trim() !== "";
  const tag = isLink ? withoutStyleMarks(element.tag) : `<${name}>`;
  return [
    ...marks.filter((mark) => mark.name !== name && mark.name !== "code"),
    { name, tag, link: { hasWords, isWritten: false } },
    ...marks.filter((mark) => mark.name === "code"),
  ];
};

/** Writes pieces of one line as elements. @param depth number of marks around all of them */
const writePieces = (
  pieces: readonly Piece[],
  depth: number,
  context: Context,
): readonly Node[] => {
  const result: (readonly Node[])[] = [];
  for (let from = 0, to = 1; from < pieces.length; from = to, to += 1) {
    const mark = pieces[from]?.marks[depth];
    while (to < pieces.length && isSame(mark, pieces[to]?.marks[depth])) to += 1;
    const group = pieces.slice(from, to);
    result.push(mark ? writeMark(mark, group, depth, context) : toNodes(group));
  }
  return result.flat();
};

const isSame = (one: Mark | undefined, other: Mark | undefined): boolean =>
  one?.name === other?.name && one?.tag === other?.tag;

const toNodes = (pieces: readonly Piece[]): readonly Node[] => pieces.map(({ content }) => content);

const writeMark = (
  mark: Mark,
  pieces: readonly Piece[],
  depth: number,
  context: Context,
): readonly Node[] => {
  const first = pieces.findIndex((piece) => !isBlank(piece));
  if (first === -1) return toNodes(pieces);
  const end = pieces.findLastIndex((piece) => !isBlank(piece)) + 1;
  const core = pieces.slice(first, end);
  const children = writePieces(core, depth + 1, context);
  const marked = isWritten(mark, core, context) ? wrap(mark, children, context) : children;
  return [...toNodes(pieces.slice(0, first)), ...marked, ...toNodes(pieces.slice(end))];
};

/** Checks for a blank, a line break or an image without an address, which Markdown leaves out. */
const isBlank = ({ content }: Piece): boolean =>
  typeof content === "string" ? content.trim() === "" : !content.tag.includes(" src=");

const isWritten = ({ name, link }: Mark, pieces: readonly Piece[], { isPre }: Context): boolean => {
  const hasWords = pieces.some(({ content }) => typeof content === "string" && content.trim());
  if (name !== "a" || isPre) return hasWords && (!isPre || name === "del");
  if (link.isWritten || (link.hasWords && !hasWords)) return false;
  link.isWritten = true;
  return true;
};

const wrap = (
  { name, tag }: Mark,
  children: readonly Node[],
  { isPre }: Context,
): readonly Node[] => (isPre ? ["~~", ...children, "~~"] : [{ name, tag, children }]);
