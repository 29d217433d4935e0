import { type RpcError, type RpcId, rpcError, rpcErrorCodes } from "./json-rpc.ts";

export type RpcParams = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RpcId;
  readonly method: string;
  readonly params: RpcParams | undefined;
}

/** One JSON-RPC message from a client. */
export type RpcMessage =
  | RpcRequest
  /** Gets no response. */
  | {
      readonly kind: "notification";
      readonly method: string;
      readonly params: RpcParams | undefined;
    }
  /** Ignored, because the server sends no requests. */
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: RpcId | null; readonly error: RpcError };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a body. @returns undefined when it is not JSON in UTF-8 */
export const parseBody = (body: Uint8Array): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(utf8.decode(body)) };
  } catch {
    return undefined;
  }
};

/** Reads one message. Null counts as absent, because some clients write all members. */
export const readMessage = (json: unknown): RpcMessage => {
  if (!isObject(json)) return invalid(null, "A message is a JSON object.");
  const { jsonrpc, id, method } = json;
  const params = json.params ?? undefined;
  const validId = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return invalid(validId, '`jsonrpc` must be "2.0".');
  if (method == null && validId !== null && ("result" in json || "error" in json)) {
    return { kind: "response" };
  }
  if (typeof method !== "string") return invalid(validId, "`method` must be a string.");
  if (params !== undefined && !isObject(params)) {
    return invalid(validId, "`params` must be an object.");
  }
  if (isNotification(method, id)) return { kind: "notification", method, params };
  if (validId === null) return invalid(null, "`id` must be a string or an integer.");
  return { kind: "request", id: validId, method, params };
};

/** Checks for a notification. A null id counts as absent only here, because a request's sender waits for a response. */
const isNotification = (method: string, id: unknown): boolean =>
  id === undefined || (id === null && method.startsWith("notifications/"));

const invalid = (id: RpcId | null, message: string): RpcMessage => ({
  kind: "invalid",
  id,
  ...rpcError(rpcErrorCodes.invalidRequest, message),
});

const isId = (id: unknown): id is RpcId => typeof id === "string" || Number.isSafeInteger(id);

export const isObject = (value: unknown): value is RpcParams =>
  typeof value === "object" && value !== null && !Array.isArray(value);
