import { delimiterCharacters } from "./delimiter-characters.ts";
import { escapeWithAddresses } from "./escape-text.ts";

/**
 * Fast path for simple HTML: paragraphs, headings and flat lists with emphasised words, as most merchants write it.
 * It yields exactly the text and Markdown of the sanitiser, turndown and `parseParagraphs`, at a small part of their cost.
 * Any other HTML takes the slow path.
 */

/** Result of parsing simple HTML. */
export interface SimpleHtml {
  /** Plain text of each block. */
  readonly paragraphs: readonly string[];
  readonly markdown: string;
}

/** A run of text with the same emphasis. */
interface TextRun {
  readonly text: string;
  /** Character of its delimiters; empty without emphasis. */
  readonly delimiter: string;
}

/** State of the parser. */
interface ParserState {
  readonly paragraphs: string[];
  markdown: string;
  /** Tag of the open block; empty outside of blocks. */
  block: string;
  /** Number of items so far in the open list; undefined outside of lists. */
  items: number | undefined;
  /** Tag of the open emphasis; empty without emphasis. */
  emphasis: string;
  /** Text runs of the open block, white space collapsed. */
  runs: TextRun[];
}

/** Larger HTML takes the slow path, which cuts it or avoids turndown. Length in UTF-16 units. */
const [maxLength, maxTokens] = [64 * 1024, 1_000];

const token = /<(\/?)(p|h[1-6]|ul|li|strong|b|em|i)>|[^<]+/y;

/** White space other than space, tab and line break: it is not collapsed like these. */
const specialWhitespace = /[^\S \t\r\n]/;

const { strong, em } = delimiterCharacters;

const delimiters: Readonly<Record<string, string>> = { strong, b: strong, em, i: em };

/**
 * @param html without invisible characters
 * @returns undefined when the HTML is not simple
 */
export const parseSimpleHtml = (html: string): SimpleHtml | undefined => {
  if (html.length > maxLength || specialWhitespace.test(html)) return undefined;
  const state = newParserState();
  let tokens = 0;
  token.lastIndex = 0;
  for (let at = 0; at < html.length; at = token.lastIndex) {
    const match = token.exec(html);
    if (!match || tokens++ > maxTokens) return undefined;
    const [text, slash, name] = match;
    const isSimple =
      name === undefined
        ? readText(state, text)
        : readTag(state, { name, isClosing: slash === "/", next: html[token.lastIndex] });
    if (!isSimple) return undefined;
  }
  if (state.emphasis !== "" || state.block !== "" || state.items !== undefined) return undefined;
  endBlock(state);
  return state;
};

const newParserState = (): ParserState => ({
  paragraphs: [],
  markdown: "",
  block: "",
  items: undefined,
  emphasis: "",
  runs: [],
});

const readText = (state: ParserState, raw: string): boolean => {
  const decoded = raw.includes("&") ? decodeBasicEntities(raw) : raw;
  if (decoded === undefined) return false;
  let text = decoded.replace(/[ \t\r\n]+/g, " ");
  const { runs } = state;
  const delimiter = delimiters[state.emphasis] ?? "";
  // The slow path moves white space at the edge of emphasis outside of it.
  if (delimiter !== "" && (text.startsWith(" ") || text.endsWith(" "))) return false;
  if (text.startsWith(" ") && (runs.at(-1)?.text.endsWith(" ") ?? true)) text = text.slice(1);
  if (text !== "" && state.items !== undefined && state.block === "") return false;
  const last = runs.at(-1);
  if (last && last.delimiter === delimiter)
    runs[runs.length - 1] = { text: last.text + text, delimiter };
  else if (text !== "") runs.push({ text, delimiter });
  return true;
};

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** @returns undefined for any other entity, or an ampersand that begins none */
const decodeBasicEntities = (text: string): string | undefined => {
  let isBasic = true;
  const decoded = text.replace(/&(?:[a-z]+;|#39;)?/g, (entity) => {
    const character = entities[entity];
    if (character === undefined) isBasic = false;
    return character ?? "";
  });
  return isBasic ? decoded : undefined;
};

/** A tag and the character after it. */
interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  readonly next: string | undefined;
}

/** @returns false when the tag is not simple HTML at this point */
const readTag = (state: ParserState, tag: Tag): boolean => {
  const { name, isClosing } = tag;
  if (delimiters[name] !== undefined) return readEmphasis(state, tag);
  if (state.emphasis !== "") return false;
  if (name === "ul") return readList(state, isClosing);
  if (isClosing) {
    if (state.block !== name || !endBlock(state)) return false;
    state.block = "";
    return true;
  }
  if (state.block !== "" || (state.items !== undefined) !== (name === "li")) return false;
  endBlock(state);
  state.block = name;
  return true;
};

/** @returns false for another tag within emphasis: simple emphasis contains one text */
const readEmphasis = (state: ParserState, { name, isClosing, next }: Tag): boolean => {
  if (state.emphasis !== (isClosing ? name : "") || (!isClosing && next === "<")) return false;
  state.emphasis = isClosing ? "" : name;
  return true;
};

/** @returns false for a list without items, or within another block */
const readList = (state: ParserState, isClosing: boolean): boolean => {
  const isOpen = state.items !== undefined;
  if (state.block !== "" || isOpen !== isClosing || state.items === 0) return false;
  endBlock(state);
  state.items = isClosing ? undefined : 0;
  return true;
};

/** Ends the open block or the text outside of blocks. @returns false when it has no text */
const endBlock = (state: ParserState): boolean => {
  const { runs, block, paragraphs, items = 0 } = state;
  const last = runs.at(-1);
  if (!last) return false;
  state.runs = [];
  if (last.text.endsWith(" ")) runs[runs.length - 1] = { ...last, text: last.text.slice(0, -1) };
  paragraphs.push(runs.map(({ text }) => text).join(""));
  const content = runs
    .map(({ text, delimiter }) => delimiter + escapeWithAddresses(text) + delimiter)
    .join("");
  const separator = state.markdown === "" ? "" : items > 0 ? "\n" : "\n\n";
  state.markdown += separator + (prefixes[block] ?? "") + content;
  if (block === "li") state.items = items + 1;
  return true;
};

const prefixes: Readonly<Record<string, string>> = {
  li: "-   ",
  h1: "# ",
  h2: "## ",
  h3: "### ",
  h4: "#### ",
  h5: "##### ",
  h6: "###### ",
};
