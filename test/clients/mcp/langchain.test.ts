/** MultiServerMCPClient of LangChain. */
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { testToolsClient } from "./scenario.ts";

testToolsClient("@langchain/mcp-adapters", async (url, headers) => {
  const client = new MultiServerMCPClient({
    mcpServers: { shop: { transport: "http", url, headers: { ...headers } } },
  });
  const tools = await client.getTools();
  return {
    listTools: async () => tools.map(({ name }) => name),
    async call(name, args) {
      const tool = tools.find((each) => each.name === name);
      return JSON.stringify(await tool?.invoke({ ...args }));
    },
    close: () => client.close(),
  };
});
