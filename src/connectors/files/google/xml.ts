import sax, { type QualifiedTag, type Tag } from "sax";
import { UnusableFileError } from "../items.ts";

/** An `item` of RSS or an `entry` of Atom. */
export interface XmlItem {
  /** Line of its first tag, from 1. */
  readonly line: number;
  /** Values by local name, with `g:` before those of Google, for any prefix in the file. */
  readonly values: ReadonlyMap<string, readonly Value[]>;
}

/** A text, or the texts of the elements of Google within. */
type Value = string | Readonly<Record<string, string>>;

// The parser checks its buffers between chunks only, so its bound would depend on the chunks.
Object.assign(sax, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });
const [maxItemLength, maxTagLength, maxDepth] = [8 * 1024 * 1024, 64 * 1024, 64];

/**
 * Reads the items of RSS or Atom one by one.
 * @throws UnusableFileError for a file that is cut, no XML in UTF-8, or that has an item above 8 MiB
 */
export async function* readXmlItems(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<XmlItem> {
  const items: XmlItem[] = [];
  const parser = openParser(items);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      // Reads the good part, so that the parser knows the line.
      const text = new TextDecoder().decode(chunk);
      parser.write(text.slice(0, text.indexOf("\ufffd")));
      return parser.fail("it is not UTF-8");
    }
  };
  for await (const chunk of chunks) {
    parser.write(decode(chunk));
    yield* items.splice(0);
  }
  parser.write(decode());
  parser.close();
}

const openParser = (items: XmlItem[]) => {
  const parser = sax.parser(true, { xmlns: true });
  const fail = (reason: string): never => {
    throw new UnusableFileError(`${reason}, so nothing of the file is used`, parser.line + 1);
  };
  const check = followTags(parser, collectItems(items), fail);
  // Without a prototype, and without what a DOCTYPE declares.
  parser.ENTITIES = Object.assign(Object.create(null), entities);
  parser.onerror = ({ message }) => fail(`${message.split("\n")[0]}: it is cut or no XML`);
  return {
    fail,
    write(text: string): void {
      for (let at = 0; at < text.length; at += maxTagLength) {
        parser.write(text.slice(at, at + maxTagLength));
        check();
      }
    },
    close: () => void parser.close(),
  };
};

const entities = { amp: "&", gt: ">", lt: "<", quot: '"', apos: "'" };

interface Element {
  readonly name: string;
  readonly line: number;
  /** Texts of the elements of Google within. */
  readonly parts: Map<string, string>;
  text: string;
}

/** Follows the tags of a file. @returns the check of bounds that the parser lacks */
const followTags = (
  parser: sax.SAXParser,
  item: ReturnType<typeof collectItems>,
  fail: (reason: string) => never,
): (() => void) => {
  let [depth, line, itemEnd, isTagOpen, hasRoot] = [0, 0, 0, false, false];
  const check = (): void => {
    const { position, startTagPosition } = parser;
    // The time of the parser is quadratic in the attributes of a tag.
    if (isTagOpen && position - startTagPosition > maxTagLength) fail("a tag is above 64 KiB");
    if (position - itemEnd > maxItemLength) fail("an item is above 8 MiB");
    if (depth > maxDepth) fail("elements are nested more than 64 deep");
  };
  parser.onopentagstart = () => {
    // A line break right behind the name was counted already.
    line = parser.column === 0 ? parser.line : parser.line + 1;
    [isTagOpen, depth] = [true, depth + 1];
  };
  parser.onopentag = (tag) => {
    check();
    if (depth === 1 && (hasRoot || !/(^|:)(rss|feed|RDF)$/.test(tag.name)))
      fail("it is neither RSS nor Atom");
    [isTagOpen, hasRoot] = [false, true];
    item.open({ name: nameOf(tag), line, parts: new Map(), text: readLink(tag) });
  };
  parser.onclosetag = () => {
    depth -= 1;
    if (!item.close()) return;
    check();
    itemEnd = parser.position;
  };
  parser.ontext = parser.oncdata = item.addText;
  parser.onend = () => hasRoot || fail("it has no element");
  return check;
};

/** Collects the elements of an item; the first open one is the item. */
const collectItems = (items: XmlItem[]) => {
  const open: Element[] = [];
  let values = new Map<string, Value[]>();
  const addTo = (parent: Element, { name, parts, text }: Element): void => {
    const list = values.get(name) ?? [];
    if (open.length === 1) {
      list.push(parts.size > 0 ? Object.fromEntries(parts) : text);
      values.set(name, list);
    } else if (name.startsWith("g:")) parent.parts.set(name.slice(2), text);
    else parent.text += text;
  };
  return {
    open(element: Element): void {
      if (open.length > 0 || /^(g:)?(item|entry)$/.test(element.name)) open.push(element);
    },
    addText(text: string): void {
      const element = open.at(-1);
      if (element && open.length > 1) element.text += text;
    },
    /** @returns whether an item ends */
    close(): boolean {
      const [element, parent] = [open.pop(), open.at(-1)];
      if (element && parent) addTo(parent, element);
      if (!element || parent) return false;
      items.push({ line: element.line, values });
      values = new Map();
      return true;
    },
  };
};

const nameOf = (tag: Tag | QualifiedTag): string => {
  if (!("uri" in tag)) return tag.name;
  return tag.uri === "http://base.google.com/ns/1.0" ? `g:${tag.local}` : tag.local;
};

/** Reads the address of a link of Atom, which may also link a picture or a feed. */
const readLink = ({ attributes }: Tag | QualifiedTag): string => {
  const [href, rel] = [attributes["href"], attributes["rel"]];
  const isPage = typeof rel !== "object" || rel.value === "alternate";
  return isPage && typeof href === "object" ? href.value : "";
};
