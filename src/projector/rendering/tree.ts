import { blockMark } from "./style-marks.ts";

/** An element, or text with its entities not decoded. */
export type Node = string | Element;

export interface Element {
  readonly name: string;
  /** Opening tag as written, with its attributes. */
  readonly tag: string;
  readonly children: readonly Node[];
}

const tokenPattern = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+/g;
const voidElements = new Set(["br", "hr", "img"]);

interface OpenElement extends Element {
  readonly children: Node[];
}

/**
 * Parses sanitised HTML into a tree. The sanitiser limits its depth.
 * @param html sanitised: every `<` begins a tag, and no attribute contains a `>`
 */
export const parseTree = (html: string): readonly Node[] => {
  const root: OpenElement = { name: "", tag: "", children: [] };
  const open = [root];
  for (const [token, slash, name] of html.matchAll(tokenPattern)) {
    const parent = open.at(-1) ?? root;
    if (name === undefined) parent.children.push(token);
    else if (slash) {
      const index = open.findLastIndex((element) => element.name === name);
      if (index > 0) open.length = index;
    } else {
      const element: OpenElement = { name, tag: token, children: [] };
      parent.children.push(element);
      if (!voidElements.has(name)) open.push(element);
    }
  }
  return root.children;
};

export const writeTree = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => {
      if (typeof node === "string") return node;
      const { name, tag, children } = node;
      return voidElements.has(name) ? tag : `${tag}${writeTree(children)}</${name}>`;
    })
    .join("");

/** Joins the text of nodes. Entities are not decoded. */
export const textOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : textOf(node.children))).join("");

const inlineNames = new Set("a b strong i em u s del strike sub sup span code img".split(" "));

export const isInlineName = (name: string): boolean => inlineNames.has(name);

/** Checks whether an element is shown in a line; all others, `br` included, end a line. */
export const isInline = ({ name, tag }: Element): boolean =>
  isInlineName(name) && !tag.includes(blockMark);
