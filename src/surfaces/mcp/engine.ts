import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import type { Reader } from "../../read-model/reader.ts";
import { capabilities, instructions, legacyRevisions, serverInfo } from "./identity.ts";
import type { Params } from "./message.ts";
import type { Outcome } from "./rpc.ts";
import type { Tools } from "./tools.ts";

/** Answers one request by its method, whatever era it came in. */
export type Engine = (
  reader: Reader,
  method: string,
  params: Params | undefined,
) => Promise<Outcome>;

/** What `tools/list` tells; its identity says that an outcome is this list. */
export type ToolList = { readonly tools: Tools["definitions"] };

/** A request under way. */
interface Asked {
  readonly reader: Reader;
  readonly settle: (outcome: Outcome) => void;
}

/**
 * The SDK's protocol engine, one for the life of the process, behind a transport that any number of clients share:
 * a server object per request would cost far more than most answers.
 */
export const createEngine = (tools: Tools, list: ToolList): Engine => {
  const asked = new Map<RequestId, Asked>();
  const server = createServer(tools, list, (id) => asked.get(id)?.reader);
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    async send(message) {
      settle(asked, message);
    },
  };
  const connected = server.connect(transport);
  // Clients choose the same ids; each request gets one of its own here.
  let last = 0;
  return async (reader, method, params) => {
    await connected;
    last += 1;
    const id = last;
    return new Promise((resolve) => {
      asked.set(id, { reader, settle: resolve });
      transport.onmessage?.({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    });
  };
};

const settle = (asked: Map<RequestId, Asked>, message: JSONRPCMessage): void => {
  if (!("id" in message) || message.id === undefined || "method" in message) return;
  const waiting = asked.get(message.id);
  asked.delete(message.id);
  if ("error" in message) waiting?.settle({ error: message.error });
  else waiting?.settle({ result: message.result });
};

const createServer = (
  tools: Tools,
  list: ToolList,
  readerOf: (id: RequestId) => Reader | undefined,
): Server => {
  const server = new Server(serverInfo, { capabilities, instructions });
  // The SDK would also agree to revisions this endpoint does not speak.
  server.setRequestHandler(InitializeRequestSchema, ({ params }) => ({
    protocolVersion: agreedOn(params.protocolVersion),
    capabilities,
    serverInfo,
    instructions,
  }));
  // The SDK types a list it may change; this one is only written out.
  server.setRequestHandler(ListToolsRequestSchema, () => list as unknown as { tools: [] });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId }) => {
    const reader = readerOf(requestId);
    if (!reader) throw new Error("a call without its reader");
    const { content, ...rest } = tools.call(reader, params.name, params.arguments ?? {});
    return { content: [...content], ...rest };
  });
  return server;
};

const agreedOn = (wanted: string): string =>
  legacyRevisions.find((revision) => revision === wanted) ?? legacyRevisions[0];
