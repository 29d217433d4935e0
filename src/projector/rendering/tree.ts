/** A text of HTML, entities not decoded, or an element. */
export type Node = string | Element;

export interface Element {
  readonly name: string;
  /** Opening tag as written, attributes included. */
  readonly tag: string;
  readonly children: readonly Node[];
}

const tokens = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+/g;
const voids = new Set(["br", "hr", "img"]);

interface OpenElement extends Element {
  readonly children: Node[];
}

/**
 * Parses sanitised HTML into a tree, at most as deep as the sanitiser lets elements nest.
 * @param html sanitised: every `<` begins a tag, and no attribute holds a `>`
 */
export const parseTree = (html: string): readonly Node[] => {
  const root: OpenElement = { name: "", tag: "", children: [] };
  const open = [root];
  for (const [token, slash, name] of html.matchAll(tokens)) {
    const parent = open.at(-1) ?? root;
    if (name === undefined) parent.children.push(token);
    else if (slash) {
      const at = open.findLastIndex((element) => element.name === name);
      if (at > 0) open.length = at;
    } else {
      const element: OpenElement = { name, tag: token, children: [] };
      parent.children.push(element);
      if (!voids.has(name)) open.push(element);
    }
  }
  return root.children;
};

/** Writes a tree as HTML. */
export const writeTree = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => {
      if (typeof node === "string") return node;
      const { name, tag, children } = node;
      return voids.has(name) ? tag : `${tag}${writeTree(children)}</${name}>`;
    })
    .join("");

/** Joins the text of nodes, entities not decoded. */
export const textOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : textOf(node.children))).join("");

const inlineNames = new Set("a b strong i em u s del strike sub sup span code img".split(" "));

/** Tells whether an element stands within a line of text: all others, `br` too, end a line. */
export const isInlineName = ({ name }: Element): boolean => inlineNames.has(name);

/** Tells whether a node and all that is in it stand within a line of text. */
export const isInline = (node: Node): boolean =>
  typeof node === "string" || (isInlineName(node) && node.children.every(isInline));
