/** mcpToTool of the Google GenAI SDK, over the client of the MCP SDK: the function declarations and calls of Gemini. */
import { mcpToTool } from "@google/genai";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { testToolsClient } from "./scenario.ts";

testToolsClient("@google/genai", async (url, headers) => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  const callable = mcpToTool(client);
  return {
    async listTools() {
      const { functionDeclarations = [] } = await callable.tool();
      return functionDeclarations.map(({ name = "" }) => name);
    },
    call: async (name, args) =>
      JSON.stringify(await callable.callTool([{ name, args: { ...args } }])),
    close: () => client.close(),
  };
});
