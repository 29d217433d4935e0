import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tokenFor } from "../../helpers/access.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { type Agent, agentOf, type RpcAnswer, toolNames } from "../../mcp/calls.ts";
import { smallShop } from "../../mcp/shop.ts";

const test = suite<{ service: TestServer; agent: Agent }>("MCP protocol revisions");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(...smallShop());
  context.agent = await agentOf(context.service);
});
test.after(({ service }) => service.close());

const request = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

const answered = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as RpcAnswer),
});

/** Reads status and error code. */
const refused = async (response: Response): Promise<readonly unknown[]> => {
  const { status, error } = await answered(response);
  return [status, error?.code];
};

const revision = "MCP-Protocol-Version";
const legacy = ["2025-03-26", "2025-06-18", "2025-11-25"];

test("a call without a handshake and without a version header is answered", async ({ agent }) => {
  const call = request("tools/call", { name: "get_product", arguments: { product_id: 1 } });
  const { status, result } = await answered(await agent.send(call));
  assert.is(status, 200);
  assert.equal(Object.keys(result), ["content", "structuredContent"]);
});

test("null and empty arguments count as omitted", async ({ agent }) => {
  const found = async (args: object | undefined): Promise<unknown> => {
    const call = { name: "search_products", arguments: args };
    const { result } = await agent.rpc<{ structuredContent: object }>("tools/call", call);
    return result.structuredContent;
  };
  const all = await found({});
  for (const args of [
    undefined,
    { query: null, sort: null, limit: null },
    { query: "", brand: "", gtin: "", price_min: "", category_id: "" },
  ]) {
    assert.equal(await found(args), all);
  }
});

/** Requests with null members, and the same requests without them. */
const nulls: readonly (readonly [string, withNull: unknown, without: unknown])[] = [
  ["ping", null, undefined],
  ["ping", { _meta: null }, undefined],
  ["tools/list", null, undefined],
  ["tools/list", { cursor: null, _meta: { progressToken: null } }, {}],
  [
    "initialize",
    { protocolVersion: "2025-06-18", capabilities: null, clientInfo: null, _meta: null },
    { protocolVersion: "2025-06-18" },
  ],
  ["tools/call", { name: "list_categories", arguments: null }, { name: "list_categories" }],
  [
    "tools/call",
    {
      name: "list_categories",
      _meta: {
        "io.modelcontextprotocol/protocolVersion": null,
        "io.modelcontextprotocol/clientCapabilities": null,
      },
    },
    { name: "list_categories" },
  ],
  [
    "tools/call",
    { name: "create_checkout_link", arguments: { items: [{ product_id: 1, quantity: null }] } },
    { name: "create_checkout_link", arguments: { items: [{ product_id: 1 }] } },
  ],
];

for (const [method, withNull, without] of nulls) {
  test(`null counts as omitted: ${method} ${JSON.stringify(withNull)}`, async ({ agent }) => {
    const expected = await answered(await agent.send(request(method, without)));
    assert.is(expected.error, undefined);
    for (const version of legacy) {
      const sent = await agent.send(request(method, withNull), { [revision]: version });
      assert.equal(await answered(sent), expected, version);
    }
  });
}

test("null counts as omitted in notifications and in members that a request does not have", async ({
  agent,
}) => {
  const unanswered = [
    { jsonrpc: "2.0", method: "notifications/initialized", params: null },
    { jsonrpc: "2.0", id: null, method: "notifications/initialized", params: null },
    { jsonrpc: "2.0", id: 1, method: null, params: null, result: {}, error: null },
  ];
  for (const message of unanswered) {
    assert.is((await agent.send(message)).status, 202, JSON.stringify(message));
  }
  const ping = { ...request("ping", null), result: null, error: null };
  assert.equal((await answered(await agent.send(ping))).result, {});
  assert.equal(await refused(await agent.send(request("tools/call", null))), [200, -32602]);
});

for (const version of legacy) {
  test(`a handshake of ${version} agrees on this revision`, async ({ agent }) => {
    const { result } = await agent.rpc("initialize", {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    assert.equal(
      [result.protocolVersion, result.capabilities, (result.serverInfo as { name: string }).name],
      [version, { tools: {} }, "vitrine"],
    );
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    const accepted = await agent.send(initialized, { [revision]: version });
    assert.equal([accepted.status, await accepted.text()], [202, ""]);
    assert.equal((await agent.rpc("ping", undefined, { [revision]: version })).result, {});
    const { result: list } = await agent.rpc("tools/list", {}, { [revision]: version });
    assert.equal(Object.keys(list), ["tools"]);
  });
}

test("a handshake of an unsupported revision agrees on the newest supported one with a handshake", async ({
  agent,
}) => {
  for (const protocolVersion of ["2024-11-05", "1999-01-01", "2026-07-28"]) {
    assert.is(
      (await agent.rpc("initialize", { protocolVersion })).result.protocolVersion,
      "2025-11-25",
    );
  }
  assert.is((await agent.rpc("initialize", {})).error?.code, -32602);
});

test("an unknown revision in the header is 400 with the supported revisions", async ({ agent }) => {
  const { status, error } = await answered(
    await agent.send(request("tools/list"), { [revision]: "1999-01-01" }),
  );
  assert.equal([status, error?.code], [400, -32022]);
  assert.equal(error?.data, {
    supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
    requested: "1999-01-01",
  });
});

test("an unknown method is -32601", async ({ agent }) => {
  for (const method of [
    "resources/list",
    "prompts/list",
    "nothing",
    "tools/Call",
    "server/discover",
  ]) {
    assert.equal(await refused(await agent.send(request(method))), [200, -32601]);
  }
});

test("an unknown tool and invalid params are -32602", async ({ agent }) => {
  for (const params of [
    { name: "nothing" },
    {},
    { name: 1 },
    { name: "get_product", arguments: [1] },
  ]) {
    assert.equal(await refused(await agent.send(request("tools/call", params))), [200, -32602]);
  }
  assert.equal(
    await refused(await agent.send(request("tools/list", { cursor: "x" }))),
    [200, -32602],
  );
  const { error } = await agent.rpc("tools/call", { name: "nothing" });
  assert.is(error?.message, "Unknown tool: nothing");
});

test("each answer has the id of its request, with concurrent requests", async ({ agent }) => {
  const ids = ["a", "1", 1, 0, -5, "", '"'];
  const calls = ids.map((id, at) =>
    agent.send(
      request("tools/call", { name: "get_product", arguments: { product_id: at + 1 } }, id),
    ),
  );
  for (const [at, response] of (await Promise.all(calls)).entries()) {
    const { id, result } = await answered(response);
    assert.is(id, ids[at]);
    assert.match(JSON.stringify(result.content), at < 3 ? `(id ${at + 1})` : `the id ${at + 1}`);
  }
});

test("a body that is not JSON is 400 with -32700; one that is not a message is 400 with -32600", async ({
  agent,
}) => {
  for (const body of ["", "{", "\u0000", "{'a':1}"]) {
    assert.equal(await refused(await agent.send(body)), [400, -32700]);
  }
  const invalid = [
    1,
    null,
    "ping",
    {},
    { id: 1, method: "ping" },
    { ...request("ping"), id: null },
    { ...request("ping"), id: { a: 1 } },
    { ...request("ping"), method: 1 },
    { ...request("ping"), params: [1] },
  ];
  for (const body of invalid) {
    assert.equal(
      await refused(await agent.send(JSON.stringify(body))),
      [400, -32600],
      JSON.stringify(body),
    );
  }
});

test("a body over 256 KiB is 413", async ({ agent }) => {
  const filled = (bytes: number) => " ".repeat(bytes) + JSON.stringify(request("ping"));
  assert.is((await agent.send(filled(200 * 1024))).status, 200);
  assert.is((await agent.send(filled(256 * 1024))).status, 413);
});

test("any notification or response of a client is 202 without a body", async ({ agent }) => {
  const messages = [
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    { jsonrpc: "2.0", method: "tools/call", params: { name: "get_product" } },
    { jsonrpc: "2.0", id: 1, result: {} },
  ];
  for (const message of messages) {
    const response = await agent.send(message);
    assert.equal([response.status, await response.text()], [202, ""]);
  }
});

test("batches exist only in 2025-03-26 and without a revision", async ({ agent }) => {
  const batch = [
    request("ping", undefined, "a"),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    request("nothing", undefined, "b"),
    3,
  ];
  for (const headers of [{}, { [revision]: "2025-03-26" }]) {
    const response = await agent.send(batch, headers);
    const answers = (await response.json()) as RpcAnswer[];
    assert.equal(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        ["a", undefined],
        ["b", -32601],
        [null, -32600],
      ],
    );
  }
  for (const version of ["2025-06-18", "2025-11-25", "2026-07-28"]) {
    assert.equal(await refused(await agent.send(batch, { [revision]: version })), [400, -32600]);
  }
  assert.equal(await refused(await agent.send([])), [400, -32600]);
  const long = Array.from({ length: 11 }, () => request("ping"));
  assert.equal(await refused(await agent.send(long)), [400, -32600]);
  const messages = [{ jsonrpc: "2.0", method: "notifications/initialized" }];
  assert.is((await agent.send(messages)).status, 202);
});

const modern = "2026-07-28";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const headers = (method: string, name?: string) => ({
  [revision]: modern,
  "Mcp-Method": method,
  ...(name !== undefined && { "Mcp-Name": name }),
});
const call = (name: string, _meta: object = envelope) =>
  request("tools/call", { name, arguments: {}, _meta });

test("2026-07-28 every result has resultType complete and the server's name", async ({ agent }) => {
  const listed = await answered(
    await agent.send(request("tools/list", { _meta: envelope }), headers("tools/list")),
  );
  const called = await answered(
    await agent.send(call("list_categories"), headers("tools/call", "list_categories")),
  );
  const discovered = await answered(
    await agent.send(request("server/discover", { _meta: envelope }), headers("server/discover")),
  );
  for (const { status, result } of [listed, called, discovered]) {
    assert.is(status, 200);
    assert.is(result.resultType, "complete");
    const meta = result._meta as Record<string, { name: string }>;
    assert.is(meta["io.modelcontextprotocol/serverInfo"]?.name, "vitrine");
  }
  for (const { result } of [listed, discovered]) {
    assert.ok(Number.isInteger(result.ttlMs) && Number(result.ttlMs) >= 0);
    assert.is(result.cacheScope, "public");
  }
  assert.equal(
    (listed.result.tools as { name: string }[]).map(({ name }) => name),
    [...toolNames],
  );
  assert.equal(discovered.result.capabilities, { tools: {} });
  assert.equal((discovered.result.supportedVersions as string[])[0], modern);
});

test("2026-07-28 tools/list has the tools of the other revisions", async ({ agent }) => {
  const { result: old } = await agent.rpc("tools/list");
  const { result: fresh } = await answered(
    await agent.send(request("tools/list", { _meta: envelope }), headers("tools/list")),
  );
  assert.equal(fresh.tools, old.tools);
});

test("2026-07-28 a missing or contradicting header is 400 with -32020", async ({ agent }) => {
  const good = headers("tools/call", "list_categories");
  const wrong: Record<string, string>[] = [
    { ...good, [revision]: "2025-11-25" },
    { "Mcp-Method": "tools/call", "Mcp-Name": "list_categories" },
    { ...good, "Mcp-Method": "tools/list" },
    { ...good, "Mcp-Method": "TOOLS/CALL" },
    { [revision]: modern, "Mcp-Name": "list_categories" },
    { ...good, "Mcp-Name": "get_product" },
    { ...good, "Mcp-Name": "=?base64?%%%?=" },
    headers("tools/call"),
  ];
  for (const sent of wrong) {
    const outcome = await refused(await agent.send(call("list_categories"), sent));
    assert.equal(outcome, [400, -32020], JSON.stringify(sent));
  }
});

test("2026-07-28 a Base64 name in a header is decoded before it is compared", async ({ agent }) => {
  const encoded = `=?base64?${Buffer.from("list_categories").toString("base64")}?=`;
  const response = await agent.send(call("list_categories"), headers("tools/call", encoded));
  assert.is(response.status, 200);
});

test("2026-07-28 null counts as omitted", async ({ agent }) => {
  const _meta = { ...envelope, "io.modelcontextprotocol/clientInfo": null, progressToken: null };
  const listed = await agent.send(
    request("tools/list", { cursor: null, _meta }),
    headers("tools/list"),
  );
  assert.equal((await answered(listed)).result.resultType, "complete");
  const name = "list_categories";
  const called = await agent.send(
    request("tools/call", { name, arguments: null, _meta }),
    headers("tools/call", name),
  );
  assert.equal(
    await answered(called),
    await answered(await agent.send(call(name), headers("tools/call", name))),
  );
  const version = { ...envelope, "io.modelcontextprotocol/protocolVersion": null };
  for (const [method, params] of [
    ["tools/list", { _meta: version }],
    ["tools/list", { _meta: null }],
    ["tools/list", null],
  ] as const) {
    const response = await agent.send(request(method, params), headers(method));
    assert.equal(await refused(response), [400, -32602], JSON.stringify(params));
  }
  const nameless = request("tools/call", { name: null, _meta: envelope });
  assert.equal(
    await refused(await agent.send(nameless, headers("tools/call", name))),
    [200, -32602],
  );
});

test("2026-07-28 an incomplete envelope is 400 with -32602", async ({ agent }) => {
  const { "io.modelcontextprotocol/protocolVersion": version, ...rest } = envelope;
  const lacking = [{}, rest, { "io.modelcontextprotocol/protocolVersion": version }];
  for (const _meta of lacking) {
    const response = await agent.send(
      call("list_categories", _meta),
      headers("tools/call", "list_categories"),
    );
    assert.equal(await refused(response), [400, -32602]);
  }
  const bare = await agent.send(request("tools/list"), headers("tools/list"));
  assert.equal(await refused(bare), [400, -32602]);
});

test("2026-07-28 another revision in the envelope is 400 with -32022", async ({ agent }) => {
  const _meta = { ...envelope, "io.modelcontextprotocol/protocolVersion": "2031-01-01" };
  const response = await agent.send(call("list_categories", _meta), {
    ...headers("tools/call", "list_categories"),
    [revision]: "2031-01-01",
  });
  const { status, error } = await answered(response);
  assert.equal([status, error?.code], [400, -32022]);
  const data = error?.data as { readonly requested?: string } | undefined;
  assert.is(data?.requested, "2031-01-01");
});

test("2026-07-28 removed and unknown methods are 404 with -32601", async ({ agent }) => {
  const gone = [
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "subscriptions/listen",
  ];
  for (const method of gone) {
    const response = await agent.send(request(method, { _meta: envelope }), headers(method));
    assert.equal(await refused(response), [404, -32601], method);
  }
});

test("2026-07-28 an unknown tool is 200 with -32602", async ({ agent }) => {
  const response = await agent.send(call("nothing"), headers("tools/call", "nothing"));
  assert.equal(await refused(response), [200, -32602]);
});

test("session and stream headers of older clients are ignored", async ({ agent }) => {
  const response = await agent.send(request("ping"), {
    "Mcp-Session-Id": "abc",
    "Last-Event-ID": "7",
  });
  assert.is(response.status, 200);
  assert.is(response.headers.get("mcp-session-id"), null);
});

test("an answer has Cache-Control: no-store", async ({ agent }) => {
  assert.is((await agent.send(request("tools/list"))).headers.get("cache-control"), "no-store");
});

test("without a model the endpoint is 503, not an empty shop", async () => {
  const service = await openTestServer({ loaded: false });
  const response = await service.request("/agent/mcp", {
    method: "POST",
    headers: {
      authorization: `Bearer ${tokenFor("test")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(request("tools/list")),
  });
  await service.close();
  assert.is(response.status, 503);
  assert.ok(response.headers.get("retry-after"));
});

test.run();
