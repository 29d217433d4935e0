/** MCPServerStreamableHttp of the OpenAI Agents SDK. */
import { MCPServerStreamableHttp } from "@openai/agents";
import { resultText, testToolsClient } from "./scenario.ts";

testToolsClient("@openai/agents", async (url, headers) => {
  const server = new MCPServerStreamableHttp({ url, requestInit: { headers } });
  await server.connect();
  return {
    listTools: async () => (await server.listTools()).map(({ name }) => name),
    call: async (name, args) => resultText({ content: await server.callTool(name, { ...args }) }),
    close: () => server.close(),
  };
});
