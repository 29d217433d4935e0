/** The client of the MCP SDK, version 2. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { testToolsClient } from "./scenario.ts";
import { fromSdkClient } from "./sdk-client.ts";

testToolsClient("@modelcontextprotocol/client", async (url, headers) => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return fromSdkClient(client);
});
