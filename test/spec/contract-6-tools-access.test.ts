import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFixedWindow } from "../../src/http/rate-limit/rate-limit.ts";
import { tokenFor } from "../helpers/access.ts";
import {
  productUpserted,
  robotsUpdated,
  settingsUpdated,
  tokenRegenerated,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ open: TestServer; closed: TestServer }>("contract §6 who may call the tools");

test.before(async (context) => {
  context.open = await openTestServer({ toolsAccess: "open" });
  context.closed = await openTestServer({ toolsAccess: "open", registration: "closed" });
  for (const service of [context.open, context.closed])
    service.apply(
      settingsUpdated(),
      productUpserted({ id: 1, name: "Cup" }),
      tokenRegenerated("old", 3),
    );
});
test.after(async ({ open, closed }) => {
  await open.close();
  await closed.close();
});

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

const call = (service: TestServer, headers: Record<string, string> = {}): Promise<Response> =>
  service.request("/agent/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: list,
  });

const statusOf = async (response: Response): Promise<number> => {
  await response.arrayBuffer();
  return response.status;
};

const credentials: readonly (readonly [name: string, authorization: string, status: number])[] = [
  ["no Authorization", "", 200],
  ["a valid token", `Bearer ${tokenFor("shop")}`, 200],
  ["a token of a lower epoch", `Bearer ${tokenFor("old", 2)}`, 401],
  ["a token with another signature", `Bearer ${tokenFor("shop")}x`, 401],
  ["an empty token", "Bearer ", 401],
  ["another scheme", "Basic YTpi", 401],
];
for (const [name, authorization, status] of credentials) {
  test(`contract §6 open: ${name} is ${status}`, async ({ open }) => {
    const headers: Record<string, string> = authorization === "" ? {} : { authorization };
    assert.is(await statusOf(await call(open, headers)), status);
  });
}

test("contract §6 token: a request without Authorization is 401, from any origin", async () => {
  const service = await openTestServer();
  service.apply(settingsUpdated());
  assert.is(await statusOf(await call(service)), 401);
  assert.is(await statusOf(await call(service, { origin: "https://other.example" })), 403);
  await service.close();
});

test("contract §6 open: an SDK client without a token lists and calls the tools", async ({
  open,
}) => {
  const client = new Client({ name: "test", version: "1.0.0" });
  const url = new URL(`${open.url}/agent/mcp`);
  // The SDK's types disagree under exactOptionalPropertyTypes.
  await client.connect(new StreamableHTTPClientTransport(url) as Transport);
  assert.is((await client.listTools()).tools.length, 7);
  const result = await client.callTool({ name: "get_product", arguments: { product_id: 1 } });
  assert.match(JSON.stringify(result.structuredContent), "Cup");
  await client.close();
});

test("contract §6 open: a page of any origin may call, and its preflight is answered", async ({
  open,
}) => {
  const origin = "https://other.example";
  const preflight = await open.request("/agent/mcp", {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,mcp-protocol-version",
    },
  });
  assert.is(await statusOf(preflight), 204);
  assert.is(preflight.headers.get("access-control-allow-origin"), "*");
  const allowed = preflight.headers.get("access-control-allow-headers") ?? "";
  for (const name of ["authorization", "mcp-protocol-version"]) assert.match(allowed, name);
  const response = await call(open, { origin });
  assert.is(await statusOf(response), 200);
  assert.is(response.headers.get("access-control-allow-origin"), "*");
  const rejected = await call(open, { origin, authorization: "Bearer vit_x" });
  assert.is(await statusOf(rejected), 401);
  assert.is(rejected.headers.get("access-control-allow-origin"), "*");
});

test("contract §6 open: the rate limit and robots.txt hold without a token", async () => {
  const count = createFixedWindow(2, () => performance.now());
  const service = await openTestServer({
    toolsAccess: "open",
    rateLimit: { limit: 2, trustedProxies: 0, count },
  });
  service.apply(settingsUpdated(), robotsUpdated("User-agent: BadBot\nDisallow: /\n"));
  assert.is(await statusOf(await call(service, { "user-agent": "BadBot" })), 403);
  assert.is(await statusOf(await call(service)), 200);
  assert.is(await statusOf(await call(service)), 429);
  await service.close();
});

const documents = [
  "/",
  "/index.md",
  "/llms.txt",
  "/auth.md",
  "/openapi.json",
  ...["search-products", "compare-products", "check-stock", "hand-over-checkout"].map(
    (skill) => `/.well-known/agent-skills/${skill}/SKILL.md`,
  ),
];

/** Phrases by which a document says that the tools need a token. */
const needsToken =
  /requires a (bearer )?token|(with|and) a bearer token|Only the tool endpoint|token is missing/;

const findNeeding = async (service: TestServer): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const path of documents) {
    const response = await service.get(path, { accept: path === "/" ? "text/html" : "*/*" });
    assert.is(response.status, 200, path);
    if (needsToken.test(await response.text())) found.push(path);
  }
  return found;
};

test("contract §6 every document describes the chosen access only", async ({ open, closed }) => {
  assert.equal(await findNeeding(open), []);
  assert.equal(await findNeeding(closed), []);
  const service = await openTestServer();
  service.apply(settingsUpdated());
  assert.equal(await findNeeding(service), documents);
  await service.close();
});

test("contract §6 open: OpenAPI, server card and OAuth metadata describe an optional token", async ({
  open,
}) => {
  const json = async <T>(path: string): Promise<T> => (await (await open.get(path)).json()) as T;
  type OpenApi = { paths: { "/agent/mcp": { post: { security: unknown } } } };
  const { paths } = await json<OpenApi>("/openapi.json");
  assert.equal(paths["/agent/mcp"].post.security, [{}, { bearer: [] }]);
  type Card = { remotes: readonly { headers: readonly { isRequired: boolean }[] }[] };
  const { remotes } = await json<Card>("/agent/mcp/server-card");
  assert.is(remotes[0]?.headers[0]?.isRequired, false);
  const resource = await json<object>("/.well-known/oauth-protected-resource/agent/mcp");
  assert.not.ok("authorization_servers" in resource);
  type Server = {
    protected_resources: unknown;
    agent_auth: { anonymous: { credential_types_supported: unknown } };
  };
  const server = await json<Server>("/.well-known/oauth-authorization-server");
  assert.equal(server.protected_resources, []);
  assert.equal(server.agent_auth.anonymous.credential_types_supported, ["none", "api_key"]);
});

test.run();
