import type { Logger } from "../../log.ts";
import type { Positioned } from "../../read-model/reader/feed/position.ts";
import type { Reader } from "../../read-model/reader/reader.ts";
import { isObject, type JsonObject } from "../json.ts";
import {
  formatResponse,
  invalidParams,
  type RpcOutcome,
  type RpcRequest,
  wrapResult,
} from "./json-rpc.ts";
import type { ToolList } from "./lifecycle.ts";
import { capabilities, revisions, serverInfo } from "./server-info.ts";
import { createTools, type Tools } from "./tools/registry.ts";
import type { ToolSet } from "./tools/tool-sets.ts";

export interface McpDeps {
  readonly baseUrl: string;
  readonly log: Logger;
}

/** Milliseconds that a client may cache the list of tools, which changes only with a release. */
const ttlMs = 60 * 60 * 1000;

export type McpServer = ReturnType<typeof createMcpServer>;

/** Creates the state of the MCP server of one endpoint, one per process, shared by all clients. */
export const createMcpServer = (deps: McpDeps, { instructions, tools: registered }: ToolSet) => {
  const tools = createTools(deps, registered);
  const list: ToolList = { tools: tools.definitions };
  const caching = { ttlMs, cacheScope: "public" };
  const discovery = { supportedVersions: revisions, capabilities, instructions };
  return {
    tools,
    list,
    engine: loadLater(async () =>
      (await import("./lifecycle.ts")).createEngine(list, instructions),
    ),
    /** Serialized constant results, by kind of revision. */
    prerendered: {
      handshakeList: JSON.stringify(list),
      statelessList: withResultType(JSON.stringify({ ...list, ...caching })),
      discover: withResultType(JSON.stringify({ ...discovery, ...caching })),
    },
  };
};

/** Milliseconds after the start of a process, of which the SDK with its schemas would take a tenth. */
const loadDelayMs = 1_000;

/** Loads a module after the start, or at its first use. A failure is not kept. */
const loadLater = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loading: Promise<T> | undefined;
  const get = (): Promise<T> => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  setTimeout(() => void get().catch(() => undefined), loadDelayMs).unref();
  return get;
};

/**
 * Adds the members that every result of the stateless revision has.
 * @param result JSON of an object with members
 */
export const withResultType = (result: string): string =>
  `{"resultType":"complete",${result.slice(1, -1)},"_meta":${meta}}`;

const meta = JSON.stringify({ "io.modelcontextprotocol/serverInfo": serverInfo });

/** Answers one request of any revision. */
export const handleRequest = async (
  { tools, engine }: McpServer,
  reader: Reader,
  { method, params }: RpcRequest,
): Promise<RpcOutcome> =>
  method === "tools/call" ? callTool(tools, reader, params) : (await engine())(method, params);

/**
 * Answers a `tools/call` without the SDK. The SDK would validate params and results again, which takes longer than the
 * call itself. The tool validates its arguments, and reports errors in them as a result.
 */
export const callTool = (
  tools: Tools,
  reader: Reader,
  { name, arguments: args }: JsonObject = {},
): RpcOutcome => {
  if (typeof name !== "string") return invalidParams("`name` must be a string.");
  if (!tools.has(name)) return invalidParams(`Unknown tool: ${name.slice(0, 100)}`);
  if (args != null && !isObject(args)) return invalidParams("`arguments` must be an object.");
  return tools.call(reader, name, args ?? {});
};

export interface McpResponse {
  readonly status: number;
  /** JSON; absent for notifications, which get no response. */
  readonly body?: string;
  /** Absent unless one snapshot made the body. */
  readonly madeFrom?: Positioned | undefined;
}

/** Answers a request of a revision with a handshake. */
export const answerHandshake = async (
  server: McpServer,
  reader: Reader,
  request: RpcRequest,
): Promise<string> => {
  const outcome = await handleRequest(server, reader, request);
  return "result" in outcome && outcome.result === server.list
    ? wrapResult(request.id, server.prerendered.handshakeList)
    : formatResponse(request.id, outcome);
};

export const badRequest = (
  id: Parameters<typeof formatResponse>[0],
  { error }: Extract<RpcOutcome, { error: unknown }>,
) => ({
  status: 400,
  body: formatResponse(id, { error }),
});
