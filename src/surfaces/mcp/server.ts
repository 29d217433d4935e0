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

/** Milliseconds a client may keep the list of tools: it changes with a release only. */
const ttlMs = 60 * 60 * 1000;

/** What lives as long as the process, for all clients. */
export interface Server {
  readonly tools: Tools;
  readonly engine: Engine;
  readonly list: ToolList;
  /** Results that never change, written once, by era. */
  readonly written: {
    readonly legacyList: string;
    readonly modernList: string;
    readonly discover: string;
  };
}

export const createServer = (world: McpWorld): Server => {
  const tools = createTools(world);
  const list: ToolList = { tools: tools.definitions };
  const kept = { ttlMs, cacheScope: "public" };
  const discovered = { supportedVersions: revisions, capabilities, instructions };
  return {
    tools,
    list,
    engine: createEngine(list),
    written: {
      legacyList: JSON.stringify(list),
      modernList: JSON.stringify(complete({ ...list, ...kept })),
      discover: JSON.stringify(complete({ ...discovered, ...kept })),
    },
  };
};

/** What every result of the stateless era carries. */
export const complete = (result: object): object => ({
  resultType: "complete",
  ...result,
  _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
});

/** One request, whatever its era. */
export const ask = async (
  { tools, engine }: Server,
  reader: Reader,
  { method, params }: RpcRequest,
): Promise<Outcome> => {
  if (method === "tools/call") return call(tools, reader, params);
  const prepared = prepare(method, params);
  return prepared.error ? { error: prepared.error } : engine(method, prepared.params);
};

/**
 * A call, without the SDK's engine: that would check params that were checked, and results that our own schemas
 * describe, which takes longer than to find them.
 */
export const call = (tools: Tools, reader: Reader, params: Params | undefined): Outcome => {
  const prepared = prepareCall(tools, params);
  if ("error" in prepared) return prepared;
  return { result: tools.call(reader, prepared.name, prepared.args) };
};
