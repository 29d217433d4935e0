export const documentPaths = {
  protectedResource: "/.well-known/oauth-protected-resource",
  toolResource: "/.well-known/oauth-protected-resource/agent/mcp",
  researchResource: "/.well-known/oauth-protected-resource/agent/mcp/research",
  authorizationServer: "/.well-known/oauth-authorization-server",
  apiCatalog: "/.well-known/api-catalog",
  skills: "/.well-known/agent-skills/index.json",
  aiCatalog: "/.well-known/ai-catalog.json",
  serverCard: "/agent/mcp/server-card",
  researchCard: "/agent/mcp/research/server-card",
  registryEntry: "/agent/mcp/server.json",
  researchRegistryEntry: "/agent/mcp/research/server.json",
  legacyServerCard: "/.well-known/mcp/server-card.json",
  ucpCard: "/ucp/mcp/server-card",
  ucpProfile: "/.well-known/ucp",
  authMd: "/auth.md",
  openApi: "/openapi.json",
} as const;

/** Paths of the surfaces that discovery documents link to. */
export const surfacePaths = {
  graphql: "/graphql",
  schema: "/graphql/schema.graphql",
  tools: "/agent/mcp",
  research: "/agent/mcp/research",
  register: "/v1/register",
  overview: "/llms.txt",
  sitemap: "/agent-sitemap.xml",
  changes: "/agent/changes",
  changesStream: "/agent/changes/stream",
  ucp: "/ucp",
  ucpTools: "/ucp/mcp",
} as const;

const link = (href: string, rel: string, type: string): string =>
  `<${href}>; rel="${rel}"; type="${type}"`;

/**
 * Builds the `Link` header values from which a client finds every discovery document (RFC 8288, RFC 8631, RFC 9727).
 */
export const discoveryLinks = (baseUrl: string): readonly string[] => [
  `<${baseUrl}${documentPaths.apiCatalog}>; rel="api-catalog"`,
  link(`${baseUrl}${documentPaths.openApi}`, "service-desc", "application/json"),
  link(`${baseUrl}${surfacePaths.overview}`, "service-doc", "text/markdown"),
  link(`${baseUrl}${documentPaths.authMd}`, "service-doc", "text/markdown"),
  link(`${baseUrl}${documentPaths.aiCatalog}`, "ai-catalog", "application/ai-catalog+json"),
];
