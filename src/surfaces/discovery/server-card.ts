import { capabilities, revisions, serverInfo } from "../mcp/server-info.ts";
import { documentPaths, surfacePaths } from "../paths.ts";
import type { Site } from "../site.ts";
import { encodeJson, type PublishedDocument } from "./document.ts";

/**
 * Builds the server cards of the endpoints of tools (MCP SEP-2127), with the members of their predecessor for older clients.
 * A card is below its endpoint, as SEP-2127 requires. That of the tools of the shop is also at the path that older clients read.
 */
export const serverCards = (site: Site): readonly PublishedDocument[] => {
  const shop = encodeJson(buildCard(site, shopEndpoint));
  const research = encodeJson(buildCard(site, researchEndpoint));
  const ucp = encodeJson(buildCard(site, ucpEndpoint));
  const shopEntry = encodeJson(buildRegistryEntry(site, shopEndpoint));
  const researchEntry = encodeJson(buildRegistryEntry(site, researchEndpoint));
  const json = "application/json";
  return [
    { path: documentPaths.serverCard, type: cardType, bytes: shop },
    { path: documentPaths.legacyServerCard, type: json, bytes: shop },
    { path: documentPaths.researchCard, type: cardType, bytes: research },
    { path: documentPaths.ucpCard, type: cardType, bytes: ucp },
    { path: documentPaths.registryEntry, type: json, bytes: shopEntry },
    { path: documentPaths.researchRegistryEntry, type: json, bytes: researchEntry },
  ];
};

const cardType = "application/mcp-server-card+json";

interface Endpoint {
  readonly path: string;
  /** Last part of the card's name. */
  readonly name: string;
  /** At most 100 characters. */
  readonly description: string;
  /** Set where no token is looked at, whatever the other tools need. */
  readonly isAnonymous?: true;
}

const shopEndpoint: Endpoint = {
  path: surfacePaths.tools,
  name: "vitrine",
  description: "Read-only tools on a store: products, stock, categories, shipping, policies.",
};

const researchEndpoint: Endpoint = {
  path: surfacePaths.research,
  name: "vitrine-research",
  description: "Two read-only tools on a store for research: search and fetch.",
};

const ucpEndpoint: Endpoint = {
  path: surfacePaths.ucpTools,
  name: "vitrine-ucp",
  description: "The catalogue of a store in the words of UCP: search, lookup, product.",
  isAnonymous: true,
};

const buildCard = (site: Site, endpoint: Endpoint) => {
  const remote = buildRemote(site, endpoint);
  const { type, url } = remote;
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ...describeServer(site, endpoint),
    remotes: [{ ...remote, supportedProtocolVersions: revisions }],
    serverInfo,
    endpoint: url,
    transport: { type, endpoint: url },
    capabilities,
  };
};

/**
 * Builds what the owner publishes in the MCP registry, with the tool `mcp-publisher`. Where no token is needed it names none, because
 * a client that fills in nothing would send a wrong one.
 */
const buildRegistryEntry = (site: Site, endpoint: Endpoint) => {
  const { headers, ...remote } = buildRemote(site, endpoint);
  const variables = {
    token: { description: "The agent's token", isRequired: true, isSecret: true },
  };
  const tokenHeaders = headers.map((header) => ({ ...header, variables }));
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ...describeServer(site, endpoint),
    remotes: [{ ...remote, ...(site.toolsAccess === "token" && { headers: tokenHeaders }) }],
  };
};

const describeServer = ({ baseUrl }: Site, { name, description }: Endpoint) => ({
  name: `${reversedHost(baseUrl)}/${name}`,
  version: serverInfo.version,
  title: serverInfo.title,
  description,
  websiteUrl: `${baseUrl}/`,
});

const buildRemote = (site: Site, { path, isAnonymous }: Endpoint) => ({
  type: "streamable-http",
  url: `${site.baseUrl}${path}`,
  headers: isAnonymous ? [] : [tokenHeader(site)],
});

const tokenHeader = ({ baseUrl, toolsAccess }: Site) => ({
  name: "Authorization",
  description:
    toolsAccess === "open"
      ? `A bearer token, if the agent has one; ${baseUrl}${documentPaths.authMd} explains what it is for.`
      : `A bearer token; ${baseUrl}${documentPaths.authMd} explains how to get one.`,
  isRequired: toolsAccess === "token",
  isSecret: true,
  value: "Bearer {token}",
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
  const toEntry = (name: string, displayName: string, path: string) => ({
    identifier: `urn:air:${hostname}:mcp:${name}`,
    ...{ type: cardType, mediaType: cardType, displayName },
    url: `${baseUrl}${path}`,
  });
  return {
    path: documentPaths.aiCatalog,
    type: "application/ai-catalog+json",
    bytes: encodeJson({
      specVersion: "1.0",
      host: { displayName: hostname, documentationUrl: `${baseUrl}${surfacePaths.overview}` },
      entries: [
        toEntry(shopEndpoint.name, "Read-only store tools (MCP)", documentPaths.serverCard),
        toEntry(
          researchEndpoint.name,
          "Read-only research tools (MCP)",
          documentPaths.researchCard,
        ),
        toEntry(ucpEndpoint.name, "UCP catalogue (MCP)", documentPaths.ucpCard),
      ],
    }),
  };
};
