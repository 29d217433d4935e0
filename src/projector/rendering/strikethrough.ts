import { type Element, isInline, type Node, textOf } from "./tree.ts";

/** Attribute by which the sanitiser marks an element that its style strikes out. */
export const struckAttribute = "data-struck";

/** The attribute as the sanitiser writes it. No other attribute can hold this text, because quotes are escaped there. */
export const struckMark = ` ${struckAttribute}="yes"`;

/**
 * Tells whether a style strikes text out: of several such declarations the last counts, as in CSS.
 * @param style value of a `style` attribute
 */
export const strikesOut = (style: string): boolean => {
  const declared = style
    .split(";")
    .findLast((one) => /^\s*text-decoration(?:-line)?\s*:/i.test(one));
  return declared !== undefined && /line-through/i.test(declared);
};

const struckNames = new Set(["del", "s", "strike"]);

/** An element whose text is struck out, by its name or by its style. */
const isStruckOut = (node: Node): boolean =>
  typeof node === "object" && (struckNames.has(node.name) || node.tag.includes(struckMark));

type Del = Element & { readonly name: "del" | "s" | "strike" };

const isDel = (node: Node | undefined): node is Del =>
  typeof node === "object" && struckNames.has(node.name);

/**
 * Rewrites struck-out text as `<del>` elements that hold no block and no other `<del>`: Markdown cannot strike out more
 * than a run of text in one block, and plain text marks each of its paragraphs.
 */
export const normaliseStrikethrough = (nodes: readonly Node[]): readonly Node[] =>
  withStrikes(nodes, { isStruck: false, isPre: false });

interface Context {
  readonly isStruck: boolean;
  /** Within `pre`, whose elements are lost in Markdown: the marks are written as text. */
  readonly isPre: boolean;
}

const withStrikes = (nodes: readonly Node[], context: Context): readonly Node[] => {
  const out: Node[] = [];
  let run: Node[] = [];
  const endRun = (): void => {
    if (run.length === 0) return;
    for (const node of strikeRun(run, context)) append(out, node);
    run = [];
  };
  for (const node of nodes) {
    if ((context.isStruck || isStruckOut(node)) && isInline(node)) run.push(node);
    else {
      endRun();
      for (const rewritten of withStrikesInside(node, context)) append(out, rewritten);
    }
  }
  endRun();
  return out;
};

const withStrikesInside = (node: Node, context: Context): readonly Node[] => {
  if (typeof node === "string") return [node];
  const isStruck = context.isStruck || isStruckOut(node);
  const isPre = context.isPre || node.name === "pre";
  const children = withStrikes(node.children, { isStruck, isPre });
  return isDel(node) ? children : [{ ...node, tag: unmarked(node.tag), children }];
};

/** Wraps inline nodes in one `<del>`, without those that are within. Nothing is wrapped where there is no text. */
const strikeRun = (run: readonly Node[], { isPre }: Context): readonly Node[] => {
  const plain = run.flatMap(withoutStrikes);
  if (textOf(plain).trim() === "") return plain;
  return isPre ? ["~~", ...plain, "~~"] : [{ name: "del", tag: "<del>", children: plain }];
};

const withoutStrikes = (node: Node): readonly Node[] => {
  if (typeof node === "string") return [node];
  const children = node.children.flatMap(withoutStrikes);
  return isDel(node) ? children : [{ ...node, tag: unmarked(node.tag), children }];
};

const unmarked = (tag: string): string => tag.replace(struckMark, "");

/** Adds a node; a `<del>` behind another becomes a part of it, because `~~a~~~~b~~` is no Markdown. */
const append = (nodes: Node[], node: Node): void => {
  const last = nodes.at(-1);
  if (isDel(last) && isDel(node)) {
    nodes[nodes.length - 1] = { ...last, children: [...last.children, ...node.children] };
  } else nodes.push(node);
};
