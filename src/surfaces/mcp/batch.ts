import type { Reader } from "../../read-model/reader/reader.ts";
import { formatResponse, readMessage, rpcError, rpcErrorCodes } from "./json-rpc.ts";
import { answerHandshake, badRequest, type McpResponse, type McpServer } from "./server.ts";
import { handshakeRevisions } from "./server-info.ts";
import type { McpHeaders } from "./stateless-revision.ts";

/** Maximum messages in a batch. Only revision 2025-03-26 has batches. */
const maxBatchMessages = 10;

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

/** Answers a batch. Only revision 2025-03-26 has batches; it also applies to clients without the version header. */
export const answerBatch = async (
  server: McpServer,
  reader: Reader,
  batch: readonly unknown[],
  { version = batchRevision }: McpHeaders,
  acquireReader: BatchScheduler["acquireReader"],
): Promise<McpResponse> => {
  const problem = checkBatch(batch, version);
  if (problem) return badRequest(null, rpcError(rpcErrorCodes.invalidRequest, problem));
  const bodies: string[] = [];
  for (const message of batch.map(readMessage)) {
    const currentReader = (await acquireReader()) ?? reader;
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
  if (batch.length === 0) return "A batch must have at least one message.";
  if (batch.length > maxBatchMessages)
    return `A batch may have at most ${maxBatchMessages} messages.`;
  return undefined;
};
