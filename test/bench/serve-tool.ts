import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolRequestSchema, type CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { reportToParent } from "./report-to-parent.ts";

/** Arguments of a tool call. */
export type ToolArguments = Readonly<Record<string, unknown>> | undefined;

/** Serves one tool with the SDK's low-level server, one server per request as documented for stateless use. */
export const serveTool = async (call: (args: ToolArguments) => CallToolResult): Promise<void> => {
  const http = createServer(async (request, response) => {
    // A parsed body is the SDK's fastest way: it reads another through a web request.
    const body: unknown = JSON.parse(await text(request));
    const server = new Server({ name: "peer", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(params.arguments));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on("close", () => {
      void transport.close();
      void server.close();
    });
    // The SDK's types do not compile with `exactOptionalPropertyTypes`.
    await server.connect(transport as unknown as Transport);
    await transport.handleRequest(request, response, body);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  reportToParent(http);
};
