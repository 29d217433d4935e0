import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import type { Outcome } from "./json-rpc.ts";
import type { Params } from "./message.ts";
import { capabilities, instructions, legacyRevisions, serverInfo } from "./server-info.ts";
import type { Tools } from "./tools/registry.ts";

/** Answers one request by its method, whatever era it came in: all but calls, which are answered without it. */
export type Engine = (method: string, params: Params | undefined) => Promise<Outcome>;

/** What `tools/list` tells; its identity says that an outcome is this list. */
export type ToolList = { readonly tools: Tools["definitions"] };

/** The requests under way. */
type Asked = Map<RequestId, (outcome: Outcome) => void>;

/**
 * The SDK's protocol engine, one for the life of the process, behind a transport that any number of clients share:
 * a server object per request would cost far more than most answers.
 */
export const createEngine = (list: ToolList): Engine => {
  const asked: Asked = new Map();
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    async send(message) {
      settle(asked, message);
    },
  };
  const connected = createServer(list).connect(transport);
  // Clients choose the same ids; each request gets one of its own here.
  let last = 0;
  return async (method, params) => {
    await connected;
    last += 1;
    const id = last;
    return new Promise((resolve) => {
      asked.set(id, resolve);
      transport.onmessage?.({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    });
  };
};

const settle = (asked: Asked, message: JSONRPCMessage): void => {
  if (!("id" in message) || message.id === undefined || "method" in message) return;
  const resolve = asked.get(message.id);
  asked.delete(message.id);
  resolve?.("error" in message ? { error: message.error } : { result: message.result });
};

const createServer = (list: ToolList): Server => {
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
  return server;
};

const agreedOn = (wanted: string): string =>
  legacyRevisions.find((revision) => revision === wanted) ?? legacyRevisions[0];
