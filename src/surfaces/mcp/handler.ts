import type { Reader } from "../../read-model/reader/reader.ts";
import { bodyAround, bodyOf, codes, failed, type Outcome } from "./json-rpc.ts";
import { type Message, parseBody, type RpcRequest, readMessage } from "./message.ts";
import { ask, call, complete, createServer, type McpWorld, type Server } from "./server.ts";
import { legacyRevisions, revisions } from "./server-info.ts";
import {
  isModern,
  type McpHeaders,
  modernMethods,
  modernProblem,
  unsupportedVersion,
} from "./stateless-revision.ts";

/** Maximum bytes of a request body (Contract §7). */
export const bodyLimit = 256 * 1024;

/** Maximum messages in a batch. Only revision 2025-03-26 has batches. */
const maxBatchMessages = 10;

export interface McpAnswer {
  readonly status: number;
  /** JSON; absent for notifications, which get no response. */
  readonly body?: string;
}

/** Schedules batches among other requests. */
export interface Batches {
  /**
   * Runs one batch at a time, because a batch holds its responses in memory until the last one.
   * @param onTimeout result when the batch has waited too long
   */
  alone<T>(work: () => Promise<T>, onTimeout: () => T): Promise<T>;
  /** Lets other requests run before the next message. @returns the reader of the then live generation */
  turn(): Promise<Reader | undefined>;
}

/** Answers POST bodies (Specification §4.2), each call from one snapshot of the read model. */
export interface McpSurface {
  (reader: Reader, body: Uint8Array, headers: McpHeaders, batches: Batches): Promise<McpAnswer>;
  /**
   * Answers a `tools/call` of a handshake revision synchronously.
   * @returns undefined for other requests, and for rejected ones
   */
  answerCall(reader: Reader, body: Uint8Array, headers: McpHeaders): string | undefined;
}

export const createMcp = (deps: McpWorld): McpSurface => {
  const server = createServer(deps);
  const answer = async (
    reader: Reader,
    body: Uint8Array,
    headers: McpHeaders,
    batches: Batches,
  ): Promise<McpAnswer> => {
    const parsed = parseBody(body);
    if (!parsed)
      return badRequest(null, failed(codes.parseError, "The body is not JSON in UTF-8."));
    const { json } = parsed;
    if (Array.isArray(json)) {
      const work = () => answerBatch(server, reader, json, headers, batches.turn);
      return batches.alone(work, () => ({ status: 429 }));
    }
    return answerMessage(server, reader, readMessage(json), headers);
  };
  return Object.assign(answer, { answerCall: createCallHandler(server) });
};

const createCallHandler =
  ({ tools }: Server): McpSurface["answerCall"] =>
  (reader, body, headers) => {
    const message = readMessage(parseBody(body)?.json);
    if (message.kind !== "request" || message.method !== "tools/call") return undefined;
    const { version } = headers;
    if (isModern(headers, message.params)) return undefined;
    if (version !== undefined && !revisions.includes(version)) return undefined;
    const outcome = call(tools, reader, message.params);
    return "error" in outcome ? undefined : bodyOf(message.id, outcome);
  };

const answerMessage = async (
  server: Server,
  reader: Reader,
  message: Message,
  headers: McpHeaders,
): Promise<McpAnswer> => {
  if (message.kind === "invalid") return badRequest(message.id, message);
  if (message.kind === "request" && isModern(headers, message.params)) {
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
const isHandshake = (message: Message): boolean =>
  message.kind === "request" && message.method === "initialize";

const answerStateless = async (
  server: Server,
  reader: Reader,
  request: RpcRequest,
  headers: McpHeaders,
): Promise<McpAnswer> => {
  const { id, method } = request;
  const error = modernProblem(headers, request);
  if (error) return badRequest(id, { error });
  if (!modernMethods.includes(method)) {
    return { status: 404, body: bodyOf(id, failed(codes.methodNotFound, "Method not found")) };
  }
  const { discover, modernList } = server.written;
  if (method === "server/discover") return { status: 200, body: bodyAround(id, discover) };
  const outcome = await ask(server, reader, request);
  if ("error" in outcome) return { status: 200, body: bodyOf(id, outcome) };
  if (outcome.result === server.list) return { status: 200, body: bodyAround(id, modernList) };
  return { status: 200, body: bodyOf(id, { result: complete(outcome.result) }) };
};

const answerHandshake = async (
  server: Server,
  reader: Reader,
  request: RpcRequest,
): Promise<string> => {
  const outcome = await ask(server, reader, request);
  return "result" in outcome && outcome.result === server.list
    ? bodyAround(request.id, server.written.legacyList)
    : bodyOf(request.id, outcome);
};

/** Answers a batch. Only revision 2025-03-26 has batches; it also applies to clients without the version header. */
const answerBatch = async (
  server: Server,
  reader: Reader,
  batch: readonly unknown[],
  { version = batchRevision }: McpHeaders,
  turn: Batches["turn"],
): Promise<McpAnswer> => {
  const problem = checkBatch(batch, version);
  if (problem) return badRequest(null, failed(codes.invalidRequest, problem));
  const bodies: string[] = [];
  for (const message of batch.map(readMessage)) {
    const currentReader = (await turn()) ?? reader;
    if (message.kind === "invalid") bodies.push(bodyOf(message.id, { error: message.error }));
    if (message.kind === "request")
      bodies.push(await answerHandshake(server, currentReader, message));
  }
  return bodies.length === 0 ? { status: 202 } : { status: 200, body: `[${bodies.join(",")}]` };
};

const batchRevision: string = legacyRevisions[2];

const checkBatch = (batch: readonly unknown[], version: string): string | undefined => {
  if (version !== batchRevision) return "This protocol revision has no batches: send one message.";
  if (batch.length === 0) return "A batch holds at least one message.";
  if (batch.length > maxBatchMessages)
    return `A batch may hold ${maxBatchMessages} messages at most.`;
  return undefined;
};

const badRequest = (
  id: Parameters<typeof bodyOf>[0],
  { error }: Extract<Outcome, { error: unknown }>,
) => ({
  status: 400,
  body: bodyOf(id, { error }),
});
