/** MCPClient of Mastra. */
import { noopObserve } from "@mastra/core/tools";
import { MCPClient } from "@mastra/mcp";
import { testToolsClient } from "./scenario.ts";

testToolsClient("@mastra/mcp", async (url, headers) => {
  const client = new MCPClient({
    id: `${url} ${headers.Authorization}`,
    servers: { shop: { url: new URL(url), requestInit: { headers } } },
  });
  const { toolsets, errors } = await client.listToolsetsWithErrors();
  const tools = toolsets.shop ?? {};
  if (errors.shop) {
    await client.disconnect();
    throw new Error(errors.shop);
  }
  return {
    listTools: async () => Object.keys(tools),
    call: async (name, args) =>
      JSON.stringify(await tools[name]?.execute?.(args, { observe: noopObserve })),
    close: () => client.disconnect(),
  };
});
