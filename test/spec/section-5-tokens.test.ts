import { setImmediate as turn } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { signToken } from "../../src/surfaces/access/bearer.ts";
import { tokenFor } from "../helpers/access.ts";
import { settingsUpdated, tokenRegenerated, tokenRevoked } from "../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§5 tokens");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(settingsUpdated());
});
test.after(({ service }) => service.close());

const metadata = `${baseUrl}/.well-known/oauth-protected-resource/agent/mcp`;

const list = (service: TestServer, authorization?: string, path = "/agent/mcp") =>
  service.request(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });

const statusOf = async (service: TestServer, token: string): Promise<number> => {
  const response = await list(service, `Bearer ${token}`);
  await response.text();
  return response.status;
};

test("§5 rule 2 the tool endpoint takes a bearer token in the Authorization header", async ({
  service,
}) => {
  const response = await list(service, `Bearer ${tokenFor("agent")}`);
  assert.is(response.status, 200);
  const { result } = (await response.json()) as { result: { tools: unknown[] } };
  assert.is(result.tools.length, 7);
});

test("§5 rule 2 a token in the URL is ignored", async ({ service }) => {
  for (const name of ["access_token", "token"]) {
    const path = `/agent/mcp?${name}=${tokenFor("agent")}`;
    const response = await list(service, undefined, path);
    assert.is(response.status, 401);
    assert.is(response.headers.get("www-authenticate"), `Bearer resource_metadata="${metadata}"`);
  }
});

test("§5 rule 8 a request without a token is 401 and points to the resource metadata", async ({
  service,
}) => {
  for (const authorization of [undefined, "Basic dTpw"]) {
    const response = await list(service, authorization);
    assert.is(response.status, 401);
    assert.is(response.headers.get("www-authenticate"), `Bearer resource_metadata="${metadata}"`);
    const { error } = (await response.json()) as { error: Record<string, string> };
    assert.is(error.code, "unauthorized");
    assert.is(error.resource_metadata, metadata);
  }
});

test('§5 rule 8 a wrong token is 401 with error="invalid_token"', async ({ service }) => {
  const forged = signToken({ label: "agent", tokenEpoch: 0 }, "not the secret of this service");
  for (const authorization of ["Bearer", "Bearer nonsense", `Bearer ${forged}`]) {
    const response = await list(service, authorization);
    assert.is(response.status, 401);
    const challenge = `Bearer resource_metadata="${metadata}", error="invalid_token"`;
    assert.is(response.headers.get("www-authenticate"), challenge);
    const { error } = (await response.json()) as { error: Record<string, string> };
    assert.is(error.resource_metadata, metadata);
  }
});

test("§5 rule 8 the metadata URL in the 401 is served and names the endpoint", async ({
  service,
}) => {
  const response = await service.get(metadata.slice(baseUrl.length));
  const { resource } = (await response.json()) as { resource: string };
  assert.is(resource, `${baseUrl}/agent/mcp`);
});

test("§5 rule 4 a token from registration works at once", async ({ service }) => {
  const response = await service.request("/v1/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"label":"self-made"}',
  });
  const { token } = (await response.json()) as { token: string };
  assert.is(await statusOf(service, token), 200);
});

test("§5 rule 3 a token that the owner issued works where registration is closed", async () => {
  const service = await openTestServer({ registration: "closed" });
  service.apply(settingsUpdated());
  assert.is(await statusOf(service, tokenFor("trusted")), 200);
  await service.close();
});

test("§5 rule 6 a regeneration revokes the older tokens of its label at once, and no others", async ({
  service,
}) => {
  const [old, fresh, other] = [tokenFor("mine", 0), tokenFor("mine", 1), tokenFor("yours", 0)];
  assert.is(await statusOf(service, old), 200);
  service.apply(tokenRegenerated("mine", 1));
  assert.is(await statusOf(service, old), 401);
  assert.is(await statusOf(service, fresh), 200);
  assert.is(await statusOf(service, other), 200);
});

test("§5 rule 6 a revoked label has no valid token until it is regenerated", async ({
  service,
}) => {
  const token = tokenFor("out", 2);
  service.apply(tokenRevoked("out", 2, { time: "2026-10-02T08:00:00Z" }));
  assert.is(await statusOf(service, token), 401);
  service.apply(tokenRegenerated("out", 3, { time: "2026-10-03T08:00:00Z" }));
  assert.is(await statusOf(service, token), 401);
  assert.is(await statusOf(service, tokenFor("out", 3)), 200);
});

const policies = { method: "tools/call", params: { name: "get_policies" } };

const call = async (service: TestServer, token: string, times = 1): Promise<number> => {
  const message = { jsonrpc: "2.0", id: 1, ...policies };
  const response = await service.request("/agent/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(times === 1 ? message : Array(times).fill(message)),
  });
  await response.text();
  return response.status;
};

test("§5 rule 6 a token revoked during one of its calls is rejected in every later call", async ({
  service,
}) => {
  const between: number[] = [];
  for (let turns = 0; turns < 60; turns += 1) {
    const label = `withdrawn after ${turns} turns`;
    const token = tokenFor(label);
    assert.is(await call(service, token), 200);
    let isAnswered = false;
    const answered = call(service, token, 10).then((status) => {
      isAnswered = true;
      return status;
    });
    for (let passed = 0; passed < turns; passed += 1) await turn();
    service.apply(tokenRevoked(label, 1));
    const isDuring = !isAnswered;
    if ((await answered) === 200 && isDuring) between.push(turns);
    assert.is(await call(service, token), 401, label);
  }
  assert.ok(between.length > 0, `${between.length} tokens were withdrawn in the midst of a call`);
});

test("§5 rule 6 a token revoked while batches are queued is rejected for those batches", async ({
  service,
}) => {
  const token = tokenFor("impatient");
  const later: number[] = [];
  let isWithdrawn = false;
  const batches = Array.from({ length: 20 }, async () => {
    const status = await call(service, token, 10);
    if (isWithdrawn) later.push(status);
    else service.apply(tokenRevoked("impatient", 1));
    isWithdrawn = true;
  });
  await Promise.all(batches);
  assert.is(later.length, 19);
  // One batch may be executing, and one answer may be on its way to the client.
  assert.ok(later.filter((status) => status !== 401).length <= 2, later.join(" "));
});

test("§5 rule 5 a token and the registration answer have no expiry", async ({ service }) => {
  const years = tokenFor("old friend");
  assert.is(await statusOf(service, years), 200);
  assert.not.match(Buffer.from(years.slice(4), "base64url").toString(), /exp|20\d\d/);
});

test("§5 rule 6 without a model no token is accepted", async () => {
  const service = await openTestServer({ loaded: false });
  assert.is(await statusOf(service, tokenFor("agent")), 503);
  assert.is(await statusOf(service, "nonsense"), 401);
  await service.close();
});

test.run();
