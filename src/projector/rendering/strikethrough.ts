import { type Element, isInline, type Node, textOf } from "./tree.ts";

/** Attribute with which the sanitiser marks an element that its style strikes out. */
export const struckAttribute = "data-struck";

/** The attribute as the sanitiser writes it. Other attributes cannot contain this text, because their quotes are escaped. */
export const struckMark = ` ${struckAttribute}="yes"`;

/**
 * Checks whether a style strikes text out. The last of several declarations wins, as in CSS.
 * @param style value of a `style` attribute
 */
export const isStruckOutByStyle = (style: string): boolean => {
  const decoration = style
    .split(";")
    .findLast((declaration) => /^\s*text-decoration(?:-line)?\s*:/i.test(declaration));
  return decoration !== undefined && /line-through/i.test(decoration);
};

const struckNames = new Set(["del", "s", "strike"]);

/** Checks whether an element strikes out its text, by its name or by its style. */
const isStruckOut = (node: Node): boolean =>
  typeof node === "object" && (struckNames.has(node.name) || node.tag.includes(struckMark));

type Del = Element & { readonly name: "del" | "s" | "strike" };

const isDel = (node: Node | undefined): node is Del =>
  typeof node === "object" && struckNames.has(node.name);

/**
 * Rewrites struck-out text as `<del>` elements that contain no block and no other `<del>`, because Markdown can strike
 * out only text within one block, and plain text marks each paragraph.
 */
export const normaliseStrikethrough = (nodes: readonly Node[]): readonly Node[] =>
  rewriteNodes(nodes, { isStruck: false, isPre: false });

interface Context {
  readonly isStruck: boolean;
  /** Within `pre`, where Markdown drops elements, `~~` is written as text. */
  readonly isPre: boolean;
}

const rewriteNodes = (nodes: readonly Node[], context: Context): readonly Node[] => {
  const result: Node[] = [];
  let run: Node[] = [];
  const endRun = (): void => {
    if (run.length === 0) return;
    for (const node of strikeRun(run, context)) append(result, node);
    run = [];
  };
  for (const node of nodes) {
    if ((context.isStruck || isStruckOut(node)) && isInline(node)) run.push(node);
    else {
      endRun();
      for (const rewritten of rewriteNode(node, context)) append(result, rewritten);
    }
  }
  endRun();
  return result;
};

const rewriteNode = (node: Node, context: Context): readonly Node[] => {
  if (typeof node === "string") return [node];
  const isStruck = context.isStruck || isStruckOut(node);
  const isPre = context.isPre || node.name === "pre";
  const children = rewriteNodes(node.children, { isStruck, isPre });
  return isDel(node) ? children : [{ ...node, tag: withoutMark(node.tag), children }];
};

/** Wraps inline nodes in one `<del>` and removes nested ones. Nodes without text are not wrapped. */
const strikeRun = (run: readonly Node[], { isPre }: Context): readonly Node[] => {
  const children = run.flatMap(unwrapDel);
  if (textOf(children).trim() === "") return children;
  return isPre ? ["~~", ...children, "~~"] : [{ name: "del", tag: "<del>", children }];
};

const unwrapDel = (node: Node): readonly Node[] => {
  if (typeof node === "string") return [node];
  const children = node.children.flatMap(unwrapDel);
  return isDel(node) ? children : [{ ...node, tag: withoutMark(node.tag), children }];
};

const withoutMark = (tag: string): string => tag.replace(struckMark, "");

/** Appends a node and merges adjacent `<del>` elements, because `~~a~~~~b~~` is not valid Markdown. */
const append = (nodes: Node[], node: Node): void => {
  const last = nodes.at(-1);
  if (isDel(last) && isDel(node)) {
    nodes[nodes.length - 1] = { ...last, children: [...last.children, ...node.children] };
  } else nodes.push(node);
};
