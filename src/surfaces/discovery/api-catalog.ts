import { documentPaths, surfacePaths } from "../paths.ts";
import type { Site } from "../site.ts";
import { encodeJson, type PublishedDocument, skillPath } from "./document.ts";

/** Lists every API of the origin with links to its descriptions (RFC 9727, a linkset of RFC 9264). */
export const apiCatalog = (site: Site): PublishedDocument => {
  const apis = listApis(site);
  const item = apis.map(({ anchor }) => ({ href: anchor }));
  const catalog = { anchor: `${site.baseUrl}${documentPaths.apiCatalog}`, item };
  const pages = describe(site, "/", [openApi], [overview], [sitemap]);
  return {
    path: documentPaths.apiCatalog,
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    bytes: encodeJson({ linkset: [catalog, ...apis, pages] }),
  };
};

type Link = readonly [path: string, type: string, title: string];

const json = "application/json";
const openApi: Link = [documentPaths.openApi, json, "OpenAPI 3.1"];
const overview: Link = [surfacePaths.overview, "text/markdown", "Overview"];
const schema: Link = [surfacePaths.schema, "text/plain", "GraphQL schema"];
const ucpProfile: Link = [documentPaths.ucpProfile, json, "UCP profile"];
const ucpCard: Link = [documentPaths.ucpCard, "application/mcp-server-card+json", "Server card"];
const mirrorSkill: Link = [skillPath("keep-a-mirror"), "text/markdown", "How to keep a mirror"];
const sitemap: Link = [surfacePaths.sitemap, "application/xml", "Pages, for agents"];

const listApis = (site: Site) => {
  const title = site.toolsAccess === "open" ? "Access" : "How to get a token";
  const authMd: Link = [documentPaths.authMd, "text/markdown", title];
  const { serverCard, registryEntry, toolResource, authorizationServer, skills } = documentPaths;
  const { researchCard, researchRegistryEntry, researchResource } = documentPaths;
  return [
    describe(site, surfacePaths.graphql, [schema, openApi], [overview]),
    describe(
      site,
      surfacePaths.tools,
      [openApi],
      [authMd],
      [
        ...linkTools(serverCard, registryEntry, toolResource),
        [authorizationServer, json, "No OAuth here"],
        [skills, json, "Agent skills"],
      ],
    ),
    describe(
      site,
      surfacePaths.research,
      [openApi],
      [authMd],
      linkTools(researchCard, researchRegistryEntry, researchResource),
    ),
    describe(site, surfacePaths.changes, [openApi], [mirrorSkill]),
    describe(site, surfacePaths.ucp, [ucpProfile], [overview]),
    describe(site, surfacePaths.ucpTools, [ucpProfile], [overview], [ucpCard]),
    ...(site.registration === "open"
      ? [describe(site, surfacePaths.register, [openApi], [authMd])]
      : []),
  ];
};

const linkTools = (card: string, entry: string, resource: string): readonly Link[] => [
  [card, "application/mcp-server-card+json", "Server card"],
  [entry, json, "MCP registry entry"],
  [resource, json, "Protected resource"],
];

const describe = (
  { baseUrl }: Site,
  path: string,
  descriptions: readonly Link[],
  documents: readonly Link[],
  metadata: readonly Link[] = [],
) => {
  const write = (links: readonly Link[]) =>
    links.map(([target, type, title]) => ({ href: `${baseUrl}${target}`, type, title }));
  return {
    anchor: `${baseUrl}${path}`,
    "service-desc": write(descriptions),
    "service-doc": write(documents),
    ...(metadata.length > 0 && { "service-meta": write(metadata) }),
  };
};
