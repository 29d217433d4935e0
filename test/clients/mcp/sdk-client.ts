import { resultText, type ToolsClient } from "./scenario.ts";

/** What the clients of both versions of the MCP SDK have. */
interface SdkClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

/** Adapts a connected client of the MCP SDK. */
export const fromSdkClient = (client: SdkClient): ToolsClient => ({
  listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: async (name, args) => resultText(await client.callTool({ name, arguments: { ...args } })),
  close: () => client.close(),
});
