import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type CallResult, mustConform, register, toolNames } from "./calls.ts";
import { goodArguments, smallShop } from "./shop.ts";

const test = suite<{ service: TestServer; token: string }>("clients of the SDK");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(...smallShop());
  context.token = await register(context.service.request);
});
test.after(({ service }) => service.close());

interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const asks = (token: string) => ({
  requestInit: { headers: { authorization: `Bearer ${token}` } },
});
const whoAsks = { name: "test", version: "1.0.0" };

const connectV1 = async (url: URL, token: string): Promise<AnyClient> => {
  const client = new Client(whoAsks);
  // The SDK's types disagree under exactOptionalPropertyTypes.
  await client.connect(new StreamableHTTPClientTransport(url, asks(token)) as Transport);
  return client;
};

const connectV2 =
  (mode: "legacy" | "auto" | { pin: string }) =>
  async (url: URL, token: string): Promise<AnyClient> => {
    const client = new ModernClient(whoAsks, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport(url, asks(token)));
    assert.is(
      client.getNegotiatedProtocolVersion(),
      mode === "legacy" ? "2025-11-25" : "2026-07-28",
    );
    return client;
  };

const clients = {
  v1: connectV1,
  "v2 with a handshake": connectV2("legacy"),
  "v2 that finds out": connectV2("auto"),
  "v2 without a handshake": connectV2({ pin: "2026-07-28" }),
};

for (const [name, connect] of Object.entries(clients)) {
  test(`${name} lists and calls every tool`, async ({ service, token }) => {
    const client = await connect(new URL(`${service.url}/agent/mcp`), token);
    const { tools } = await client.listTools();
    assert.equal(
      tools.map((tool) => tool.name),
      [...toolNames],
    );
    for (const tool of toolNames) {
      const result = (await client.callTool({
        name: tool,
        arguments: { ...goodArguments[tool] },
      })) as CallResult;
      assert.not.ok(result.isError, JSON.stringify(result));
      mustConform(tool, result);
    }
    await client.close();
  });

  test(`${name} gets a rejected call as a result, not as an exception`, async ({
    service,
    token,
  }) => {
    const client = await connect(new URL(`${service.url}/agent/mcp`), token);
    await client.listTools();
    const call = { name: "get_product", arguments: { product_id: 99 } };
    const result = (await client.callTool(call)) as CallResult;
    assert.is(result.isError, true);
    assert.equal(result.structuredContent, {
      code: "NOT_FOUND",
      field: ["product_id"],
      message: "No product has the id 99.",
    });
    await client.close();
  });
}

test.run();
