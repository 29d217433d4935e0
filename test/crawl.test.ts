/**
 * Crawls from each discovery document, in both registration modes: an agent that knows one document reaches every
 * surface, no link is dead, and no document contradicts another.
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RegistrationMode } from "../src/surfaces/access/registration.ts";
import { tokenFor } from "./helpers/access.ts";
import {
  carrierUpserted,
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "./helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "./helpers/test-server.ts";

const modes: readonly RegistrationMode[] = ["open", "closed"];
const test = suite<Record<RegistrationMode, TestServer>>("a crawl from any discovery document");

test.before(async (context) => {
  for (const registration of modes) {
    const service = await openTestServer({ registration });
    service.apply(
      settingsUpdated({
        contact: { email: "owner@shop.example", url: "https://shop.example/contact" },
      }),
      categoryUpserted(),
      productUpserted({ categoryIds: [1] }),
      productUpserted({ id: 2, categoryIds: [1] }),
      stockChanged(),
      pageUpserted({ policy: "returns" }),
      carrierUpserted(),
    );
    context[registration] = service;
  }
});
test.after(async (context) => {
  for (const registration of modes) await context[registration].close();
});

/** Documents that an agent may find first. */
const starts = [
  "/",
  "/llms.txt",
  "/robots.txt",
  "/auth.md",
  "/openapi.json",
  "/agent/mcp/server-card",
  "/agent/mcp/research/server-card",
  "/agent/mcp/server.json",
  "/agent/mcp/research/server.json",
  "/.well-known/mcp/server-card.json",
  "/.well-known/ai-catalog.json",
  "/.well-known/api-catalog",
  "/.well-known/agent-skills/index.json",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/agent/mcp",
  "/.well-known/oauth-authorization-server",
];

const surfaces = [
  "/graphql",
  "/graphql/schema.graphql",
  "/agent/mcp",
  "/agent/mcp/research",
  "/agent/changes",
  "/agent/changes/stream",
  "/agent/changes?since=start",
  "/llms.txt",
  "/agent-sitemap.xml",
  "/auth.md",
  "/openapi.json",
  "/.well-known/oauth-protected-resource/agent/mcp",
  "/.well-known/oauth-authorization-server",
  "/.well-known/api-catalog",
  "/.well-known/agent-skills/index.json",
  "/products/1.md",
  "/categories/1.md",
  "/pages/1.md",
];

/** Paths that accept only POST: the crawl counts a 405 as found. */
const postOnly = [
  ...["/graphql", "/agent/mcp", "/agent/mcp/research", "/v1/register"],
  ...["/ucp/catalog/search", "/ucp/mcp", "/ucp/2026-04-08/mcp"],
];

/** Addresses below which the operations of UCP are, as its profiles name them: the crawl counts a 404 as found. */
const bases = ["/ucp", "/ucp/2026-04-08"];

/** Paths that require a parameter: the crawl counts a 400 as found. */
const withParameter = ["/agent/changes", "/agent/changes/stream"];

const expectedStatus = (path: string): number => {
  if (postOnly.includes(path)) return 405;
  if (bases.includes(path)) return 404;
  return withParameter.includes(path) ? 400 : 200;
};

interface Reply {
  readonly status: number;
  readonly text: string;
}

const replies = new WeakMap<TestServer, Map<string, Promise<Reply & { links: string[] }>>>();

const visit = (service: TestServer, path: string) => {
  const byPath = replies.get(service) ?? new Map();
  replies.set(service, byPath);
  if (!byPath.has(path)) byPath.set(path, fetchOne(service, path));
  return byPath.get(path) as Promise<Reply & { links: string[] }>;
};

const fetchOne = async (service: TestServer, path: string) => {
  const response = await service.get(path, { accept: "text/markdown, */*;q=0.5" });
  const text = await response.text();
  const textAndLink = `${text}\n${response.headers.get("link") ?? ""}`;
  const paths = [
    ...linksOf(textAndLink),
    ...(path === "/openapi.json" ? describedPaths(text) : []),
  ];
  return { status: response.status, text, links: paths };
};

/** Finds the addresses of this service in Markdown, JSON, XML, shell commands or a header. */
const linksOf = (text: string): string[] =>
  [...text.matchAll(new RegExp(`${baseUrl.replaceAll(".", "\\.")}(/[^\\s"'<>()\`\\\\]*)`, "g"))]
    .map(([, path = ""]) => path.replaceAll("&amp;", "&").replace(/[.,;:*]+$/, ""))
    .filter((path) => !/[{}]/.test(path));

const describedPaths = (text: string): string[] =>
  Object.keys((JSON.parse(text) as { paths: object }).paths).filter((path) => !path.includes("{"));

const crawl = async (service: TestServer, start: string): Promise<ReadonlyMap<string, Reply>> => {
  const found = new Map<string, Reply>();
  const waiting = [start];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(path)) continue;
    const { links, ...reply } = await visit(service, path);
    found.set(path, reply);
    waiting.push(...links);
  }
  return found;
};

for (const mode of modes) {
  for (const start of starts) {
    test(`${start} leads everywhere, and no link is dead (${mode})`, async (context) => {
      const found = await crawl(context[mode], start);
      for (const [path, { status }] of found) {
        assert.is(status, expectedStatus(path), `${path} answered ${status}`);
      }
      const all = mode === "open" ? [...surfaces, "/v1/register"] : surfaces;
      assert.equal(
        all.filter((path) => !found.has(path)),
        [],
        "surfaces that were not reached",
      );
    });
  }
}

const textsOf = async (service: TestServer): Promise<readonly [string, string][]> =>
  [...(await crawl(service, "/"))].map(([path, { text }]) => [path, text]);

test("no document mentions self-registration while it is closed", async ({ closed }) => {
  for (const [path, text] of await textsOf(closed)) {
    assert.not.match(text, /v1\/register|register_uri|identity_endpoint|self-issue/i, path);
  }
});

test("no document sends agents to the owner for a token while registration is open", async ({
  open,
}) => {
  for (const [path, text] of await textsOf(open)) {
    assert.not.match(text, /owner issues|ask the owner|"manual"|out of band/i, path);
  }
});

test("the server card agrees with the tool endpoint", async ({ open }) => {
  const { text } = await visit(open, "/agent/mcp/server-card");
  const card = JSON.parse(text) as {
    serverInfo: unknown;
    capabilities: unknown;
    remotes: { supportedProtocolVersions: string[] }[];
  };
  const [newest, ...legacy] = card.remotes[0]?.supportedProtocolVersions ?? [];
  const call = async (method: string, params: object, headers: object = {}) => {
    const response = await open.request("/agent/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${tokenFor("crawler")}`,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return ((await response.json()) as { result: Record<string, unknown> }).result;
  };
  const discovered = await call(
    "server/discover",
    {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": newest,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
    { "mcp-protocol-version": newest, "mcp-method": "server/discover" },
  );
  assert.equal(discovered.supportedVersions, [newest, ...legacy]);
  assert.equal(discovered.capabilities, card.capabilities);
  const clientInfo = { name: "crawler", version: "1" };
  for (const protocolVersion of legacy) {
    const result = await call("initialize", { protocolVersion, capabilities: {}, clientInfo });
    assert.is(result.protocolVersion, protocolVersion);
    assert.equal(result.serverInfo, card.serverInfo);
  }
});

test("every skill's GraphQL example is a valid document", async ({ open }) => {
  const texts = (await textsOf(open)).filter(([path]) => path.endsWith("SKILL.md"));
  const examples = texts.flatMap(([path, text]) =>
    [...text.matchAll(/graphql -H 'Content-Type: application\/json' -d '([^']+)'/g)].map(
      ([, body = ""]) => [path, body] as const,
    ),
  );
  assert.is(examples.length, 3);
  for (const [path, body] of examples) {
    const answer = (await (await open.post(body)).json()) as { errors?: unknown };
    assert.is(answer.errors, undefined, `${path}: ${JSON.stringify(answer.errors)}`);
  }
});

test("every skill's tool call names a tool and arguments that exist", async ({ open }) => {
  const texts = (await textsOf(open)).filter(([path]) => path.endsWith("SKILL.md"));
  const calls = texts.flatMap(([, text]) => text.match(/\{"jsonrpc":"2\.0",.*\}/g) ?? []);
  assert.is(calls.length, 4);
  for (const body of calls) {
    const response = await open.request("/agent/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${tokenFor("learner")}`,
      },
      body,
    });
    const { result, error } = (await response.json()) as {
      result?: { structuredContent?: { code?: string } };
      error?: unknown;
    };
    assert.is(error, undefined, body);
    assert.is.not(result?.structuredContent?.code, "INVALID_ARGUMENT", body);
  }
});

test.run();
