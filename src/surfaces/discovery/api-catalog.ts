import { addresses, surfaces } from "../paths.ts";
import { type DiscoveryWorld, json, type PublishedDocument } from "./document.ts";

/** Every API of the origin, each with what describes it (RFC 9727, a linkset of RFC 9264). */
export const apiCatalog = (world: DiscoveryWorld): PublishedDocument => {
  const at = (path: string) => `${world.baseUrl}${path}`;
  const openApi = { href: at(addresses.openApi), type: "application/json", title: "OpenAPI 3.1" };
  const authMd = { href: at(addresses.authMd), type: "text/markdown", title: "How to get a token" };
  const overview = { href: at(surfaces.overview), type: "text/markdown", title: "Overview" };
  const isOpen = world.registration === "open";
  const apis = [surfaces.graphql, surfaces.tools, ...(isOpen ? [surfaces.register] : [])];
  return {
    path: addresses.apiCatalog,
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    bytes: json({
      linkset: [
        { anchor: at(addresses.apiCatalog), item: apis.map((path) => ({ href: at(path) })) },
        {
          anchor: at(surfaces.graphql),
          "service-desc": [
            { href: at(surfaces.schema), type: "text/plain", title: "GraphQL schema" },
            openApi,
          ],
          "service-doc": [overview],
        },
        {
          anchor: at(surfaces.tools),
          "service-desc": [openApi],
          "service-doc": [authMd],
          "service-meta": toolMetadata(at),
        },
        ...(isOpen
          ? [{ anchor: at(surfaces.register), "service-desc": [openApi], "service-doc": [authMd] }]
          : []),
        {
          anchor: at("/"),
          "service-desc": [openApi],
          "service-doc": [overview],
          "service-meta": [
            { href: at(surfaces.sitemap), type: "application/xml", title: "Pages, for agents" },
          ],
        },
      ],
    }),
  };
};

const toolMetadata = (at: (path: string) => string) => [
  {
    href: at(addresses.serverCard),
    type: "application/mcp-server-card+json",
    title: "Server card",
  },
  { href: at(addresses.toolResource), type: "application/json", title: "Protected resource" },
  { href: at(addresses.authorizationServer), type: "application/json", title: "No OAuth here" },
  { href: at(addresses.skills), type: "application/json", title: "Agent skills" },
];
