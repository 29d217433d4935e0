/** Clients that speak MCP over standard input and output reach the tools through a bridge: a process of its own. */
import { tmpdir } from "node:os";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { ToolsClient } from "./scenario.ts";
import { fromSdkClient } from "./sdk-client.ts";

/** Bridges keep files in the home directory, which is that of this run. */
const ownEnv = { PATH: process.env.PATH ?? "", HOME: tmpdir() };

/**
 * Starts a bridge and connects to it.
 * @param args of Node: the program of the bridge and its arguments
 */
export const connectBridge = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ToolsClient> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    stderr: "pipe",
    env: { ...ownEnv, ...env },
  });
  let errors = "";
  transport.stderr?.on("data", (text) => {
    errors += text;
  });
  const client = new Client({ name: "test", version: "1" });
  try {
    await client.connect(transport, { timeout: 20_000 });
  } catch (error) {
    await client.close();
    throw new Error(errors, { cause: error });
  }
  return fromSdkClient(client);
};
