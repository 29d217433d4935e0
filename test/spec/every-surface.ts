import { tokenFor } from "../helpers/access.ts";
import type { TestServer } from "../helpers/test-server.ts";

/** Sends a request to a test server; the headers given override its own. */
export type SendRequest = (
  service: TestServer,
  headers?: Record<string, string>,
) => Promise<Response>;

export const get =
  (path: string, own: Record<string, string> = {}): SendRequest =>
  (service, headers = {}) =>
    service.get(path, { ...own, ...headers });

export const postTo =
  (path: string, body: object, own: Record<string, string> = {}): SendRequest =>
  (service, headers = {}) =>
    service.request(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...own, ...headers },
      body: JSON.stringify(body),
    });

export const markdown = { accept: "text/markdown" };
export const bearer = { authorization: `Bearer ${tokenFor("rows")}` };
export const listing = { jsonrpc: "2.0", id: 1, method: "tools/list" };

export const discovery = {
  "protected resource": "/.well-known/oauth-protected-resource",
  "authorization server": "/.well-known/oauth-authorization-server",
  "API catalog": "/.well-known/api-catalog",
  "agent skills": "/.well-known/agent-skills/index.json",
} as const;

/** Surfaces that need no credentials, in the order of the table of §1. */
export const anonymous: Readonly<Record<string, SendRequest>> = {
  GraphQL: postTo("/graphql", { query: "{ shop { name } }" }),
  "the GraphQL schema": get("/graphql/schema.graphql"),
  "a product as Markdown": get("/products/1", markdown),
  "a category as Markdown": get("/categories/1", markdown),
  "a CMS page as Markdown": get("/pages/1", markdown),
  "the home page as Markdown": get("/", markdown),
  "a product page with .md": get("/products/1.md"),
  "the overview text": get("/llms.txt"),
  "the agent sitemap": get("/agent-sitemap.xml"),
  ...Object.fromEntries(Object.entries(discovery).map(([name, path]) => [name, get(path)])),
  registration: postTo("/v1/register", { label: "rows" }),
};
export const tools = postTo("/agent/mcp", listing, bearer);
export const surfaces: Readonly<Record<string, SendRequest>> = {
  ...anonymous,
  "the tool endpoint": tools,
};

/** Surfaces that read the model, and so cannot answer before one exists. */
export const modelSurfaces = Object.entries(surfaces).filter(
  ([name]) => !(name in discovery) && name !== "the GraphQL schema",
);

export const statusOf = async (response: Response): Promise<number> => {
  await response.arrayBuffer();
  return response.status;
};
