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

/** A request body's limit in bytes (contract section 7). */
export const bodyLimit = 256 * 1024;

/** Messages one body of 2025-03-26 may hold; later revisions know no batches. */
const longestBatch = 10;

export interface McpAnswer {
  readonly status: number;
  /** JSON; absent for what wants no answer. */
  readonly body?: string;
}

/** How a batch is worked on beside everything else. */
export interface Batches {
  /** Only one at a time, as its answers are held until all are there. @param late instead, where it waited too long */
  alone<T>(work: () => Promise<T>, late: () => T): Promise<T>;
  /** Lets others be answered before a message, and gives the generation that answers by then. */
  turn(): Promise<Reader | undefined>;
}

/** Answers POST bodies (§4.2), each call from one moment of the model. */
export interface McpSurface {
  (reader: Reader, body: Uint8Array, headers: McpHeaders, batches: Batches): Promise<McpAnswer>;
  /** The answer to a call of a revision with a handshake, at once; undefined for whatever else, and what is refused. */
  answerCall(reader: Reader, body: Uint8Array, headers: McpHeaders): string | undefined;
}

export const createMcp = (world: McpWorld): McpSurface => {
  const server = createServer(world);
  const answer = async (
    reader: Reader,
    body: Uint8Array,
    headers: McpHeaders,
    batches: Batches,
  ): Promise<McpAnswer> => {
    const parsed = parseBody(body);
    if (!parsed) return refused(null, failed(codes.parseError, "The body is not JSON in UTF-8."));
    const { json } = parsed;
    if (Array.isArray(json)) {
      const work = () => answerBatch(server, reader, json, headers, batches.turn);
      return batches.alone(work, () => ({ status: 429 }));
    }
    return answerMessage(server, reader, readMessage(json), headers);
  };
  return Object.assign(answer, { answerCall: callsOf(server) });
};

const callsOf =
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
  if (message.kind === "invalid") return refused(message.id, message);
  if (message.kind === "request" && isModern(headers, message.params)) {
    return answerModern(server, reader, message, headers);
  }
  const { version } = headers;
  if (version !== undefined && !revisions.includes(version) && !isHandshake(message)) {
    const id = message.kind === "request" ? message.id : null;
    return refused(id, { error: unsupportedVersion(version) });
  }
  if (message.kind !== "request") return { status: 202 };
  return { status: 200, body: await answerLegacy(server, reader, message) };
};

/** In a handshake the body says which revision is meant. */
const isHandshake = (message: Message): boolean =>
  message.kind === "request" && message.method === "initialize";

const answerModern = async (
  server: Server,
  reader: Reader,
  request: RpcRequest,
  headers: McpHeaders,
): Promise<McpAnswer> => {
  const { id, method } = request;
  const error = modernProblem(headers, request);
  if (error) return refused(id, { error });
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

const answerLegacy = async (
  server: Server,
  reader: Reader,
  request: RpcRequest,
): Promise<string> => {
  const outcome = await ask(server, reader, request);
  return "result" in outcome && outcome.result === server.list
    ? bodyAround(request.id, server.written.legacyList)
    : bodyOf(request.id, outcome);
};

/** Batches came with 2025-03-26, which is also what a client without the header speaks, and went with the next. */
const answerBatch = async (
  server: Server,
  reader: Reader,
  batch: readonly unknown[],
  { version = batchRevision }: McpHeaders,
  turn: Batches["turn"],
): Promise<McpAnswer> => {
  const problem = batchProblem(batch, version);
  if (problem) return refused(null, failed(codes.invalidRequest, problem));
  const bodies: string[] = [];
  for (const message of batch.map(readMessage)) {
    const current = (await turn()) ?? reader;
    if (message.kind === "invalid") bodies.push(bodyOf(message.id, { error: message.error }));
    if (message.kind === "request") bodies.push(await answerLegacy(server, current, message));
  }
  return bodies.length === 0 ? { status: 202 } : { status: 200, body: `[${bodies.join(",")}]` };
};

const batchRevision: string = legacyRevisions[2];

const batchProblem = (batch: readonly unknown[], version: string): string | undefined => {
  if (version !== batchRevision) return "This protocol revision has no batches: send one message.";
  if (batch.length === 0) return "A batch holds at least one message.";
  if (batch.length > longestBatch) return `A batch may hold ${longestBatch} messages at most.`;
  return undefined;
};

const refused = (
  id: Parameters<typeof bodyOf>[0],
  { error }: Extract<Outcome, { error: unknown }>,
) => ({
  status: 400,
  body: bodyOf(id, { error }),
});
