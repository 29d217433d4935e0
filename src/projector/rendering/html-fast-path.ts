/**
 * Most merchants' HTML is paragraphs, headings and flat lists with a word in bold. That is read here directly, to the
 * very text and Markdown that sanitising, turndown and `paragraphsOf` make of it, at a small part of their cost. What
 * is in any way more than that is left to them.
 */

/** The blocks of simple HTML. */
export interface SimpleHtml {
  /** As plain text. */
  readonly paragraphs: readonly string[];
  readonly markdown: string;
}

/** A stretch of text as a DOM has it, and how it is emphasised. */
interface Run {
  readonly text: string;
  readonly mark: string;
}

/** What is read: where it is, and what it was so far. */
interface Reading {
  readonly escape: (text: string) => string;
  readonly paragraphs: string[];
  markdown: string;
  /** Tag of the block that is open; empty outside of all. */
  block: string;
  /** Of the list that is open, how many items it has so far. */
  items: number | undefined;
  /** Runs of the open block, white space folded. */
  runs: Run[];
}

/** Longer HTML is cut, and HTML of very many tags is not for turndown: neither is simple. */
const [longest, mostTags] = [64 * 1024, 1_000];

const token = /<(\/?)(p|h[1-6]|ul|li|strong|b|em|i)>|[^<]+/y;

/** Space that does not fold, or that reads as more than a space. */
const otherSpace = /[^\S \t\r\n]/;

const marks: Readonly<Record<string, string>> = { strong: "**", b: "**", em: "*", i: "*" };

/**
 * @param html without characters nobody sees
 * @param escape what turndown escapes of a text
 * @returns undefined when it is not simple
 */
export const readSimple = (
  html: string,
  escape: (text: string) => string,
): SimpleHtml | undefined => {
  if (html.length > longest || otherSpace.test(html)) return undefined;
  const reading = newReading(escape);
  let tags = 0;
  let mark = "";
  token.lastIndex = 0;
  for (let at = 0; at < html.length; at = token.lastIndex) {
    const found = token.exec(html);
    if (!found || tags++ > mostTags) return undefined;
    const [text, slash, name] = found;
    if (name === undefined) {
      if (!readText(reading, text, mark)) return undefined;
    } else if (marks[name] !== undefined) {
      // Emphasis holds one text and nothing else.
      if (mark !== (slash ? name : "") || (!slash && html[token.lastIndex] === "<"))
        return undefined;
      mark = slash ? "" : name;
    } else if (mark !== "" || !readTag(reading, name, slash === "/")) return undefined;
  }
  if (mark !== "" || reading.block !== "" || reading.items !== undefined) return undefined;
  endBlock(reading);
  return reading;
};

const newReading = (escape: (text: string) => string): Reading => ({
  escape,
  paragraphs: [],
  markdown: "",
  block: "",
  items: undefined,
  runs: [],
});

const readText = (reading: Reading, told: string, name: string): boolean => {
  const decoded = told.includes("&") ? decodeBasic(told) : told;
  if (decoded === undefined) return false;
  let text = decoded.replace(/[ \t\r\n]+/g, " ");
  const { runs } = reading;
  const mark = marks[name] ?? "";
  // Space at the edge of emphasis moves out of it.
  if (mark !== "" && (text.startsWith(" ") || text.endsWith(" "))) return false;
  if (text.startsWith(" ") && (runs.at(-1)?.text.endsWith(" ") ?? true)) text = text.slice(1);
  if (text !== "" && reading.items !== undefined && reading.block === "") return false;
  if (text !== "") runs.push({ text, mark });
  return true;
};

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Undefined where anything but the commonest entities stands, or an ampersand that is none. */
const decodeBasic = (text: string): string | undefined => {
  let isBasic = true;
  const decoded = text.replace(/&(?:[a-z]+;|#39;)?/g, (entity) => {
    const character = entities[entity];
    if (character === undefined) isBasic = false;
    return character ?? "";
  });
  return isBasic ? decoded : undefined;
};

/** False where a tag does not stand as in simple HTML. */
const readTag = (reading: Reading, name: string, isClosing: boolean): boolean => {
  if (name === "ul") return readList(reading, isClosing);
  if (isClosing) {
    if (reading.block !== name || !endBlock(reading)) return false;
    reading.block = "";
    return true;
  }
  if (reading.block !== "" || (reading.items !== undefined) !== (name === "li")) return false;
  endBlock(reading);
  reading.block = name;
  return true;
};

/** A list without items is none, and no list stands in another block. */
const readList = (reading: Reading, isClosing: boolean): boolean => {
  const isOpen = reading.items !== undefined;
  if (reading.block !== "" || isOpen !== isClosing || reading.items === 0) return false;
  endBlock(reading);
  reading.items = isClosing ? undefined : 0;
  return true;
};

/** Ends the open block, or what stood outside of any. False when nothing did. */
const endBlock = (reading: Reading): boolean => {
  const { runs, block, paragraphs, escape, items = 0 } = reading;
  const last = runs.at(-1);
  if (!last) return false;
  reading.runs = [];
  if (last.text.endsWith(" ")) runs[runs.length - 1] = { ...last, text: last.text.slice(0, -1) };
  paragraphs.push(runs.map(({ text }) => text).join(""));
  const content = runs.map(({ text, mark }) => mark + escape(text) + mark).join("");
  const parting = reading.markdown === "" ? "" : items > 0 ? "\n" : "\n\n";
  reading.markdown += parting + (prefixes[block] ?? "") + content;
  if (block === "li") reading.items = items + 1;
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
