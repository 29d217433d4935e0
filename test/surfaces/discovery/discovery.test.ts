import { createHash } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RegistrationMode } from "../../../src/surfaces/access/registration.ts";
import { settingsUpdated } from "../../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../../helpers/test-server.ts";

const modes: readonly RegistrationMode[] = ["open", "closed"];
const test = suite<Record<RegistrationMode, TestServer>>("discovery documents");

test.before(async (context) => {
  for (const registration of modes) context[registration] = await openTestServer({ registration });
});
test.after(async (context) => {
  for (const registration of modes) await context[registration].close();
});

const types = {
  "/.well-known/oauth-protected-resource": "application/json; charset=utf-8",
  "/.well-known/oauth-protected-resource/agent/mcp": "application/json; charset=utf-8",
  "/.well-known/oauth-authorization-server": "application/json; charset=utf-8",
  "/.well-known/api-catalog":
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  "/.well-known/agent-skills/index.json": "application/json; charset=utf-8",
  "/.well-known/agent-skills/search-products/SKILL.md": "text/markdown; charset=utf-8",
  "/.well-known/ai-catalog.json": "application/ai-catalog+json",
  "/.well-known/mcp/server-card.json": "application/json",
  "/agent/mcp/server-card": "application/mcp-server-card+json",
  "/.well-known/oauth-protected-resource/agent/mcp/research": "application/json; charset=utf-8",
  "/agent/mcp/research/server-card": "application/mcp-server-card+json",
  "/ucp/mcp/server-card": "application/mcp-server-card+json",
  "/agent/mcp/server.json": "application/json",
  "/agent/mcp/research/server.json": "application/json",
  "/auth.md": "text/markdown; charset=utf-8",
  "/openapi.json": "application/json; charset=utf-8",
};

for (const [path, type] of Object.entries(types)) {
  test(`${path} is public, with a strong ETag and its media type`, async ({ open }) => {
    const response = await open.get(path);
    await response.text();
    assert.is(response.status, 200);
    assert.is(response.headers.get("content-type"), type);
    assert.match(response.headers.get("etag") ?? "", /^"[^"]+"$/);
    assert.is(response.headers.get("access-control-allow-origin"), "*");
    const again = await open.get(path, { "if-none-match": response.headers.get("etag") ?? "" });
    assert.is(again.status, 304);
  });

  test(`${path} answers HEAD like GET, and links to the other documents`, async ({ open }) => {
    const response = await open.request(path, { method: "HEAD" });
    assert.is(response.status, 200);
    assert.is(response.headers.get("content-type"), type);
    assert.is(await response.text(), "");
    const links = response.headers.get("link") ?? "";
    assert.match(links, `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`);
    assert.match(links, `<${baseUrl}/openapi.json>; rel="service-desc"`);
  });
}

test("a client may use documents that do not depend on the shop for an hour", async ({ open }) => {
  const kept = async (path: string) => (await open.get(path)).headers.get("cache-control");
  assert.is(await kept("/.well-known/api-catalog"), "private, max-age=3600");
  assert.is(await kept("/auth.md"), "no-cache");
  open.apply(settingsUpdated());
  assert.is(await kept("/auth.md"), "private, max-age=3600");
});

test("a document that caches keep differs by Origin: only a reply to a page names the headers that pages may read", async ({
  open,
}) => {
  const read = async (headers: Readonly<Record<string, string>>) => {
    const reply = await open.get("/.well-known/api-catalog", headers);
    return [reply.headers.get("vary"), reply.headers.has("access-control-expose-headers")];
  };
  assert.equal(await read({}), ["Origin, Accept-Encoding", false]);
  assert.equal(await read({ origin: "https://page.example" }), ["Origin, Accept-Encoding", true]);
});

const json = async <T>(service: TestServer, path: string): Promise<T> =>
  (await (await service.get(path)).json()) as T;

test("each protected resource document names the resource of its path", async ({ open }) => {
  const at = async (suffix: string) => {
    const path = `/.well-known/oauth-protected-resource${suffix}`;
    return json<Record<string, unknown>>(open, path);
  };
  const root = await at("");
  const tools = await at("/agent/mcp");
  assert.is(root.resource, baseUrl);
  assert.is(tools.resource, `${baseUrl}/agent/mcp`);
  for (const document of [root, tools]) {
    assert.equal(document.authorization_servers, [baseUrl]);
    assert.equal(document.bearer_methods_supported, ["header"]);
    // RFC 9728 section 2: members without values are omitted.
    assert.not("scopes_supported" in document);
  }
});

interface AuthorizationServer {
  readonly issuer: string;
  readonly grant_types_supported: readonly string[];
  readonly agent_auth: Readonly<Record<string, unknown>>;
}

for (const mode of modes) {
  test(`the authorization server metadata names no flow that does not exist (${mode})`, async (context) => {
    const path = "/.well-known/oauth-authorization-server";
    const document = await json<AuthorizationServer>(context[mode], path);
    assert.is(document.issuer, baseUrl);
    assert.equal(document.grant_types_supported, []);
    for (const absent of [
      "authorization_endpoint",
      "token_endpoint",
      "jwks_uri",
      "registration_endpoint",
    ]) {
      assert.not(absent in document, absent);
    }
    const { register_uri, identity_endpoint, identity_types_supported } = document.agent_auth;
    const isOpen = mode === "open";
    assert.is(register_uri, isOpen ? `${baseUrl}/v1/register` : undefined);
    assert.is(identity_endpoint, register_uri);
    assert.equal(identity_types_supported, isOpen ? ["anonymous"] : []);
  });
}

interface Linkset {
  readonly linkset: readonly (Record<string, { href: string }[]> & { anchor: string })[];
}

test("the API catalog is a linkset with every endpoint as an anchor", async ({ open, closed }) => {
  const anchorsOf = async (service: TestServer) => {
    const { linkset } = await json<Linkset>(service, "/.well-known/api-catalog");
    for (const { anchor, ...relations } of linkset) {
      assert.ok(anchor.startsWith(baseUrl));
      for (const targets of Object.values(relations)) {
        assert.ok(Array.isArray(targets) && targets.every(({ href }) => URL.canParse(href)));
      }
    }
    return linkset.map(({ anchor }) => anchor.slice(baseUrl.length));
  };
  const tools = ["/agent/mcp", "/agent/mcp/research", "/ucp", "/ucp/mcp"];
  const always = ["/.well-known/api-catalog", "/graphql", ...tools, "/agent/changes", "/"];
  assert.equal((await anchorsOf(closed)).sort(), [...always].sort());
  assert.equal((await anchorsOf(open)).sort(), [...always, "/v1/register"].sort());
});

interface SkillsIndex {
  readonly $schema: string;
  readonly skills: readonly {
    readonly name: string;
    readonly type: string;
    readonly description: string;
    readonly url: string;
    readonly digest: string;
  }[];
}

test("the skills index has the digests of the bytes that are served", async ({ open }) => {
  const index = await json<SkillsIndex>(open, "/.well-known/agent-skills/index.json");
  assert.is(index.$schema, "https://schemas.agentskills.io/discovery/0.2.0/schema.json");
  assert.equal(
    index.skills.map(({ name }) => name),
    ["check-stock", "compare-products", "hand-over-checkout", "keep-a-mirror", "search-products"],
  );
  for (const { name, type, description, url, digest } of index.skills) {
    assert.is(type, "skill-md");
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.ok(description.length > 40 && description.length <= 1024);
    assert.is(url, `${baseUrl}/.well-known/agent-skills/${name}/SKILL.md`);
    const bytes = Buffer.from(await (await open.get(url.slice(baseUrl.length))).arrayBuffer());
    assert.is(digest, `sha256:${createHash("sha256").update(bytes).digest("hex")}`);
    const text = bytes.toString();
    assert.ok(text.startsWith(`---\nname: ${name}\ndescription: ${description}\n---\n`));
    assert.not.match(text, "{base_url}");
  }
});

test("an unknown skill is 404", async ({ open }) => {
  assert.is((await open.get("/.well-known/agent-skills/buy/SKILL.md")).status, 404);
});

interface ServerCard {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly endpoint: string;
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly remotes: readonly { readonly type: string; readonly url: string }[];
}

test("both URLs of the server card serve the same card for old and new clients", async ({
  open,
}) => {
  const card = await json<ServerCard>(open, "/agent/mcp/server-card");
  assert.equal(card, await json<ServerCard>(open, "/.well-known/mcp/server-card.json"));
  assert.is(card.name, "example.shop.agents/vitrine");
  assert.ok(card.description.length <= 100);
  assert.is(card.endpoint, `${baseUrl}/agent/mcp`);
  assert.is(card.serverInfo.version, card.version);
  assert.equal(
    card.remotes.map(({ type, url }) => [type, url]),
    [["streamable-http", `${baseUrl}/agent/mcp`]],
  );
});

test("the AI catalog links to the server card", async ({ open }) => {
  const { specVersion, entries } = await json<{
    specVersion: string;
    entries: { identifier: string; type: string; url: string }[];
  }>(open, "/.well-known/ai-catalog.json");
  assert.is(specVersion, "1.0");
  assert.is(entries[0]?.identifier, "urn:air:agents.shop.example:mcp:vitrine");
  assert.is(entries[0]?.url, `${baseUrl}/agent/mcp/server-card`);
});

test("auth.md names the shop and, with closed registration, its contact", async ({
  open,
  closed,
}) => {
  const contact = { email: "agents@shop.example", url: "https://shop.example/contact" };
  for (const service of [open, closed]) {
    service.apply(
      settingsUpdated({ name: "Shop # *1*", contact }, { time: "2026-10-02T08:00:00Z" }),
    );
  }
  const ours = await (await open.get("/auth.md")).text();
  const theirs = await (await closed.get("/auth.md")).text();
  for (const text of [ours, theirs]) {
    assert.match(text, /^# auth\.md: access for agents at Shop \\# \\\*1\\\*\n/);
  }
  assert.match(theirs, "(agents@shop.example or <https://shop.example/contact>)");
  assert.not.match(theirs, /v1\/register|registers itself|Idempotency/);
  assert.not.match(ours, /owner issues|Ask the owner|agents@shop/);
  assert.match(ours, `curl -s ${baseUrl}/v1/register`);
});

test("the documents are served before the first replay is complete", async () => {
  const service = await openTestServer({ loaded: false });
  for (const path of Object.keys(types)) assert.is((await service.get(path)).status, 200, path);
  await service.close();
});

test("contract §8: OAuth metadata of a base URL with a path is also where clients derive its address", async () => {
  const at = "https://shop.example/agents/one";
  const service = await openTestServer({ at });
  try {
    const metadata = "/.well-known/oauth-protected-resource";
    for (const endpoint of ["", "/agent/mcp", "/agent/mcp/research"]) {
      for (const path of [`${metadata}/agents/one${endpoint}`, `${metadata}${endpoint}`]) {
        const { resource } = await json<{ resource: string }>(service, path);
        assert.is(resource, `${at}${endpoint}`);
      }
    }
    const server = "/.well-known/oauth-authorization-server/agents/one";
    assert.is((await json<{ issuer: string }>(service, server)).issuer, at);
    assert.is((await service.get(`${metadata}/another/agent/mcp`)).status, 404);
  } finally {
    await service.close();
  }
});

test("contract §8: a base URL may have the signs of patterns in its path", async () => {
  for (const path of ["/a+b", "/:one", "/[one]"]) {
    const service = await openTestServer({ at: `https://shop.example${path}` });
    const derived = `/.well-known/oauth-authorization-server${path}`;
    assert.is((await service.get(derived)).status, 200, path);
    await service.close();
  }
});

test.run();
