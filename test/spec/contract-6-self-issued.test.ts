import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readToken } from "../../src/surfaces/access/bearer.ts";
import { testSecret, tokenFor } from "../helpers/access.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite("contract §6 self-issued tokens");

const register = async (
  service: TestServer,
  label: string,
  { key, from = "127.0.0.1" }: { readonly key?: string; readonly from?: string } = {},
): Promise<{ readonly status: number; readonly token: string }> => {
  const request = httpRequest(`${service.url}/v1/register`, {
    method: "POST",
    localAddress: from,
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { "idempotency-key": key }),
    },
  });
  request.end(JSON.stringify({ label }));
  const [response] = await once(request, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, token: JSON.parse(text).token ?? "" };
};

const callTools = async (service: TestServer, path: string, token: string): Promise<number> => {
  const response = await service.request(path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  await response.arrayBuffer();
  return response.status;
};

const endpoints = ["/agent/mcp", "/agent/mcp/research"];

const withServer = async (
  options: NonNullable<Parameters<typeof openTestServer>[0]>,
  run: (service: TestServer) => Promise<void>,
): Promise<void> => {
  const service = await openTestServer(options);
  try {
    service.apply(settingsUpdated());
    await run(service);
  } finally {
    await service.close();
  }
};

const selfIssued = async (): Promise<string> => {
  let token = "";
  await withServer({}, async (service) => {
    token = (await register(service, "price-watcher")).token;
    for (const path of endpoints) assert.is(await callTools(service, path, token), 200);
  });
  return token;
};

for (const toolsAccess of ["token", "open"] as const) {
  test(`contract §6: closed registration refuses a token that an agent gave itself (tools: ${toolsAccess})`, async () => {
    const token = await selfIssued();
    await withServer({ registration: "closed", toolsAccess }, async (service) => {
      for (const path of endpoints) {
        assert.is(await callTools(service, path, token), 401);
        assert.is(await callTools(service, path, tokenFor("price-watcher")), 200);
      }
    });
  });
}

test("contract §6: SELF_ISSUED_TOKENS keeps the tokens that agents gave themselves", async () => {
  const token = await selfIssued();
  const options = { registration: "closed", selfIssuedTokens: "accepted" } as const;
  await withServer(options, async (service) => {
    for (const path of endpoints) assert.is(await callTools(service, path, token), 200);
  });
});

test("contract §6: a token that does not say how it was issued counts as the owner's", () => {
  assert.equal(readToken(tokenFor("partner", 2), testSecret), { label: "partner", tokenEpoch: 2 });
});

test("contract §6: the same key and label from two clients are two tokens, and from one client one", async () => {
  await withServer({}, async (service) => {
    const key = "8e03978e-40d5-43dd-bc93-6894a57f9324";
    const one = await register(service, "agent", { key });
    const again = await register(service, "agent", { key });
    const other = await register(service, "agent", { key, from: "127.0.0.2" });
    assert.equal([one.status, again.status, other.status], [201, 201, 201]);
    assert.is(one.token, again.token);
    assert.is.not(one.token, other.token);
  });
});

test("contract §6: a key that one client used with a label is free for another client with any label", async () => {
  await withServer({}, async (service) => {
    assert.is((await register(service, "one", { key: "k" })).status, 201);
    assert.is((await register(service, "two", { key: "k" })).status, 400);
    assert.is((await register(service, "two", { key: "k", from: "127.0.0.3" })).status, 201);
  });
});

test("contract §6: auth.md and the OpenAPI document publish no key that agents could copy", async () => {
  await withServer({}, async (service) => {
    for (const path of ["/auth.md", "/openapi.json"]) {
      const text = await (await service.get(path)).text();
      assert.match(text, "Idempotency-Key");
      assert.not.match(text, /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/);
    }
  });
});

test.run();
