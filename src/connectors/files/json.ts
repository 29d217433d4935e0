import { type ByteStream, splitLines } from "../../events/ndjson.ts";
import { parseBody } from "../delivery.ts";
import { type Members, readMembers } from "../members.ts";
import { decodeUtf8, type FileItem, UnusableFileError } from "./items.ts";

/** Finds the topic of a body; undefined for one that is none of goods. */
export type TopicOf = (body: Members) => string | undefined;

/** Bounds what is held: one line, or a file that is one JSON text. An answer of a shop's API has at most a few MiB. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Reads bodies: one a line, a list, or lists in an object such as `{"products": […]}`, also such a list a line.
 * @throws UnusableFileError for a file that is cut, or too large for one JSON text
 */
export async function* readJson(
  chunks: AsyncIterable<Uint8Array>,
  topicOf: TopicOf,
): AsyncGenerator<FileItem, void, undefined> {
  const lines = readLines(decodeUtf8(chunks));
  let bad: number | undefined;
  let isFirst = true;
  for await (const { line, text } of lines) {
    if (bad !== undefined) yield { line: bad, column: null, reason: "is no JSON" };
    bad = undefined;
    const value = parse(text);
    if (value !== undefined) yield* expand(value, line, topicOf);
    else if (isFirst) return yield* expand(await parseRest(text, lines), line, topicOf);
    else bad = line;
    isFirst = false;
  }
  // A file that is cut ends within a line.
  if (bad !== undefined)
    throw new UnusableFileError("the last line is no JSON: the file is cut", bad);
}

interface TextLine {
  readonly line: number;
  readonly text: string;
}

async function* readLines(chunks: ByteStream): AsyncGenerator<TextLine, void, undefined> {
  let line = 0;
  for await (const { bytes } of splitLines(chunks, maxBytes)) {
    line += 1;
    if (bytes.length >= maxBytes) throw tooLarge(line);
    const text = bytes.toString().replace(/^\ufeff/, "");
    if (text.trim() !== "") yield { line, text };
  }
}

const tooLarge = (line: number): UnusableFileError =>
  new UnusableFileError(
    "one JSON text of more than 32 MiB is not read: write one body a line, such as with jq -c '.products[]'",
    line,
  );

const parse = (text: string): unknown => {
  try {
    return parseBody(text);
  } catch {
    return undefined;
  }
};

/** Parses a JSON text of several lines. */
const parseRest = async (first: string, lines: AsyncIterable<TextLine>): Promise<unknown> => {
  const texts = [first];
  let length = first.length;
  for await (const { line, text } of lines) {
    length += text.length;
    if (length > maxBytes) throw tooLarge(line);
    texts.push(text);
  }
  const value = parse(texts.join("\n"));
  if (value === undefined) throw new UnusableFileError("the file is no JSON, or it is cut");
  return value;
};

/** Yields a body, or those of a list and of the lists in an object. Lists within lists are no bodies. */
function* expand(value: unknown, line: number, topicOf: TopicOf): Generator<FileItem> {
  const object = readMembers(value);
  const lists: readonly (readonly [path: string, list: readonly unknown[]])[] = Array.isArray(value)
    ? [["", value]]
    : Object.entries(object ?? {}).flatMap(([name, list]) =>
        Array.isArray(list) ? [[name, list] as const] : [],
      );
  if (lists.length === 0 || (object && topicOf(object) !== undefined))
    return yield toItem(value, line, topicOf, "");
  for (const [name, list] of lists) {
    for (const [at, each] of list.entries()) yield toItem(each, line, topicOf, `${name}[${at}]`);
  }
}

const toItem = (value: unknown, line: number, topicOf: TopicOf, path: string): FileItem => {
  const body = readMembers(value);
  const topic = body && topicOf(body);
  if (topic !== undefined) return { line, topic, body, path };
  return { line, column: path || null, reason: "is no body of the connection's platform" };
};
