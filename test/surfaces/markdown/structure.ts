import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import * as assert from "uvu/assert";

/** Parses a page as GitHub Flavored Markdown. */
export const parse = (markdown: string): Root =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** Yields every node of a subtree, its root first. */
export function* walk(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* walk(child);
}

export const textOf = (node: Nodes): string =>
  [...walk(node)].map((found) => ("value" in found ? found.value : "")).join("");

/** The tree of a page without its words: two pages of one outline differ only in texts and URLs. */
export const outline = (markdown: string): string => JSON.stringify(shape(parse(markdown)));

const shape = (node: Nodes): unknown => {
  if (node.type === "text" || node.type === "break") return [];
  const depth = node.type === "heading" ? node.depth : undefined;
  // A parser may autolink a bare URL in a text; this is not structure.
  if (node.type === "link" && isBare(node)) return [];
  const children = "children" in node ? node.children.map(shape).filter((s) => !isEmpty(s)) : [];
  return { type: node.type, depth, children };
};

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const isBare = (node: Extract<Nodes, { type: "link" }>): boolean => {
  const text = textOf(node);
  return [text, `http://${text}`, `mailto:${text}`].includes(node.url);
};

export const headings = (markdown: string): readonly [depth: number, text: string][] =>
  [...walk(parse(markdown))].flatMap((node) =>
    node.type === "heading" ? [[node.depth, textOf(node)] as [number, string]] : [],
  );

export const links = (markdown: string): readonly string[] =>
  [...walk(parse(markdown))].flatMap((node) =>
    node.type === "link" || node.type === "image" || node.type === "definition" ? [node.url] : [],
  );

/** A page around a description; its structure is intact only when the description does not leak. */
export const pageAround = (description: string): string =>
  `# Name\n\n## Description\n\n${description}\n\n## Specifications\n\n- Price: 1\n`;

/** Checks that a description adds no structure around it, no dangerous links and no HTML. */
export const mustStayInside = (page: string): void => {
  const outside = headings(page).filter(([depth]) => depth < 3);
  const expected = [
    [1, "Name"],
    [2, "Description"],
    [2, "Specifications"],
  ];
  assert.equal(outside, expected, page);
  assert.is(parse(page).children.at(-1)?.type, "list", page);
  for (const url of links(page)) assert.match(url, /^$|^(https?|mailto|tel):/, page);
  assert.not.ok(
    [...walk(parse(page))].some(({ type }) => type === "html"),
    page,
  );
};
