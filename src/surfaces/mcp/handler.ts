import type { Reader } from "../../read-model/reader/reader.ts";
import { parseJson } from "../json.ts";
import { answerBatch, type BatchScheduler } from "./batch.ts";
import {
  formatResponse,
  type RpcMessage,
  type RpcOutcome,
  type RpcRequest,
  readMessage,
  rpcError,
  rpcErrorCodes,
  wrapResult,
} from "./json-rpc.ts";
import {
  answerHandshake,
  badRequest,
  callTool,
  createMcpServer,
  handleRequest,
  type McpDeps,
  type McpResponse,
  type McpServer,
  withResultType,
} from "./server.ts";
import { revisions } from "./server-info.ts";
import {
  checkStatelessRequest,
  isStateless,
  type McpHeaders,
  statelessMethods,
  unsupportedVersion,
} from "./stateless-revision.ts";
import type { ToolSet } from "./tools/tool-sets.ts";

/** Maximum bytes of a request body (Contract §7). */
export const maxRequestBytes = 256 * 1024;

/**
 * Answers POST bodies (Specification §4.2), each call from one snapshot of the read model: at once when it is a single call of
 * a handshake revision.
 */
export type McpSurface = (
  reader: Reader,
  body: Uint8Array,
  headers: McpHeaders,
  batches: BatchScheduler,
) => McpResponse | Promise<McpResponse>;

export const createMcp = (deps: McpDeps, tools: ToolSet): McpSurface => {
  const server = createMcpServer(deps, tools);
  return (reader, body, headers, batches) => {
    const json = parseJson(body);
    if (json === undefined)
      return badRequest(null, rpcError(rpcErrorCodes.parseError, "The body is not JSON in UTF-8."));
    if (Array.isArray(json)) {
      const work = () => answerBatch(server, reader, json, headers, batches.acquireReader);
      return batches.runExclusively(work, () => ({ status: 429 }));
    }
    return answerMessage(server, reader, readMessage(json), headers);
  };
};

const answerMessage = (
  server: McpServer,
  reader: Reader,
  message: RpcMessage,
  headers: McpHeaders,
): McpResponse | Promise<McpResponse> => {
  if (message.kind === "invalid") return badRequest(message.id, message);
  if (message.kind === "request" && isStateless(headers, message.params)) {
    return answerStateless(server, reader, message, headers);
  }
  const { version } = headers;
  if (version !== undefined && !revisions.includes(version) && !isHandshake(message)) {
    const id = message.kind === "request" ? message.id : null;
    return badRequest(id, { error: unsupportedVersion(version) });
  }
  if (message.kind !== "request") return { status: 202 };
  if (message.method === "tools/call") {
    const outcome = callTool(server.tools, reader, message.params);
    const body = formatResponse(message.id, outcome);
    return { status: statusOf(outcome), body, madeFrom: outcome.madeFrom };
  }
  return answerHandshake(server, reader, message).then((body) => ({ status: 200, body }));
};

const statusOf = (outcome: RpcOutcome): number =>
  ("error" in outcome ? outcome.status : undefined) ?? 200;

/** Checks for a handshake, whose body has the revision instead of the header. */
const isHandshake = (message: RpcMessage): boolean =>
  message.kind === "request" && message.method === "initialize";

const answerStateless = async (
  server: McpServer,
  reader: Reader,
  request: RpcRequest,
  headers: McpHeaders,
): Promise<McpResponse> => {
  const { id, method } = request;
  const error = checkStatelessRequest(headers, request);
  if (error) return badRequest(id, { error });
  if (!statelessMethods.includes(method)) {
    return {
      status: 404,
      body: formatResponse(id, rpcError(rpcErrorCodes.methodNotFound, "Method not found")),
    };
  }
  const { discover, statelessList } = server.prerendered;
  if (method === "server/discover") return { status: 200, body: wrapResult(id, discover) };
  const outcome = await handleRequest(server, reader, request);
  if ("error" in outcome) return { status: statusOf(outcome), body: formatResponse(id, outcome) };
  if ("result" in outcome && outcome.result === server.list)
    return { status: 200, body: wrapResult(id, statelessList) };
  const result = "result" in outcome ? JSON.stringify(outcome.result) : outcome.resultJson;
  const body = wrapResult(id, withResultType(result));
  return { status: 200, body, madeFrom: outcome.madeFrom };
};
