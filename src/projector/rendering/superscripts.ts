import { type Element, isInline, type Node, textOf } from "./tree.ts";

/** A script with its Unicode characters, and the mark for text that has no such characters. */
interface Script {
  readonly mark: string;
  readonly characters: ReadonlyMap<string, string>;
  readonly digits: RegExp;
}

const plainCharacters = [..."0123456789+-\u2212\u2013=()ni"];

const defineScript = (mark: string, characters: string, digits: RegExp): Script => {
  const scriptCharacters = [...characters];
  return {
    mark,
    characters: new Map(
      plainCharacters.map((plain, index) => [plain, scriptCharacters[index] ?? plain]),
    ),
    digits,
  };
};

const scripts: Readonly<Record<string, Script>> = {
  sup: defineScript("^", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ", /[⁰¹²³⁴-⁹]/),
  sub: defineScript("_", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₙᵢ", /[₀-₉]/),
};

/** Superscripts with a Unicode character of their own, and the replacement of each of their letters. */
const symbols: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ["TM", new Map(Object.entries({ T: "™", M: "" }))],
  ["tm", new Map(Object.entries({ t: "™", m: "" }))],
  ["SM", new Map(Object.entries({ S: "℠", M: "" }))],
  ["o", new Map(Object.entries({ o: "º" }))],
  ["a", new Map(Object.entries({ a: "ª" }))],
]);

/** Text whose characters all exist in the script, except words: `in` stays unchanged. */
const writablePattern = /^(?!.*[ni]{2})[\s0-9+\-\u2212\u2013=()ni]*$/s;

/** One number with punctuation or symbols, as in cents and footnotes: `.99`, `99 €`, `[1]`. */
const numberPattern = /^[^\p{L}\p{N}]*[0-9]+[^\p{L}\p{N}]*$/u;

/** State of the current line of text. */
interface Line {
  /** Last character; empty at the start of a line. */
  last: string;
}

/** @returns the first character after the node; empty at the end of a line */
type NextCharacter = () => string;

/**
 * Writes superscripts and subscripts as Unicode characters.
 * Plain text and Markdown drop the tags, so that `10<sup>3</sup>` would read as 103. Text without such characters is
 * written as `^(…)` or `_(…)` if it contains a digit and touches other text.
 */
export const writeScripts = (nodes: readonly Node[]): readonly Node[] =>
  rewriteNodes(nodes, { last: "" }, () => "");

const rewriteNodes = (
  nodes: readonly Node[],
  line: Line,
  nextCharacter: NextCharacter,
): readonly Node[] =>
  nodes.map((node, index): Node => {
    if (typeof node === "string") {
      line.last = node.at(-1) ?? line.last;
      return node;
    }
    const next = (): string => firstCharacter(nodes, index + 1) ?? nextCharacter();
    if (isInline(node)) return rewriteInline(node, line, next);
    line.last = "";
    const children = rewriteNodes(node.children, line, () => "");
    line.last = "";
    return { ...node, children };
  });

const rewriteInline = (element: Element, line: Line, nextCharacter: NextCharacter): Element => {
  const before = line.last;
  const children = rewriteNodes(element.children, line, nextCharacter);
  const script = scripts[element.name];
  if (!script) return { ...element, children };
  const rewritten = writeScript(script, children, before, nextCharacter);
  line.last = textOf(rewritten).at(-1) ?? before;
  return { ...element, children: rewritten };
};

const writeScript = (
  script: Script,
  children: readonly Node[],
  before: string,
  nextCharacter: NextCharacter,
): readonly Node[] => {
  const text = textOf(children);
  const symbol = script.mark === "^" ? symbols.get(text.trim()) : undefined;
  if (symbol !== undefined) return replaceCharacters(children, symbol);
  if (!/\p{Nd}/u.test(text) && !writablePattern.test(text)) return children;
  const continuesNumber = script.digits.test(before) && /^[0-9]/.test(text);
  if (!continuesNumber && (writablePattern.test(text) || numberPattern.test(text))) {
    return replaceCharacters(children, script.characters);
  }
  const touchesText = /\S/.test(before) || /[\p{L}\p{N}]/u.test(nextCharacter());
  return touchesText ? [`${script.mark}(`, ...children, ")"] : children;
};

const replaceCharacters = (
  nodes: readonly Node[],
  characters: ReadonlyMap<string, string>,
): readonly Node[] =>
  nodes.map((node) =>
    typeof node === "string"
      ? node.replace(/./gu, (character) => characters.get(character) ?? character)
      : { ...node, children: replaceCharacters(node.children, characters) },
  );

/** @returns undefined when the nodes contain neither text nor a block; empty at a block */
const firstCharacter = (nodes: readonly Node[], from: number): string | undefined => {
  for (let index = from; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (typeof node === "string") return String.fromCodePoint(node.codePointAt(0) ?? 0x20);
    if (!node || !isInline(node)) return "";
    const character = firstCharacter(node.children, 0);
    if (character !== undefined) return character;
  }
  return undefined;
};
