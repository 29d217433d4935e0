import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { isObject, type JsonObject, parseJson } from "../json.ts";

/** A well-formed GraphQL request with one operation. A client may name the document by its hash in place of the text. */
export type GraphqlRequest = CompleteRequest | HashedRequest;

/** A request with the text of its document. */
export interface CompleteRequest extends OperationOfRequest {
  readonly query: string;
  readonly persistedQuery?: PersistedQuery | undefined;
}

interface HashedRequest extends OperationOfRequest {
  readonly query?: undefined;
  readonly persistedQuery: PersistedQuery;
}

interface OperationOfRequest {
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The extension `persistedQuery` of Apollo's protocol. */
interface PersistedQuery {
  readonly version: number;
  /** Hash of the document's text in UTF-8, in lower-case hex. */
  readonly sha256Hash: string;
}

/** Parses a request body. @returns the request, or a one-line message about what is wrong with the body */
type ReadRequest = (body: Uint8Array) => GraphqlRequest | string;

/**
 * Parses a request body (Specification §4.1): a JSON object with `query` or a persisted query, and optionally `variables`,
 * `operationName` and `extensions`. Other members are ignored.
 */
export const readRequest: ReadRequest = (body) => {
  const json = parseJson(body);
  if (json === undefined) return "The body is not JSON in UTF-8.";
  if (Array.isArray(json)) return "Batches are not supported: send one operation per request.";
  if (!isObject(json)) return "The body must be a JSON object.";
  return toRequest(json.query, json);
};

const toRequest = (
  query: unknown,
  { operationName, variables, extensions }: JsonObject,
): GraphqlRequest | string => {
  if (operationName != null && typeof operationName !== "string") {
    return "`operationName` must be a string.";
  }
  if (variables != null && !isObject(variables)) return "`variables` must be an object.";
  if (extensions != null && !isObject(extensions)) return "`extensions` must be an object.";
  const persistedQuery = readPersistedQuery(extensions?.persistedQuery);
  if (typeof persistedQuery === "string") return persistedQuery;
  const name = operationName ?? undefined;
  const values = variables ?? {};
  if (typeof query === "string")
    return { operationName: name, variables: values, query, persistedQuery };
  if (query != null || !persistedQuery) return "`query` must be a string.";
  return { operationName: name, variables: values, persistedQuery };
};

/** @returns undefined when the extension is absent, or a message about what is wrong with it */
const readPersistedQuery = (value: unknown): PersistedQuery | string | undefined => {
  if (value == null) return undefined;
  const { version, sha256Hash } = isObject(value) ? value : {};
  if (typeof version !== "number" || typeof sha256Hash !== "string" || !isHash.test(sha256Hash))
    return "`extensions.persistedQuery` must have a number `version` and a `sha256Hash` of 64 hexadecimal digits.";
  return { version, sha256Hash: sha256Hash.toLowerCase() };
};

const isHash = /^[\da-f]{64}$/i;

/**
 * Parses the parameters of a URL (GraphQL over HTTP): `query`, `operationName`, and `variables` and `extensions` in JSON. Others
 * are ignored.
 */
export const readParameters = (parameters: URLSearchParams): GraphqlRequest | string => {
  const [variables, extensions] = [
    parseParameter(parameters, "variables"),
    parseParameter(parameters, "extensions"),
  ];
  if (variables === undefined) return "`variables` must be a JSON object.";
  if (extensions === undefined) return "`extensions` must be a JSON object.";
  const operationName = parameters.get("operationName") || null;
  const query = parameters.get("query") || (extensions === null ? "" : null);
  return toRequest(query, { operationName, variables, extensions });
};

/** @returns null when the parameter is absent or empty, undefined when it is not JSON */
const parseParameter = (parameters: URLSearchParams, name: string): unknown => {
  const text = parameters.get(name);
  return text ? parseJson(Buffer.from(text)) : null;
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
const parsePrefix = (text: string, query: string | undefined): BodyPrefix | undefined => {
  const end = text.indexOf(variablesMarker);
  if (query === undefined || end === -1 || !text.startsWith('{"query":')) return undefined;
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

/** Limits documents and characters of their texts. A client sends the text of an evicted document again. */
const cacheLimits = { max: 1_000, maxSize: 1024 * 1024 };

/** Why a persisted query cannot be executed. Clients react to the message of the first two, and send the text. */
export type PersistedQueryProblem = "PersistedQueryNotFound" | "PersistedQueryNotSupported";

/**
 * Caches the texts of persisted queries by their hash (the protocol of Apollo's automatic persisted queries). Each process has a
 * cache of its own: what another process has seen is a miss here, after which the client sends the text.
 */
export const createPersistedQueries = () => {
  const texts = new LRUCache<string, string>({
    ...cacheLimits,
    sizeCalculation: (text) => text.length + 1,
  });
  return {
    /** Completes a request by the text of its persisted query. */
    complete(
      request: GraphqlRequest,
    ): CompleteRequest | PersistedQueryProblem | { readonly badRequest: string } {
      const { persistedQuery } = request;
      if (persistedQuery && persistedQuery.version !== 1) return "PersistedQueryNotSupported";
      if (request.query === undefined) {
        const query = texts.get(request.persistedQuery.sha256Hash);
        if (query === undefined) return "PersistedQueryNotFound";
        return { ...request, query, persistedQuery: undefined };
      }
      const expected = persistedQuery?.sha256Hash;
      if (expected === undefined || texts.get(expected) === request.query) return request;
      return hash("sha256", request.query, "hex") === expected ? request : wrongHash;
    },
    /** Keeps a text whose document is valid, so that rejected ones cannot evict those in use. */
    keep: (sha256Hash: string, query: string): void => void texts.set(sha256Hash, query),
  };
};

const wrongHash = {
  badRequest: "`extensions.persistedQuery.sha256Hash` is not the SHA-256 of `query`.",
};
