import { struckMark, withoutStyleMarks } from "./style-marks.ts";
import { type Element, isInline, isInlineName, type Node, textOf } from "./tree.ts";

/** An element that Markdown writes as marks around text. */
interface Mark {
  readonly name: string;
  readonly tag: string;
  /** Of a link: its element becomes one link, at its first words. */
  readonly hasWords: boolean;
  isWritten: boolean;
}

/** A part of a line with its marks, the outermost first: text, an image or a line break. */
interface Piece {
  readonly content: Node;
  readonly marks: readonly Mark[];
}

/**
 * Moves marks into the blocks within them and merges adjacent ones, because Markdown can mark only text within one
 * block, and plain text strikes out each paragraph. Blanks and line breaks at the edges of a mark move outside of it.
 * @param marks around the nodes
 */
export const normaliseMarks = (
  nodes: readonly Node[],
  marks: readonly Mark[] = [],
): readonly Node[] => {
  const result: (readonly Node[])[] = [];
  let line: Piece[] = [];
  const read = (node: Node, around: readonly Mark[]): void => {
    if (typeof node === "string") line.push(...splitEdges(node, around));
    else if (node.name === "br") line.push(breakLine(line, around));
    else if (node.name === "img") {
      const image = withoutStyle(node);
      if (isInline(node)) line.push({ content: image, marks: around });
      else read({ name: "div", tag: "<div>", children: [image] }, around);
    } else if (isInline(node)) {
      const inner = addMarks(node, around);
      for (const child of node.children) read(child, inner);
    } else {
      result.push(writePieces(line));
      line = [];
      const children = normaliseMarks(node.children, addMarks(node, around));
      result.push([{ ...withoutStyle(node), children }]);
    }
  };
  for (const node of nodes) read(node, marks);
  return [...result, writePieces(line)].flat();
};

/** Removes marks of the style. An inline element that is shown as a block becomes a `div`, unless it is an image. */
const withoutStyle = (element: Element): Element => {
  const isBlock = isInlineName(element.name) && !isInline(element) && element.name !== "img";
  const { name, tag } = isBlock ? { name: "div", tag: "<div>" } : element;
  return { ...element, name, tag: withoutStyleMarks(tag) };
};

/** Splits text into a text and the blanks around it. */
const splitEdges = (text: string, marks: readonly Mark[]): readonly Piece[] => {
  const inner = text.trim();
  const start = text.indexOf(inner);
  return [text.slice(0, start), inner, text.slice(start + inner.length)]
    .filter((content) => content !== "")
    .map((content) => ({ content, marks }));
};

/** Marks neither go over an empty line, which ends a paragraph, nor strike out more than one line. */
const breakLine = (line: readonly Piece[], around: readonly Mark[]): Piece => {
  const last = line.findLast(({ content }) => typeof content !== "string" || content.trim());
  const isEmpty = typeof last?.content === "object" && last.content.name === "br";
  const struck = around.findIndex(({ name }) => name === "del");
  const marks = isEmpty ? [] : around.slice(0, struck === -1 ? around.length : struck);
  return { content: { name: "br", tag: "<br>", children: [] }, marks };
};

const markNames: Readonly<Record<string, string>> = {
  ...{ a: "a", code: "code" },
  ...{ b: "strong", strong: "strong", i: "em", em: "em", del: "del", s: "del", strike: "del" },
};

const addMarks = (element: Element, marks: readonly Mark[]): readonly Mark[] => {
  const struck = element.tag.includes(struckMark) ? addMark("del", element, marks) : marks;
  const name = element.tag.startsWith("<a>") ? undefined : markNames[element.name];
  return name === undefined ? struck : addMark(name, element, struck);
};

/** Adds a mark. A link ends the link around it, as in browsers. Code is the innermost, and has no emphasis within it. */
const addMark = (name: string, element: Element, marks: readonly Mark[]): readonly Mark[] => {
  const isLink = name === "a";
  const others = isLink ? marks.filter((mark) => mark.name !== name) : marks;
  const code = others.findIndex((mark) => mark.name === "code");
  const isEmphasis = name === "strong" || name === "em";
  if (others.some((mark) => mark.name === name) || (code !== -1 && isEmphasis)) return marks;
  const tag = isLink ? withoutStyleMarks(element.tag) : `<${name}>`;
  const hasWords = isLink && textOf(element.children).trim() !== "";
  const mark = { name, tag, hasWords, isWritten: false };
  return others.toSpliced(code === -1 ? others.length : code, 0, mark);
};

/** Writes pieces of one line as elements. @param depth number of marks around all of them */
const writePieces = (pieces: readonly Piece[], depth = 0): readonly Node[] => {
  const result: (readonly Node[])[] = [];
  for (let from = 0, to = 1; from < pieces.length; from = to, to += 1) {
    const mark = pieces[from]?.marks[depth];
    while (to < pieces.length && isSame(mark, pieces[to]?.marks[depth])) to += 1;
    const group = pieces.slice(from, to);
    result.push(mark ? writeMark(mark, group, depth) : toNodes(group));
  }
  return result.flat();
};

const isSame = (one: Mark | undefined, other: Mark | undefined): boolean =>
  one === other || (one?.name === other?.name && one?.name !== "a");

const toNodes = (pieces: readonly Piece[]): readonly Node[] => pieces.map(({ content }) => content);

const writeMark = (mark: Mark, pieces: readonly Piece[], depth: number): readonly Node[] => {
  const isInner = (piece: Piece): boolean => mark.name === "code" || !isBlank(piece);
  const first = pieces.findIndex(isInner);
  if (first === -1) return toNodes(pieces);
  const end = pieces.findLastIndex(isInner) + 1;
  const core = pieces.slice(first, end);
  const children = writePieces(core, depth + 1);
  const { name, tag } = mark;
  const marked = isWritten(mark, core) ? [{ name, tag, children }] : children;
  return [...toNodes(pieces.slice(0, first)), ...marked, ...toNodes(pieces.slice(end))];
};

/** Checks for a blank, a line break or an image without an address, which Markdown leaves out. */
const isBlank = ({ content }: Piece): boolean =>
  typeof content === "string" ? content.trim() === "" : !content.tag.includes(" src=");

const isWritten = (mark: Mark, pieces: readonly Piece[]): boolean => {
  const hasWords = pieces.some(({ content }) => typeof content === "string" && content.trim());
  if (mark.name !== "a") return hasWords;
  if (mark.isWritten || (mark.hasWords && !hasWords)) return false;
  mark.isWritten = true;
  return true;
};
