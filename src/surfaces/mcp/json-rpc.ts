/** Types of JSON-RPC 2.0, and the error codes that MCP adds. */

export type RpcId = string | number;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Result or error of a response. */
export type RpcOutcome = { readonly result: object } | { readonly error: RpcError };

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

/** Formats a response. @param id null when the request's id could not be read */
export const formatResponse = (id: RpcId | null, outcome: RpcOutcome): string =>
  JSON.stringify({ jsonrpc: "2.0", id, ...outcome });

/** Formats a response around a result that is already serialized. */
export const wrapResult = (id: RpcId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
