import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import * as assert from "uvu/assert";

/** A page as any reader of GitHub's Markdown takes it apart. */
export const parse = (markdown: string): Root =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** Every node under a node, itself first. */
export function* walk(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* walk(child);
}

export const textOf = (node: Nodes): string =>
  [...walk(node)].map((found) => ("value" in found ? found.value : "")).join("");

/** The tree without its words: two pages of one outline differ in nothing but text and addresses. */
export const outline = (markdown: string): string => JSON.stringify(shape(parse(markdown)));

const shape = (node: Nodes): unknown => {
  if (node.type === "text" || node.type === "break") return [];
  const depth = node.type === "heading" ? node.depth : undefined;
  // What a reader makes of a bare address in a text is a link of the text's own, not a structure.
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

/** A page around a description; what is said of the page holds only when nothing leaks out of it. */
export const pageAround = (description: string): string =>
  `# Name\n\n## Description\n\n${description}\n\n## Specifications\n\n- Price: 1\n`;

/** The description adds nothing to what stands around it, leads nowhere it should not, and is no HTML. */
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
