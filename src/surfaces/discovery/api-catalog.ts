import { addresses, surfaces } from "../paths.ts";
import { type DiscoveryWorld, json, type PublishedDocument } from "./document.ts";

/** Lists every API of the origin with links to its descriptions (RFC 9727, a linkset of RFC 9264). */
export const apiCatalog = (options: DiscoveryWorld): PublishedDocument => {
  const toUrl = (path: string) => `${options.baseUrl}${path}`;
  const openApi = {
    href: toUrl(addresses.openApi),
    type: "application/json",
    title: "OpenAPI 3.1",
  };
  const authMd = {
    href: toUrl(addresses.authMd),
    type: "text/markdown",
    title: "How to get a token",
  };
  const overview = { href: toUrl(surfaces.overview), type: "text/markdown", title: "Overview" };
  const isOpen = options.registration === "open";
  const apis = [surfaces.graphql, surfaces.tools, ...(isOpen ? [surfaces.register] : [])];
  return {
    path: addresses.apiCatalog,
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    bytes: json({
      linkset: [
        { anchor: toUrl(addresses.apiCatalog), item: apis.map((path) => ({ href: toUrl(path) })) },
        {
          anchor: toUrl(surfaces.graphql),
          "service-desc": [
            { href: toUrl(surfaces.schema), type: "text/plain", title: "GraphQL schema" },
            openApi,
          ],
          "service-doc": [overview],
        },
        {
          anchor: toUrl(surfaces.tools),
          "service-desc": [openApi],
          "service-doc": [authMd],
          "service-meta": toolMetadata(toUrl),
        },
        ...(isOpen
          ? [
              {
                anchor: toUrl(surfaces.register),
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
            { href: toUrl(surfaces.sitemap), type: "application/xml", title: "Pages, for agents" },
          ],
        },
      ],
    }),
  };
};

const toolMetadata = (toUrl: (path: string) => string) => [
  {
    href: toUrl(addresses.serverCard),
    type: "application/mcp-server-card+json",
    title: "Server card",
  },
  { href: toUrl(addresses.toolResource), type: "application/json", title: "Protected resource" },
  { href: toUrl(addresses.authorizationServer), type: "application/json", title: "No OAuth here" },
  { href: toUrl(addresses.skills), type: "application/json", title: "Agent skills" },
];
