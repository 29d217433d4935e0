import { documentPaths, surfacePaths } from "../paths.ts";
import type { Site } from "../site.ts";
import { encodeJson, type PublishedDocument } from "./document.ts";

/** Lists every API of the origin with links to its descriptions (RFC 9727, a linkset of RFC 9264). */
export const apiCatalog = (site: Site): PublishedDocument => {
  const toUrl = (path: string) => `${site.baseUrl}${path}`;
  const openApi = {
    href: toUrl(documentPaths.openApi),
    type: "application/json",
    title: "OpenAPI 3.1",
  };
  const authMd = {
    href: toUrl(documentPaths.authMd),
    type: "text/markdown",
    title: site.toolsAccess === "open" ? "Access" : "How to get a token",
  };
  const overview = { href: toUrl(surfacePaths.overview), type: "text/markdown", title: "Overview" };
  const isOpen = site.registration === "open";
  const apis = [
    surfacePaths.graphql,
    surfacePaths.tools,
    surfacePaths.research,
    ...(isOpen ? [surfacePaths.register] : []),
  ];
  return {
    path: documentPaths.apiCatalog,
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    bytes: encodeJson({
      linkset: [
        {
          anchor: toUrl(documentPaths.apiCatalog),
          item: apis.map((path) => ({ href: toUrl(path) })),
        },
        {
          anchor: toUrl(surfacePaths.graphql),
          "service-desc": [
            { href: toUrl(surfacePaths.schema), type: "text/plain", title: "GraphQL schema" },
            openApi,
          ],
          "service-doc": [overview],
        },
        {
          anchor: toUrl(surfacePaths.tools),
          "service-desc": [openApi],
          "service-doc": [authMd],
          "service-meta": toolMetadata(toUrl),
        },
        {
          anchor: toUrl(surfacePaths.research),
          "service-desc": [openApi],
          "service-doc": [authMd],
          "service-meta": [
            serverCard(toUrl(documentPaths.researchCard)),
            registryEntry(toUrl(documentPaths.researchRegistryEntry)),
            protectedResource(toUrl(documentPaths.researchResource)),
          ],
        },
        ...(isOpen
          ? [
              {
                anchor: toUrl(surfacePaths.register),
                "service-desc": [openApi],
                "service-doc": [authMd],
              },
            ]
          : []),
        {
          anchor: toUrl("/"),
          "service-desc": [openApi],
          "service-doc": [overview],
          "service-meta": [
            {
              href: toUrl(surfacePaths.sitemap),
              type: "application/xml",
              title: "Pages, for agents",
            },
          ],
        },
      ],
    }),
  };
};

const serverCard = (href: string) => ({
  href,
  type: "application/mcp-server-card+json",
  title: "Server card",
});

const registryEntry = (href: string) => ({
  href,
  type: "application/json",
  title: "MCP registry entry",
});

const protectedResource = (href: string) => ({
  href,
  type: "application/json",
  title: "Protected resource",
});

const toolMetadata = (toUrl: (path: string) => string) => [
  serverCard(toUrl(documentPaths.serverCard)),
  registryEntry(toUrl(documentPaths.registryEntry)),
  protectedResource(toUrl(documentPaths.toolResource)),
  {
    href: toUrl(documentPaths.authorizationServer),
    type: "application/json",
    title: "No OAuth here",
  },
  { href: toUrl(documentPaths.skills), type: "application/json", title: "Agent skills" },
];
