import type { Positioned } from "../../read-model/reader/feed/position.ts";
import { isObject, type JsonObject } from "../json.ts";

/** Types of JSON-RPC 2.0, and the error codes that MCP adds. */

type RpcId = string | number;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Result or error of a response. */
export type RpcOutcome =
  | { readonly result: object; readonly madeFrom?: undefined }
  | SerializedResult
  | RpcRefusal;

/** An error response. */
export interface RpcRefusal {
  readonly error: RpcError;
  /** Status of HTTP, where it is not 200. */
  readonly status?: number;
  readonly madeFrom?: undefined;
}

/** A result that is serialized already. */
export interface SerializedResult {
  readonly resultJson: string;
  /** Absent when no snapshot was read. */
  readonly madeFrom?: Positioned | undefined;
}

export const rpcErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  /** A header is missing, or differs from the body. */
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export const rpcError = (code: number, message: string, data?: unknown): { error: RpcError } => ({
  error: { code, message, ...(data !== undefined && { data }) },
});

export const invalidParams = (message: string): { error: RpcError } =>
  rpcError(rpcErrorCodes.invalidParams, message);

/** Formats a response. @param id null when the request's id could not be read */
export const formatResponse = (id: RpcId | null, outcome: RpcOutcome): string =>
  "resultJson" in outcome
    ? wrapResult(id, outcome.resultJson)
    : JSON.stringify({
        ...{ jsonrpc: "2.0", id },
        ...("error" in outcome ? { error: outcome.error } : { result: outcome.result }),
      });

/** Formats a response around a result that is already serialized. */
export const wrapResult = (id: RpcId | null, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/** One JSON-RPC message from a client. */
export type RpcMessage =
  | RpcRequest
  /** Gets no response. */
  | {
      readonly kind: "notification";
      readonly method: string;
      readonly params: JsonObject | undefined;
    }
  /** Ignored, because the server sends no requests. */
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: RpcId | null; readonly error: RpcError };

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
