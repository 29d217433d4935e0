import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject } from "../json.ts";
import { invalidParams, type RpcError, type RpcOutcome } from "./json-rpc.ts";
import { capabilities, handshakeRevisions, serverInfo } from "./server-info.ts";
import type { Tools } from "./tools/registry.ts";

/** Answers one request of any revision by its method. `tools/call` bypasses it. */
type Engine = (method: string, params: JsonObject | undefined) => Promise<RpcOutcome>;

/** Result of `tools/list`. Callers compare its identity to recognise it in an outcome. */
export type ToolList = { readonly tools: Tools["definitions"] };

/** Resolvers of pending requests by id. */
type PendingRequests = Map<RequestId, (outcome: RpcOutcome) => void>;

/**
 * Creates the SDK's protocol engine, one per process. All clients share its transport, because one server object per
 * request would cost far more than most responses.
 */
export const createEngine = (list: ToolList, instructions: string): Engine => {
  const pending: PendingRequests = new Map();
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    async send(message) {
      resolvePending(pending, message);
    },
  };
  const connected = createServer(list, instructions).connect(transport);
  // Gives each request its own id, because several clients choose the same ids.
  let lastId = 0;
  return async (method, params) => {
    const parsed = parseParams(method, params);
    if ("error" in parsed) return parsed;
    await connected;
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      pending.set(id, resolve);
      transport.onmessage?.({ jsonrpc: "2.0", id, method, ...parsed });
    });
  };
};

/** Checks the params of a method, and drops members that have no effect here (`_meta`, progress tokens). */
const parseParams = (
  method: string,
  { protocolVersion, cursor }: JsonObject = {},
): { readonly params?: JsonObject } | { readonly error: RpcError } => {
  if (method === "tools/list" && cursor != null) {
    return invalidParams("Unknown cursor: the list of tools has one page.");
  }
  if (method !== "initialize") return {};
  if (typeof protocolVersion !== "string") {
    return invalidParams("`protocolVersion` must be a string.");
  }
  // Replaces the client's identity and capabilities, which affect no response.
  const clientInfo = { name: "any", version: "any" };
  return { params: { protocolVersion, capabilities: {}, clientInfo } };
};

const resolvePending = (pending: PendingRequests, message: JSONRPCMessage): void => {
  if (!("id" in message) || message.id === undefined || "method" in message) return;
  const resolve = pending.get(message.id);
  pending.delete(message.id);
  resolve?.("error" in message ? { error: message.error } : { result: message.result });
};

const createServer = (list: ToolList, instructions: string): Server => {
  const server = new Server(serverInfo, { capabilities, instructions });
  // Replaces the SDK's handler, which would also accept revisions that this endpoint does not support.
  server.setRequestHandler(InitializeRequestSchema, ({ params }) => ({
    protocolVersion: negotiateRevision(params.protocolVersion),
    capabilities,
    serverInfo,
    instructions,
  }));
  // Casts the readonly list, because the SDK's type is mutable; the SDK only serializes it.
  server.setRequestHandler(ListToolsRequestSchema, () => list as unknown as { tools: [] });
  return server;
};

const negotiateRevision = (requested: string): string =>
  handshakeRevisions.find((revision) => revision === requested) ?? handshakeRevisions[0];
