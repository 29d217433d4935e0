/** The client of the MCP SDK, version 1, which most agents use. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { testToolsClient } from "./scenario.ts";
import { fromSdkClient } from "./sdk-client.ts";

testToolsClient("@modelcontextprotocol/sdk", async (url, headers) => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return fromSdkClient(client);
});
