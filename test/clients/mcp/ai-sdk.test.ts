/** The MCP client of the AI SDK, over its HTTP transport. */
import { createMCPClient } from "@ai-sdk/mcp";
import { resultText, testToolsClient } from "./scenario.ts";

testToolsClient("@ai-sdk/mcp", async (url, headers) => {
  const client = await createMCPClient({
    transport: { type: "http", url, headers: { ...headers } },
  });
  return {
    listTools: async () => Object.keys(await client.tools()),
    async call(name, args) {
      const tool = (await client.tools())[name];
      const result: unknown = await tool?.execute?.(args, {
        toolCallId: "1",
        messages: [],
        context: {},
      });
      return resultText(Object(result));
    },
    close: () => client.close(),
  };
});
