/** A well-formed GraphQL request: one operation. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Reads a request body: the request, or in one line what is wrong with it. */
export type ReadRequest = (body: Uint8Array) => GraphqlRequest | string;

/**
 * Reads a request body (§4.1): a JSON object with `query` and, where given, `variables`,
 * `operationName` and `extensions`. Other members are ignored.
 */
export const readRequest: ReadRequest = (body) => {
  const json = parseJson(body);
  if (json === undefined) return "The body is not JSON in UTF-8.";
  if (Array.isArray(json)) return "Batches are refused: send one operation per request.";
  if (!isObject(json)) return "The body must be a JSON object.";
  const { query } = json;
  return typeof query === "string" ? requestOf(query, json) : "`query` must be a string.";
};

const requestOf = (
  query: string,
  { operationName, variables, extensions }: Members,
): GraphqlRequest | string => {
  if (operationName != null && typeof operationName !== "string") {
    return "`operationName` must be a string.";
  }
  if (variables != null && !isObject(variables)) return "`variables` must be an object.";
  if (extensions != null && !isObject(extensions)) return "`extensions` must be an object.";
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
};

type Members = Readonly<Record<string, unknown>>;

/** The beginning of a body up to its variables, and the document in it. */
interface Beginning {
  readonly text: string;
  readonly query: string;
}

/** Documents of programs that ask one thing with ever other variables: there are few at a time. */
const mostKnown = 8;

/**
 * Reads as `readRequest` does, and parses the document of a body only when it is another one than lately: programs
 * send the same bytes up to their variables, which are a fraction of it.
 */
export const createReadRequest = (): ReadRequest => {
  const known: Beginning[] = [];
  return (body) => {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
    const beginning = known.find((one) => text.startsWith(one.text));
    const rest = beginning && restOf(text.slice(beginning.text.length));
    if (beginning && rest) return requestOf(beginning.query, rest);
    const request = readRequest(body);
    const found = typeof request === "string" ? undefined : beginningOf(text, request.query);
    if (found && !beginning) {
      known.unshift(found);
      known.length = Math.min(known.length, mostKnown);
    }
    return request;
  };
};

const mark = ',"variables":';

/** Undefined where a body does not consist of a query and then variables. */
const beginningOf = (text: string, query: string): Beginning | undefined => {
  const end = text.indexOf(mark);
  if (end === -1 || !text.startsWith('{"query":')) return undefined;
  const beginning = text.slice(0, end + mark.length);
  // A mark inside the document would end the text of a string, and so would not be parsed.
  const members = parseJson(Buffer.from(`${beginning}0}`, "latin1"));
  const isWhole = isObject(members) && Object.keys(members).join() === "query,variables";
  return isWhole && members.query === query ? { text: beginning, query } : undefined;
};

/** The members behind the query; undefined where another query is among them, which would be the one that counts. */
const restOf = (text: string): Members | undefined => {
  if (!isAscii.test(text)) return undefined;
  try {
    const members = JSON.parse(`{"variables":${text}`);
    return Object.hasOwn(members, "query") ? undefined : members;
  } catch {
    return undefined;
  }
};

const isAscii = /^[\x00-\x7f]*$/;

const utf8 = new TextDecoder("utf-8", { fatal: true });

const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
