/** The MCP client of Genkit, which logs why it cannot connect, and then has no tools. */
import { createMcpClient } from "@genkit-ai/mcp";
import { genkit } from "genkit";
import { logger } from "genkit/logging";
import { testToolsClient } from "./scenario.ts";

const log: string[] = [];
const write = (text: string) => void log.push(text);
logger.init({ debug: write, info: write, warn: write, error: write, level: "warn" });

testToolsClient("@genkit-ai/mcp", async (url, headers) => {
  const ai = genkit({});
  const client = createMcpClient({
    name: "test",
    serverName: "shop",
    mcpServer: { url, requestInit: { headers } },
  });
  await client.ready();
  const tools = await client.getActiveTools(ai);
  if (tools.length === 0) throw new Error(log.join("\n"));
  return {
    listTools: async () => tools.map(({ __action }) => __action.name.replace(/^shop\//, "")),
    async call(name, args) {
      const tool = tools.find(({ __action }) => __action.name === `shop/${name}`);
      return JSON.stringify(await tool?.(args));
    },
    close: () => client.disable(),
  };
});
