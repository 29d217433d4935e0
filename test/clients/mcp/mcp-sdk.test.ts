/** The client of the MCP SDK, version 2. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { resultText, testToolsClient } from "./scenario.ts";

testToolsClient("@modelcontextprotocol/client", async (url, headers) => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return {
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => resultText(await client.callTool({ name, arguments: { ...args } })),
    close: () => client.close(),
  };
});
