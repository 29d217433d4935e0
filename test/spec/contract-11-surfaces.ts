import type { CloudEvent } from "../../src/events/envelope.ts";
import {
  categoryUpserted,
  pageUpserted,
  priceChanged,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
} from "../helpers/events.ts";
import type { TestServer } from "../helpers/test-server.ts";
import { bearer, get, markdown, postTo, type SendRequest } from "./every-surface.ts";

/** The surfaces whose answers state their position (Contract §11), and what the tests of positions share. */

export const shopEvents = (): readonly CloudEvent[] => [
  settingsUpdated({}, { id: "first" }),
  categoryUpserted(),
  pageUpserted(),
  productUpserted({ id: 1, categoryIds: [1] }),
  productUpserted({ id: 2 }),
  robotsUpdated("User-agent: *\nAllow: /\n"),
];

/** Builds an event that changes no answer but those of product 2. */
export const otherPrice = (at: number): CloudEvent =>
  priceChanged(
    { productId: 2, price: { amount: `${at}.00`, currency: "EUR" } },
    { time: timeOf(at) },
  );

/** @param at minutes, so that events can be told apart by time */
export const timeOf = (at: number): string => new Date(Date.UTC(2026, 10, 1, 8, at)).toISOString();

export const query = "{ product(id: 1) { product { name } } }";
export const queryUrl = `/graphql?query=${encodeURIComponent(query)}`;

const call = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});

export const productCall = call("get_product", { product_id: 1 });

const ucpAgent = { "ucp-agent": 'profile="https://agent.example"' };

const stateless = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "get_product",
};
const statelessCall = {
  ...productCall,
  params: {
    ...productCall.params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};

/** Documents at URLs, with their Accept header. */
export const documents: Readonly<Record<string, readonly [path: string, accept: string]>> = {
  "GraphQL in a URL": [queryUrl, "*/*"],
  "a product page with .md": ["/products/1.md", "*/*"],
  "a product page as Markdown": ["/products/1", "text/markdown"],
  "a category page": ["/categories/1.md", "*/*"],
  "a CMS page": ["/pages/1.md", "*/*"],
  "the home page as Markdown": ["/", "text/markdown"],
  "the home page as HTML": ["/", "text/html"],
  "the home page with .md": ["/index.md", "*/*"],
  "llms.txt": ["/llms.txt", "*/*"],
  "robots.txt": ["/robots.txt", "*/*"],
};

export const positioned: Readonly<Record<string, SendRequest>> = {
  ...Object.fromEntries(
    Object.entries(documents).map(([name, [path, accept]]) => [name, get(path, { accept })]),
  ),
  GraphQL: postTo("/graphql", { query }),
  "introspection of GraphQL": postTo("/graphql", { query: "{ __schema { queryType { name } } }" }),
  "a tool": postTo("/agent/mcp", productCall, bearer),
  "a tool of the stateless revision": postTo("/agent/mcp", statelessCall, {
    ...bearer,
    ...stateless,
  }),
  "a search of UCP": postTo("/ucp/catalog/search", { query: "x" }, ucpAgent),
  "a tool of UCP": postTo(
    "/ucp/mcp",
    call("lookup_catalog", {
      meta: { "ucp-agent": { profile: "https://agent.example" } },
      catalog: { ids: ["1"] },
    }),
  ),
  "a tool for research": postTo("/agent/mcp/research", call("search", { query: "x" }), bearer),
  "no page with .md": get("/products/99.md"),
  "no page as Markdown": get("/products/99", markdown),
  "nothing at all": get("/nothing"),
};

/** Answers that no snapshot made, or more than one. */
export const unpositioned: Readonly<Record<string, SendRequest>> = {
  "the sitemap": get("/agent-sitemap.xml"),
  "a batch of tool calls": postTo("/agent/mcp", [productCall], {
    ...bearer,
    "mcp-protocol-version": "2025-03-26",
  }),
  "a list of tools": postTo("/agent/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, bearer),
  "a call with wrong arguments": postTo("/agent/mcp", call("get_product", { no: 1 }), bearer),
  "a malformed document": postTo("/graphql", { query: "{" }),
  "the schema": get("/graphql/schema.graphql"),
  "auth.md": get("/auth.md"),
  "the API catalog": get("/.well-known/api-catalog"),
  "the OpenAPI description": get("/openapi.json"),
  GraphiQL: get("/graphql", { accept: "text/html" }),
  registration: postTo("/v1/register", { label: "rows" }),
};

/** What an answer states: `sequence` is NaN without a position. */
export const stated = ({ headers }: Response) => {
  const text = headers.get("x-position") ?? "";
  const [epoch = "", sequence = "NaN"] = text.split("-");
  return { text, epoch, sequence: Number(sequence), asOf: headers.get("x-as-of") };
};

/** Reads the position of a service, and builds others of its epoch. */
export const positionOf = async (service: TestServer) => {
  const { epoch, sequence } = stated(await service.get("/robots.txt"));
  const at = (other: number): string => `${epoch}-${String(other).padStart(16, "0")}`;
  return { epoch, sequence, at, ahead: at(sequence + 1), other: at(1).replace(/^./, swapFirst) };
};

const swapFirst = (digit: string): string => (digit === "0" ? "1" : "0");
