import { codes, failed, type RpcError } from "./json-rpc.ts";
import { isObject, type Params } from "./message.ts";
import type { Tools } from "./tools/registry.ts";

/** Params as the engine reads them, or why they are none of the method. */
export type Prepared =
  | { readonly params: Params | undefined; readonly error?: undefined }
  | { readonly error: RpcError };

/**
 * Checks the params of every method but `tools/call`, and leaves out what changes nothing here (`_meta`, a wish for
 * progress).
 */
export const prepare = (method: string, params: Params = {}): Prepared => {
  if (method === "initialize") return prepareInitialize(params);
  if (method === "tools/list" && params.cursor != null) {
    return invalidParams("Unknown cursor: the list of tools has one page.");
  }
  return { params: undefined };
};

const invalidParams = (message: string) => failed(codes.invalidParams, message);

const prepareInitialize = ({ protocolVersion }: Params): Prepared => {
  if (typeof protocolVersion !== "string") {
    return invalidParams("`protocolVersion` must be a string.");
  }
  // Who the client is and what it can do changes no answer.
  const clientInfo = { name: "any", version: "any" };
  return { params: { protocolVersion, capabilities: {}, clientInfo } };
};

/**
 * The tool and the arguments of a call, or why it is none. Arguments are the tool's to judge: what is wrong with them is
 * told as a result.
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
