/** mcp-remote, through which Claude Desktop and other clients without HTTP reach a server. */
import { fileURLToPath } from "node:url";
import { testToolsClient } from "./scenario.ts";
import { connectBridge } from "./stdio-bridge.ts";

const program = fileURLToPath(import.meta.resolve("mcp-remote/dist/proxy.js"));

testToolsClient(
  "mcp-remote",
  (url, { Authorization = "" }) =>
    connectBridge([program, url, "--allow-http", "--header", `Authorization: ${Authorization}`]),
  {
    // After a 401 it begins OAuth, and stops at the authorization endpoint, which a service without accounts does not have.
    unauthorized: /authorization_endpoint/,
    rateLimited: /The limit is 1 request per minute/,
  },
);
