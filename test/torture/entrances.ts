/** A shop, and a valid request for every route, from which hostile ones are derived. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { publishTo } from "../helpers/publish.ts";
import { type RunningVitrine, startVitrine } from "../helpers/vitrine.ts";
import { bytesOf, exchange, json, type Request } from "../helpers/wire.ts";

const get = (target: string, headers: Request["headers"] = []): Request => ({
  method: "GET",
  target,
  headers,
  body: Buffer.alloc(0),
});

const post = (target: string, body: unknown, headers: Request["headers"] = []): Request => ({
  method: "POST",
  target,
  headers: [["Content-Type", "application/json"], ...headers],
  body: json(body),
});

const everything = `query All($after: String, $first: Int = 5, $id: ID! = "1") {
  shop { shop { name currency language productCount categoryCount } userErrors { code field message } }
  categories { categories { id name depth productCount } }
  policies { policies { id title url } }
  product(id: $id) { product { id name price { amount currency } availability updatedAt } userErrors { code } }
  products(first: $first, after: $after, query: "lamp", inStockOnly: true) {
    edges { cursor node { ...core } } pageInfo { hasNextPage endCursor } totalCount userErrors { code message }
  }
}
fragment core on Product { id name description url brand gtin reference }`;

/** Every argument of a list as a variable. */
const list = `query List($first: Int, $after: String, $query: String, $relax: Boolean, $inStockOnly: Boolean,
  $orderBy: ProductOrder, $categoryId: ID, $brand: String, $priceMin: String, $priceMax: String, $ids: [ID!],
  $reference: String, $gtin: String, $url: String) {
  products(first: $first, after: $after, query: $query, relax: $relax, inStockOnly: $inStockOnly, orderBy: $orderBy,
    categoryId: $categoryId, brand: $brand, priceMin: $priceMin, priceMax: $priceMax, ids: $ids,
    reference: $reference, gtin: $gtin, url: $url) {
    edges { cursor node { id } } totalCount userErrors { code field }
    facets { brands { brand count } categories { count } prices { min max count } }
    search { relaxed corrections { word words } unknownWords suggestions }
  }
}`;

const listVariables: readonly object[] = [
  { first: 2 },
  { first: 2, query: "lamp shoes", relax: true },
  { first: 2, query: "lapm", orderBy: "PRICE_DESC", priceMin: "1", priceMax: "500.50" },
  { first: 2, orderBy: "NAME", inStockOnly: true },
  { first: 2, orderBy: "PRICE_ASC", categoryId: "1", ids: ["1", "2"] },
  {
    first: 2,
    reference: "AB-12",
    gtin: "4006381333931",
    brand: "none",
    url: "https://shop.example/p/1",
  },
];

/** Requests for the first page of each list. */
const listRequests = (): readonly Request[] =>
  listVariables.map((variables) => post("/graphql", { query: list, variables }));

/** The same after a cursor of such a page. */
const afterCursors = (cursors: readonly string[]): readonly Request[] =>
  cursors.flatMap((after) =>
    listVariables.map((variables) =>
      post("/graphql", { query: list, variables: { ...variables, after } }),
    ),
  );

const introspection =
  "{ __schema { types { name fields(includeDeprecated: true) { name type { name kind } } } directives { name } } }";

const tools: readonly (readonly [string, object])[] = [
  ["search_products", { query: "lamp", sort: "price_asc", limit: 5, offset: 2, category_id: 1 }],
  ["get_product", { product_id: 1 }],
  ["list_categories", { max_depth: 2, only_stocked: true }],
  ["check_availability", { product_ids: [1, "2", 99_999] }],
  ["get_shipping_options", { country_code: "DE" }],
  ["get_policies", { topic: "returns" }],
  ["create_checkout_link", { items: [{ product_id: 1, quantity: 2 }] }],
];

const rpc = (method: string, params?: object) => ({ jsonrpc: "2.0", id: 1, method, params });

const ofTools = (token: string): readonly Request[] => {
  const headers = [["Authorization", `Bearer ${token}`]] as const;
  const handshake = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "fuzz", version: "1" },
  };
  return [
    rpc("initialize", handshake),
    rpc("ping"),
    rpc("tools/list"),
    rpc("server/discover", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    ...tools.map(([name, given]) => rpc("tools/call", { name, arguments: given })),
  ].map((body) => post("/agent/mcp", body, headers));
};

const ucpAgent = 'v=1;x="a", profile="https://agent.example/profile.json", y=(a "b" 1)';

/** Requests of UCP, over REST and MCP. */
const ofUcp = (): readonly Request[] => {
  const filters = { categories: ["Apparel > Jacket", "101"], price: { min: 1, max: 50_000 } };
  const operations = [
    ["search", "search_catalog", { query: "winter parka", filters, pagination: { limit: 3 } }],
    ["lookup", "lookup_catalog", { ids: ["1300", "1300.2", "nope"], filters }],
    [
      ...(["product", "get_product"] as const),
      {
        ...{ id: "1300", selected: [{ name: "Size", label: "M" }] },
        ...{ preferences: ["Size"], context: { currency: "USD" } },
      },
    ],
  ] as const;
  const meta = { "ucp-agent": { profile: "https://agent.example/profile.json" } };
  return ["/ucp", "/ucp/2026-04-08"].flatMap((base) =>
    operations.flatMap(([operation, name, catalog]) => [
      post(`${base}/catalog/${operation}`, catalog, [["UCP-Agent", ucpAgent]]),
      post(`${base}/mcp`, rpc("tools/call", { name, arguments: { meta, catalog } })),
    ]),
  );
};

const readings: readonly string[] = [
  "/.well-known/ucp",
  "/ucp/2026-04-08/.well-known/ucp",
  "/",
  "/llms.txt",
  "/robots.txt",
  "/auth.md",
  "/openapi.json",
  "/agent-sitemap.xml",
  "/agent-sitemap-1.xml",
  "/graphql",
  "/graphql/schema.graphql",
  "/.well-known/oauth-protected-resource/agent/mcp",
  "/.well-known/oauth-authorization-server",
  "/.well-known/api-catalog",
  "/.well-known/ai-catalog.json",
  "/.well-known/agent-skills/index.json",
  "/agent/changes?since=start&kinds=shop,price,stock&wait=0",
  "/agent/changes?since=k3v9x2m4q7ab-0000000000000007.1767222000123&min_position=k3v9x2m4q7ab-0000000000000001",
  "/agent/changes?since=k3v9x2m4q7ab-0000000000000000&walk=k3v9x2m4q7ab-0000000000000007.1767222000123&after=product/1300.2",
];

/** Paths of the ops port; `/events` is an endless stream and left out. */
export const opsRequests = (): readonly Request[] =>
  [
    "/",
    "/healthz",
    "/readyz",
    "/metrics",
    "/status",
    "/dead-letters?before=9&limit=5",
    "/dead-letters/7",
    "/explain/product/4711",
    "/explain/settings",
    "/generations",
  ].map((target) => get(target, [["Vitrine-Console", "1"]]));

/** @param pages paths of the shop's pages; @param token a valid token */
const goodRequests = (pages: readonly string[], token: string): readonly Request[] => [
  post("/graphql", { query: everything, variables: { first: 3 }, operationName: "All" }),
  post("/graphql", { query: introspection }),
  ...ofTools(token),
  ...ofUcp(),
  post("/v1/register", { label: "fuzz" }, [["Idempotency-Key", '"one"']]),
  ...readings.map((target) => get(target, [["Accept-Encoding", "br, gzip"]])),
  ...pages.map((page) => get(page, [["Accept", "text/markdown"]])),
  ...pages.map((page) => get(`${page}.md`, [["If-None-Match", '"x"']])),
  { ...get("/graphql"), method: "OPTIONS", headers: [["Origin", "https://page.example"]] },
  { ...get("/llms.txt"), method: "HEAD" },
];

/** The lines of the demo shop with every fourth of its products. */
const shop = readFileSync(join(packageRoot, "deploy", "demo", "shop.ndjson"), "utf8")
  .trim()
  .split("\n")
  .filter((line) => {
    const [, product = 0] = /"subject":"(?:product|stock|price)\/(\d+)"/.exec(line) ?? [];
    return Number(product) % 4 === 0;
  });

/** Starts a service that has applied these events. */
export const startShop = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningVitrine> => {
  const dataDir = join(temporaryDirectory().path, "data");
  await publishTo(
    dataDir,
    shop.map((line) => JSON.parse(line)),
  );
  const service = await startVitrine(args, { dataDir, env });
  await service.ready();
  return service;
};

/** Every 101st address: an even number would give images only, because each product's follows its address. */
const shopPages = (): readonly string[] =>
  [...shop.join("\n").matchAll(/"url":"https?:\/\/[^/"]+(\/[^"?#]*)"/g)]
    .map(([, path]) => path ?? "/")
    .filter((_, at) => at % 101 === 0);

/** Reads one cursor of each kind: by id, rank, price and name. */
const cursorsOf = async (port: number): Promise<readonly string[]> => {
  const cursors: string[] = [];
  for (const request of listRequests()) {
    const { answer } = await exchange(port, bytesOf(request), 10_000);
    cursors.push(...(/"cursor":"([\w-]+)"/.exec(answer)?.slice(1) ?? []));
  }
  const kinds = new Set(
    cursors.map((each) => Buffer.from(each, "base64url").toString().slice(0, 5)),
  );
  assert.ok(kinds.size >= 4, `only these kinds of cursors: ${[...kinds]}`);
  return cursors;
};

/**
 * All valid requests to a service of `startShop`.
 * @param token a valid token
 */
export const requestsOf = async (port: number, token: string): Promise<readonly Request[]> => [
  ...goodRequests(shopPages(), token),
  ...listRequests(),
  ...afterCursors(await cursorsOf(port)),
];
