import { type RpcError, rpcError, rpcErrorCodes } from "./json-rpc.ts";
import { isObject, type RpcParams } from "./message.ts";
import type { Tools } from "./tools/registry.ts";

/** Params for the engine, or the error of invalid params. */
export type ParsedParams =
  | { readonly params: RpcParams | undefined; readonly error?: undefined }
  | { readonly error: RpcError };

/**
 * Checks the params of a method other than `tools/call`, and drops members that have no effect here (`_meta`, progress
 * tokens).
 */
export const parseParams = (method: string, params: RpcParams = {}): ParsedParams => {
  if (method === "initialize") return parseInitialize(params);
  if (method === "tools/list" && params.cursor != null) {
    return invalidParams("Unknown cursor: the list of tools has one page.");
  }
  return { params: undefined };
};

const invalidParams = (message: string) => rpcError(rpcErrorCodes.invalidParams, message);

const parseInitialize = ({ protocolVersion }: RpcParams): ParsedParams => {
  if (typeof protocolVersion !== "string") {
    return invalidParams("`protocolVersion` must be a string.");
  }
  // Replaces the client's identity and capabilities, which affect no response.
  const clientInfo = { name: "any", version: "any" };
  return { params: { protocolVersion, capabilities: {}, clientInfo } };
};

/**
 * Parses the tool and the arguments of a `tools/call`. The tool itself validates its arguments, and reports errors in
 * them as a result.
 */
export const parseToolCall = (
  tools: Tools,
  params: RpcParams = {},
): { readonly name: string; readonly args: RpcParams } | { readonly error: RpcError } => {
  const { name } = params;
  const args = params.arguments ?? {};
  if (typeof name !== "string") return invalidParams("`name` must be a string.");
  if (!tools.has(name)) return invalidParams(`Unknown tool: ${name.slice(0, 100)}`);
  if (!isObject(args)) return invalidParams("`arguments` must be an object.");
  return { name, args };
};
