import type { Reader } from "../../read-model/reader/reader.ts";
import {
  formatResponse,
  type RpcOutcome,
  rpcError,
  rpcErrorCodes,
  wrapResult,
} from "./json-rpc.ts";
import { parseBody, type RpcMessage, type RpcRequest, readMessage } from "./message.ts";
import {
  callTool,
  createMcpServer,
  handleRequest,
  type McpDeps,
  type McpServer,
  withResultType,
} from "./server.ts";
import { handshakeRevisions, revisions } from "./server-info.ts";
import {
  checkStatelessRequest,
  isStateless,
  type McpHeaders,
  statelessMethods,
  unsupportedVersion,
} from "./stateless-revision.ts";

/** Maximum bytes of a request body (Contract §7). */
export const maxRequestBytes = 256 * 1024;

/** Maximum messages in a batch. Only revision 2025-03-26 has batches. */
const maxBatchMessages = 10;

export interface McpResponse {
  readonly status: number;
  /** JSON; absent for notifications, which get no response. */
  readonly body?: string;
}

/** Schedules batches among other requests. */
export interface BatchScheduler {
  /**
   * Runs one batch at a time, because a batch holds its responses in memory until the last one.
   * @param onTimeout result when the batch has waited too long
   */
  runExclusively<T>(work: () => Promise<T>, onTimeout: () => T): Promise<T>;
  /** Lets other requests run before the next message. @returns the reader of the then live generation */
  acquireReader(): Promise<Reader | undefined>;
}

/** Answers POST bodies (Specification §4.2), each call from one snapshot of the read model. */
export interface McpSurface {
  (
    reader: Reader,
    body: Uint8Array,
    headers: McpHeaders,
    batches: BatchScheduler,
  ): Promise<McpResponse>;
  /**
   * Answers a `tools/call` of a handshake revision synchronously.
   * @returns undefined for other requests, and for rejected ones
   */
  answerCall(reader: Reader, body: Uint8Array, headers: McpHeaders): string | undefined;
}

export const createMcp = (deps: McpDeps): McpSurface => {
  const server = createMcpServer(deps);
  const answer = async (
    reader: Reader,
    body: Uint8Array,
    headers: McpHeaders,
    batches: BatchScheduler,
  ): Promise<McpResponse> => {
    const parsed = parseBody(body);
    if (!parsed)
      return badRequest(null, rpcError(rpcErrorCodes.parseError, "The body is not JSON in UTF-8."));
    const { json } = parsed;
    if (Array.isArray(json)) {
      const work = () => answerBatch(server, reader, json, headers, batches.acquireReader);
      return batches.runExclusively(work, () => ({ status: 429 }));
    }
    return answerMessage(server, reader, readMessage(json), headers);
  };
  return Object.assign(answer, { answerCall: createCallHandler(server) });
};

const createCallHandler =
  ({ tools }: McpServer): McpSurface["answerCall"] =>
  (reader, body, headers) => {
    const message = readMessage(parseBody(body)?.json);
    if (message.kind !== "request" || message.method !== "tools/call") return undefined;
    const { version } = headers;
    if (isStateless(headers, message.params)) return undefined;
    if (version !== undefined && !revisions.includes(version)) return undefined;
    const outcome = callTool(tools, reader, message.params);
    return "error" in outcome ? undefined : formatResponse(message.id, outcome);
  };

const answerMessage = async (
  server: McpServer,
  reader: Reader,
  message: RpcMessage,
  headers: McpHeaders,
): Promise<McpResponse> => {
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
  return { status: 200, body: await answerHandshake(server, reader, message) };
};

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
  if ("error" in outcome) return { status: 200, body: formatResponse(id, outcome) };
  if (outcome.result === server.list) return { status: 200, body: wrapResult(id, statelessList) };
  return { status: 200, body: formatResponse(id, { result: withResultType(outcome.result) }) };
};

const answerHandshake = async (
  server: McpServer,
  reader: Reader,
  request: RpcRequest,
): Promise<string> => {
  const outcome = await handleRequest(server, reader, request);
  return "result" in outcome && outcome.result === server.list
    ? wrapResult(request.id, server.prerendered.handshakeList)
    : formatResponse(request.id, outcome);
};

/** Answers a batch. Only revision 2025-03-26 has batches; it also applies to clients without the version header. */
const answerBatch = async (
  server: McpServer,
  reader: Reader,
  batch: readonly unknown[],
  { version = batchRevision }: McpHeaders,
  turn: BatchScheduler["acquireReader"],
): Promise<McpResponse> => {
  const problem = checkBatch(batch, version);
  if (problem) return badRequest(null, rpcError(rpcErrorCodes.invalidRequest, problem));
  const bodies: string[] = [];
  for (const message of batch.map(readMessage)) {
    const currentReader = (await turn()) ?? reader;
    if (message.kind === "invalid")
      bodies.push(formatResponse(message.id, { error: message.error }));
    if (message.kind === "request")
      bodies.push(await answerHandshake(server, currentReader, message));
  }
  return bodies.length === 0 ? { status: 202 } : { status: 200, body: `[${bodies.join(",")}]` };
};

const batchRevision: string = handshakeRevisions[2];

const checkBatch = (batch: readonly unknown[], version: string): string | undefined => {
  if (version !== batchRevision) return "This protocol revision has no batches: send one message.";
  if (batch.length === 0) return "A batch holds at least one message.";
  if (batch.length > maxBatchMessages)
    return `A batch may hold ${maxBatchMessages} messages at most.`;
  return undefined;
};

const badRequest = (
  id: Parameters<typeof formatResponse>[0],
  { error }: Extract<RpcOutcome, { error: unknown }>,
) => ({
  status: 400,
  body: formatResponse(id, { error }),
});
