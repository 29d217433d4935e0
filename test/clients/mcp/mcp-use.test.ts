/** MCPClient of mcp-use. */
import { MCPClient } from "mcp-use/client";
import { type Connect, resultText, testToolsClient } from "./scenario.ts";

const connect: Connect = async (url, headers) => {
  const client = MCPClient.fromDict({ mcpServers: { shop: { url, headers } } });
  const session = await client.createSession("shop");
  return {
    listTools: async () => (await session.listTools()).map(({ name }) => name),
    call: async (name, args) => resultText(await session.callTool(name, { ...args })),
    close: () => client.closeAllSessions(),
  };
};

testToolsClient("mcp-use", connect, {
  unauthorized: /^Authentication required$/,
  rateLimited: /The limit is 1 request per minute/,
});
