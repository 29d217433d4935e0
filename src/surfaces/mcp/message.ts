import { codes, failed, type RpcError, type RpcId } from "./json-rpc.ts";

export type Params = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RpcId;
  readonly method: string;
  readonly params: Params | undefined;
}

/** One JSON-RPC message as a client may send it. */
export type Message =
  | RpcRequest
  /** Wants no answer. */
  | { readonly kind: "notification"; readonly method: string; readonly params: Params | undefined }
  /** To a request of ours: there are none. */
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: RpcId | null; readonly error: RpcError };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The body as JSON; undefined when it is none. */
export const parseBody = (body: Uint8Array): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(utf8.decode(body)) };
  } catch {
    return undefined;
  }
};

/** Reads one message. Null counts as absent, as some clients write every member they know. */
export const readMessage = (json: unknown): Message => {
  if (!isObject(json)) return invalid(null, "A message is a JSON object.");
  const { jsonrpc, id, method } = json;
  const params = json.params ?? undefined;
  const known = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return invalid(known, '`jsonrpc` must be "2.0".');
  if (method == null && known !== null && ("result" in json || "error" in json)) {
    return { kind: "response" };
  }
  if (typeof method !== "string") return invalid(known, "`method` must be a string.");
  if (params !== undefined && !isObject(params)) {
    return invalid(known, "`params` must be an object.");
  }
  if (isNotification(method, id)) return { kind: "notification", method, params };
  if (known === null) return invalid(null, "`id` must be a string or an integer.");
  return { kind: "request", id: known, method, params };
};

/** A null id counts as absent only where none is expected: a request with it would wait for an answer. */
const isNotification = (method: string, id: unknown): boolean =>
  id === undefined || (id === null && method.startsWith("notifications/"));

const invalid = (id: RpcId | null, message: string): Message => ({
  kind: "invalid",
  id,
  ...failed(codes.invalidRequest, message),
});

const isId = (id: unknown): id is RpcId => typeof id === "string" || Number.isSafeInteger(id);

export const isObject = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value);
