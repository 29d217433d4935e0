import type { Logger } from "../../log.ts";
import type { Reader } from "../../read-model/reader/reader.ts";
import type { Outcome } from "./json-rpc.ts";
import { createEngine, type Engine, type ToolList } from "./lifecycle.ts";
import type { Params, RpcRequest } from "./message.ts";
import { prepare, prepareCall } from "./params.ts";
import { capabilities, instructions, revisions, serverInfo } from "./server-info.ts";
import { createTools, type Tools } from "./tools/registry.ts";

export interface McpWorld {
  readonly baseUrl: string;
  readonly log: Logger;
}

/** Milliseconds that a client may cache the list of tools, which changes only with a release. */
const ttlMs = 60 * 60 * 1000;

/** State of the MCP server, one per process, shared by all clients. */
export interface Server {
  readonly tools: Tools;
  readonly engine: Engine;
  readonly list: ToolList;
  /** Serialized constant results, by kind of revision. */
  readonly written: {
    readonly legacyList: string;
    readonly modernList: string;
    readonly discover: string;
  };
}

export const createServer = (deps: McpWorld): Server => {
  const tools = createTools(deps);
  const list: ToolList = { tools: tools.definitions };
  const caching = { ttlMs, cacheScope: "public" };
  const discovery = { supportedVersions: revisions, capabilities, instructions };
  return {
    tools,
    list,
    engine: createEngine(list),
    written: {
      legacyList: JSON.stringify(list),
      modernList: JSON.stringify(complete({ ...list, ...caching })),
      discover: JSON.stringify(complete({ ...discovery, ...caching })),
    },
  };
};

/** Adds the members that every result of the stateless revision has. */
export const complete = (result: object): object => ({
  resultType: "complete",
  ...result,
  _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
});

/** Answers one request of any revision. */
export const ask = async (
  { tools, engine }: Server,
  reader: Reader,
  { method, params }: RpcRequest,
): Promise<Outcome> => {
  if (method === "tools/call") return call(tools, reader, params);
  const parsed = prepare(method, params);
  return parsed.error ? { error: parsed.error } : engine(method, parsed.params);
};

/**
 * Answers a `tools/call` without the SDK. The SDK would validate params and results again, which takes longer than the
 * call itself.
 */
export const call = (tools: Tools, reader: Reader, params: Params | undefined): Outcome => {
  const parsed = prepareCall(tools, params);
  if ("error" in parsed) return parsed;
  return { result: tools.call(reader, parsed.name, parsed.args) };
};
