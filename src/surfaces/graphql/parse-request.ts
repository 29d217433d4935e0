import { isObject, type JsonObject, parseJson } from "../json.ts";

/** A well-formed GraphQL request with one operation. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Parses a request body. @returns the request, or a one-line message about what is wrong with the body */
export type ReadRequest = (body: Uint8Array) => GraphqlRequest | string;

/**
 * Parses a request body (Specification §4.1): a JSON object with `query`, and optionally `variables`, `operationName`
 * and `extensions`. Other members are ignored.
 */
export const readRequest: ReadRequest = (body) => {
  const json = parseJson(body);
  if (json === undefined) return "The body is not JSON in UTF-8.";
  if (Array.isArray(json)) return "Batches are not supported: send one operation per request.";
  if (!isObject(json)) return "The body must be a JSON object.";
  const { query } = json;
  return typeof query === "string" ? toRequest(query, json) : "`query` must be a string.";
};

const toRequest = (
  query: string,
  { operationName, variables, extensions }: JsonObject,
): GraphqlRequest | string => {
  if (operationName != null && typeof operationName !== "string") {
    return "`operationName` must be a string.";
  }
  if (variables != null && !isObject(variables)) return "`variables` must be an object.";
  if (extensions != null && !isObject(extensions)) return "`extensions` must be an object.";
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
};

/** Start of a body up to its variables, and the document in it. */
interface BodyPrefix {
  readonly text: string;
  readonly query: string;
}

/** Maximum cached prefixes: few programs at a time repeat one document with other variables. */
const maxPrefixes = 8;

/**
 * Creates a parser that skips the document of a body whose prefix is cached. Programs repeat the bytes before the
 * variables, and the variables are a small part of the body.
 */
export const createReadRequest = (): ReadRequest => {
  const prefixes: BodyPrefix[] = [];
  return (body) => {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
    const cached = prefixes.find((prefix) => text.startsWith(prefix.text));
    const rest = cached && parseRest(text.slice(cached.text.length));
    if (cached && rest) return toRequest(cached.query, rest);
    const request = readRequest(body);
    const prefix = typeof request === "string" ? undefined : parsePrefix(text, request.query);
    if (prefix && !cached) {
      prefixes.unshift(prefix);
      prefixes.length = Math.min(prefixes.length, maxPrefixes);
    }
    return request;
  };
};

const variablesMarker = ',"variables":';

/** @returns undefined unless the body has a query first and variables next */
const parsePrefix = (text: string, query: string): BodyPrefix | undefined => {
  const end = text.indexOf(variablesMarker);
  if (end === -1 || !text.startsWith('{"query":')) return undefined;
  const prefix = text.slice(0, end + variablesMarker.length);
  // A marker inside the document cuts the query's string, so that parsing fails.
  const members = parseJson(Buffer.from(`${prefix}0}`, "latin1"));
  const isPrefix = isObject(members) && Object.keys(members).join() === "query,variables";
  return isPrefix && members.query === query ? { text: prefix, query } : undefined;
};

/**
 * Parses the members after the query.
 * @returns undefined when they include a second `query`, because JSON.parse takes the last one, or are not ASCII or
 * JSON
 */
const parseRest = (text: string): JsonObject | undefined => {
  if (!isAscii.test(text)) return undefined;
  try {
    const members = JSON.parse(`{"variables":${text}`);
    return Object.hasOwn(members, "query") ? undefined : members;
  } catch {
    return undefined;
  }
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
const isAscii = /^[\x00-\x7f]*$/;
