import type { Logger } from "../../log.ts";
import type { Reader } from "../../read-model/reader/reader.ts";
import type { RpcOutcome } from "./json-rpc.ts";
import { createEngine, type Engine, type ToolList } from "./lifecycle.ts";
import type { RpcParams, RpcRequest } from "./message.ts";
import { parseParams, parseToolCall } from "./params.ts";
import { capabilities, instructions, revisions, serverInfo } from "./server-info.ts";
import { createTools, type Tools } from "./tools/registry.ts";

export interface McpDeps {
  readonly baseUrl: string;
  readonly log: Logger;
}

/** Milliseconds that a client may cache the list of tools, which changes only with a release. */
const ttlMs = 60 * 60 * 1000;

/** State of the MCP server, one per process, shared by all clients. */
export interface McpServer {
  readonly tools: Tools;
  readonly engine: Engine;
  readonly list: ToolList;
  /** Serialized constant results, by kind of revision. */
  readonly prerendered: {
    readonly handshakeList: string;
    readonly statelessList: string;
    readonly discover: string;
  };
}

export const createMcpServer = (deps: McpDeps): McpServer => {
  const tools = createTools(deps);
  const list: ToolList = { tools: tools.definitions };
  const caching = { ttlMs, cacheScope: "public" };
  const discovery = { supportedVersions: revisions, capabilities, instructions };
  return {
    tools,
    list,
    engine: createEngine(list),
    prerendered: {
      handshakeList: JSON.stringify(list),
      statelessList: JSON.stringify(withResultType({ ...list, ...caching })),
      discover: JSON.stringify(withResultType({ ...discovery, ...caching })),
    },
  };
};

/** Adds the members that every result of the stateless revision has. */
export const withResultType = (result: object): object => ({
  resultType: "complete",
  ...result,
  _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
});

/** Answers one request of any revision. */
export const handleRequest = async (
  { tools, engine }: McpServer,
  reader: Reader,
  { method, params }: RpcRequest,
): Promise<RpcOutcome> => {
  if (method === "tools/call") return callTool(tools, reader, params);
  const parsed = parseParams(method, params);
  return parsed.error ? { error: parsed.error } : engine(method, parsed.params);
};

/**
 * Answers a `tools/call` without the SDK. The SDK would validate params and results again, which takes longer than the
 * call itself.
 */
export const callTool = (
  tools: Tools,
  reader: Reader,
  params: RpcParams | undefined,
): RpcOutcome => {
  const parsed = parseToolCall(tools, params);
  if ("error" in parsed) return parsed;
  return { result: tools.call(reader, parsed.name, parsed.args) };
};
