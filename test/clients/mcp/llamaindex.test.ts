/** The MCP client of LlamaIndex. */
import { mcp } from "@llamaindex/tools";
import { testToolsClient } from "./scenario.ts";

testToolsClient("@llamaindex/tools", async (url, headers) => {
  const server = mcp({ url, requestInit: { headers } });
  const tools = await server.tools();
  return {
    listTools: async () => tools.map(({ metadata }) => metadata.name),
    async call(name, args) {
      const tool = tools.find(({ metadata }) => metadata.name === name);
      return JSON.stringify(await tool?.call({ ...args }));
    },
    close: () => server.cleanup(),
  };
});
