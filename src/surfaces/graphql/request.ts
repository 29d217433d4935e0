/** A well-formed GraphQL request: one operation. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Reads a request body (§4.1): a JSON object with `query` and, where given, `variables`,
 * `operationName` and `extensions`. Other members are ignored.
 * @returns the request, or in one line what is wrong with it
 */
export const readRequest = (body: Uint8Array): GraphqlRequest | string => {
  const json = parseJson(body);
  if (json === undefined) return "The body is not JSON in UTF-8.";
  if (Array.isArray(json)) return "Batches are refused: send one operation per request.";
  if (!isObject(json)) return "The body must be a JSON object.";
  const { query, operationName, variables, extensions } = json;
  if (typeof query !== "string") return "`query` must be a string.";
  if (operationName != null && typeof operationName !== "string") {
    return "`operationName` must be a string.";
  }
  if (variables != null && !isObject(variables)) return "`variables` must be an object.";
  if (extensions != null && !isObject(extensions)) return "`extensions` must be an object.";
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
};

const utf8 = new TextDecoder("utf-8", { fatal: true });

const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
