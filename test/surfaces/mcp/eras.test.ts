import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tokenFor } from "../../helpers/access.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { type Agent, agentOf, type RpcAnswer, toolNames } from "../../mcp/calls.ts";
import { smallShop } from "../../mcp/shop.ts";

const test = suite<{ service: TestServer; agent: Agent }>("MCP eras");

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

/** Status and code of an error. */
const refused = async (response: Response): Promise<readonly unknown[]> => {
  const { status, error } = await answered(response);
  return [status, error?.code];
};

const revision = "MCP-Protocol-Version";
const legacy = ["2025-03-26", "2025-06-18", "2025-11-25"];

test("a bare call needs no handshake and no header", async ({ agent }) => {
  const call = request("tools/call", { name: "get_product", arguments: { product_id: 1 } });
  const { status, result } = await answered(await agent.send(call));
  assert.is(status, 200);
  assert.equal(Object.keys(result), ["content", "structuredContent"]);
});

test("a call without arguments, or with nulls or empty texts, counts them as not given", async ({
  agent,
}) => {
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

/** Requests with null where a client means nothing, and the same without it. */
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
  test(`null counts as left out: ${method} ${JSON.stringify(withNull)}`, async ({ agent }) => {
    const expected = await answered(await agent.send(request(method, without)));
    assert.is(expected.error, undefined);
    for (const version of legacy) {
      const sent = await agent.send(request(method, withNull), { [revision]: version });
      assert.equal(await answered(sent), expected, version);
    }
  });
}

test("null counts as left out in a message that is no request, and of what a request does not have", async ({
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
  test(`a handshake of ${version} agrees on it`, async ({ agent }) => {
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

test("a handshake of a revision that is not spoken agrees on the newest that has one", async ({
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

test("a header that names an unknown revision is 400, with those that are spoken", async ({
  agent,
}) => {
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

test("an unknown tool is -32602, and so are params that are none", async ({ agent }) => {
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

test("ids come back as they were sent, whatever others send at the same time", async ({
  agent,
}) => {
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

test("a body that is no JSON is 400 and -32700, one that is no message 400 and -32600", async ({
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

test("any notification and any response of a client is 202 without a body", async ({ agent }) => {
  const told = [
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    { jsonrpc: "2.0", method: "tools/call", params: { name: "get_product" } },
    { jsonrpc: "2.0", id: 1, result: {} },
  ];
  for (const message of told) {
    const response = await agent.send(message);
    assert.equal([response.status, await response.text()], [202, ""]);
  }
});

test("only 2025-03-26, or no revision named, has batches", async ({ agent }) => {
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
  const told = [{ jsonrpc: "2.0", method: "notifications/initialized" }];
  assert.is((await agent.send(told)).status, 202);
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

test("2026-07-28 every result says it is complete, and who told it", async ({ agent }) => {
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

test("2026-07-28 the list of tools is the same in every era", async ({ agent }) => {
  const { result: old } = await agent.rpc("tools/list");
  const { result: fresh } = await answered(
    await agent.send(request("tools/list", { _meta: envelope }), headers("tools/list")),
  );
  assert.equal(fresh.tools, old.tools);
});

test("2026-07-28 a header that is missing or says otherwise is 400 and -32020", async ({
  agent,
}) => {
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

test("2026-07-28 a name in Base64 is read before it is compared", async ({ agent }) => {
  const encoded = `=?base64?${Buffer.from("list_categories").toString("base64")}?=`;
  const response = await agent.send(call("list_categories"), headers("tools/call", encoded));
  assert.is(response.status, 200);
});

test("2026-07-28 null counts as left out", async ({ agent }) => {
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

test("2026-07-28 an envelope that lacks something is 400 and -32602", async ({ agent }) => {
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

test("2026-07-28 another revision in the envelope is 400 and -32022", async ({ agent }) => {
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

test("2026-07-28 methods that were removed, or are not here, are 404 and -32601", async ({
  agent,
}) => {
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

test("2026-07-28 an unknown tool is still 200 and -32602", async ({ agent }) => {
  const response = await agent.send(call("nothing"), headers("tools/call", "nothing"));
  assert.equal(await refused(response), [200, -32602]);
});

test("sessions and streams of older clients are passed over", async ({ agent }) => {
  const response = await agent.send(request("ping"), {
    "Mcp-Session-Id": "abc",
    "Last-Event-ID": "7",
  });
  assert.is(response.status, 200);
  assert.is(response.headers.get("mcp-session-id"), null);
});

test("an answer may not be kept by anyone on the way", async ({ agent }) => {
  assert.is((await agent.send(request("tools/list"))).headers.get("cache-control"), "no-store");
});

test("while no model is loaded the endpoint is 503, never an empty shop", async () => {
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
