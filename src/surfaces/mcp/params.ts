import { codes, failed, type RpcError } from "./json-rpc.ts";
import { isObject, type Params } from "./message.ts";
import type { Tools } from "./tools/registry.ts";

/** Params for the engine, or the error of invalid params. */
export type Prepared =
  | { readonly params: Params | undefined; readonly error?: undefined }
  | { readonly error: RpcError };

/**
 * Checks the params of a method other than `tools/call`, and drops members that have no effect here (`_meta`, progress
 * tokens).
 */
export const prepare = (method: string, params: Params = {}): Prepared => {
  if (method === "initialize") return parseInitialize(params);
  if (method === "tools/list" && params.cursor != null) {
    return invalidParams("Unknown cursor: the list of tools has one page.");
  }
  return { params: undefined };
};

const invalidParams = (message: string) => failed(codes.invalidParams, message);

const parseInitialize = ({ protocolVersion }: Params): Prepared => {
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
export const prepareCall = (
  tools: Tools,
  params: Params = {},
): { readonly name: string; readonly args: Params } | { readonly error: RpcError } => {
  const { name } = params;
  const args = params.arguments ?? {};
  if (typeof name !== "string") return invalidParams("`name` must be a string.");
  if (!tools.has(name)) return invalidParams(`Unknown tool: ${name.slice(0, 100)}`);
  if (!isObject(args)) return invalidParams("`arguments` must be an object.");
  return { name, args };
};
