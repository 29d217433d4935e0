import { capabilities, revisions, serverInfo } from "../mcp/server-info.ts";
import { documentPaths, surfacePaths } from "../paths.ts";
import type { Site } from "../site.ts";
import { encodeJson, type PublishedDocument } from "./document.ts";

/**
 * Builds the server card of the tool endpoint (MCP SEP-2127), with the members of its predecessor for older clients.
 * It has two paths: below the endpoint, as SEP-2127 requires, and the one that older clients read.
 */
export const serverCards = (site: Site): readonly PublishedDocument[] => {
  const bytes = encodeJson(buildCard(site));
  return [
    { path: documentPaths.serverCard, type: "application/mcp-server-card+json", bytes },
    { path: documentPaths.legacyServerCard, type: "application/json", bytes },
  ];
};

const buildCard = ({ baseUrl, toolsAccess }: Site) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  name: `${reversedHost(baseUrl)}/vitrine`,
  version: serverInfo.version,
  title: serverInfo.title,
  description: "Read-only tools on a store: products, stock, categories, shipping, policies.",
  websiteUrl: `${baseUrl}/`,
  remotes: [
    {
      type: "streamable-http",
      url: `${baseUrl}${surfacePaths.tools}`,
      headers: [
        {
          name: "Authorization",
          description:
            toolsAccess === "open"
              ? `A bearer token, if the agent has one; ${baseUrl}${documentPaths.authMd} explains what it is for.`
              : `A bearer token; ${baseUrl}${documentPaths.authMd} explains how to get one.`,
          isRequired: toolsAccess === "token",
          isSecret: true,
          value: "Bearer {token}",
        },
      ],
      supportedProtocolVersions: revisions,
    },
  ],
  serverInfo,
  endpoint: `${baseUrl}${surfacePaths.tools}`,
  transport: { type: "streamable-http", endpoint: `${baseUrl}${surfacePaths.tools}` },
  capabilities,
});

/** Reverses the host name for the card's name: `https://agents.shop.example` → `example.shop.agents`. */
const reversedHost = (baseUrl: string): string => {
  const { hostname } = new URL(baseUrl);
  if (/^[\d.]+$|:/.test(hostname))
    return hostname.replace(/[^a-zA-Z0-9.]+/g, "-").replace(/^-|-$/g, "");
  return hostname.split(".").reverse().join(".");
};

/** Builds the AI catalog (ai-catalog 1.0). Clients still read the older names `mediaType` and `displayName`. */
export const aiCatalog = ({ baseUrl }: Site): PublishedDocument => {
  const { hostname } = new URL(baseUrl);
  const type = "application/mcp-server-card+json";
  return {
    path: documentPaths.aiCatalog,
    type: "application/ai-catalog+json",
    bytes: encodeJson({
      specVersion: "1.0",
      host: { displayName: hostname, documentationUrl: `${baseUrl}${surfacePaths.overview}` },
      entries: [
        {
          identifier: `urn:air:${hostname}:mcp:vitrine`,
          type,
          mediaType: type,
          displayName: "Read-only store tools (MCP)",
          url: `${baseUrl}${documentPaths.serverCard}`,
        },
      ],
    }),
  };
};
