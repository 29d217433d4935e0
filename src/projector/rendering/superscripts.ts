import { type Element, isInlineName, type Node, textOf } from "./tree.ts";

/** A script: how text is marked that Unicode has no characters for, and the characters it has. */
interface Script {
  readonly mark: string;
  readonly characters: ReadonlyMap<string, string>;
  /** Figures of the script. */
  readonly figures: RegExp;
}

const plainCharacters = [..."0123456789+-\u2212\u2013=()ni"];

const scriptOf = (mark: string, characters: string, figures: RegExp): Script => {
  const written = [...characters];
  return {
    mark,
    characters: new Map(plainCharacters.map((plain, at) => [plain, written[at] ?? plain])),
    figures,
  };
};

const scripts: Readonly<Record<string, Script>> = {
  sup: scriptOf("^", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ", /[⁰¹²³⁴-⁹]/),
  sub: scriptOf("_", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₙᵢ", /[₀-₉]/),
};

/** Superscripts that are one character of Unicode by themselves, and what becomes of each of their letters. */
const wholes: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ["TM", new Map(Object.entries({ T: "™", M: "" }))],
  ["tm", new Map(Object.entries({ t: "™", m: "" }))],
  ["SM", new Map(Object.entries({ S: "℠", M: "" }))],
  ["o", new Map(Object.entries({ o: "º" }))],
  ["a", new Map(Object.entries({ a: "ª" }))],
]);

/** Nothing but what has a character in the script, and no word: `in` stays as it is. */
const isWritable = /^(?!.*[ni]{2})[\s0-9+\-\u2212\u2013=()ni]*$/s;

/** One number with signs around it, as cents and footnotes have them: `.99`, `99 €`, `[1]`. */
const isOneNumber = /^[^\p{L}\p{N}]*[0-9]+[^\p{L}\p{N}]*$/u;

/** What is known of the line of text so far. */
interface Line {
  /** Last character; empty at the start of a line. */
  last: string;
}

/** @returns the first character behind; empty at the end of a line */
type Following = () => string;

/**
 * Writes superscripts and subscripts with Unicode's characters for them, because plain text and Markdown drop the tags
 * and `10<sup>3</sup>` would read as 103. What has no such characters is written as `^(…)` or `_(…)` where it has a
 * figure and touches other text.
 */
export const writeScripts = (nodes: readonly Node[]): readonly Node[] =>
  withScripts(nodes, { last: "" }, () => "");

const withScripts = (nodes: readonly Node[], line: Line, following: Following): readonly Node[] =>
  nodes.map((node, at): Node => {
    if (typeof node === "string") {
      line.last = node.at(-1) ?? line.last;
      return node;
    }
    const after = (): string => firstCharacter(nodes, at + 1) ?? following();
    if (isInlineName(node)) return inlineWithScripts(node, line, after);
    line.last = "";
    const children = withScripts(node.children, line, () => "");
    line.last = "";
    return { ...node, children };
  });

const inlineWithScripts = (element: Element, line: Line, following: Following): Element => {
  const before = line.last;
  const children = withScripts(element.children, line, following);
  const script = scripts[element.name];
  if (!script) return { ...element, children };
  const written = writeScript(script, children, before, following);
  line.last = textOf(written).at(-1) ?? before;
  return { ...element, children: written };
};

const writeScript = (
  script: Script,
  children: readonly Node[],
  before: string,
  following: Following,
): readonly Node[] => {
  const text = textOf(children);
  const whole = script.mark === "^" ? wholes.get(text.trim()) : undefined;
  if (whole !== undefined) return replaceCharacters(children, whole);
  if (!/\p{Nd}/u.test(text) && !isWritable.test(text)) return children;
  const isJoined = script.figures.test(before) && /^[0-9]/.test(text);
  if (!isJoined && (isWritable.test(text) || isOneNumber.test(text))) {
    return replaceCharacters(children, script.characters);
  }
  const isTouched = /\S/.test(before) || /[\p{L}\p{N}]/u.test(following());
  return isTouched ? [`${script.mark}(`, ...children, ")"] : children;
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

/** @returns undefined where the nodes end before any text and any block */
const firstCharacter = (nodes: readonly Node[], from: number): string | undefined => {
  for (let at = from; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (typeof node === "string") return String.fromCodePoint(node.codePointAt(0) ?? 0x20);
    if (!node || !isInlineName(node)) return "";
    const found = firstCharacter(node.children, 0);
    if (found !== undefined) return found;
  }
  return undefined;
};
