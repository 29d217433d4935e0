import { once } from "node:events";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolRequestSchema, type CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Exchange } from "./exchanges.ts";
import { tellParent } from "./tell-parent.ts";

/** The SDK's low-level server as its documentation has it without sessions: one per request. The tool only fetches. */

const [exchanges] = (await once(process, "message")) as [readonly Exchange[]];
const results = new Map<string, CallToolResult>(
  exchanges.map(({ answer }) => {
    const { id, result } = JSON.parse(answer);
    return [String(id), result];
  }),
);

const serverOfRequest = (): Server => {
  const server = new Server({ name: "peer", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const result = results.get(String(params.arguments?.product_id));
    if (!result) throw new Error("no such product");
    return result;
  });
  return server;
};

const http = createServer(async (request, response) => {
  const server = serverOfRequest();
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on("close", () => void server.close());
  // The SDK's types are not made for `exactOptionalPropertyTypes`.
  await server.connect(transport as unknown as Transport);
  await transport.handleRequest(request, response);
});
http.listen(0, "127.0.0.1");
await once(http, "listening");
tellParent(http);
