import { documentPaths, surfacePaths } from "../paths.ts";
import type { Site } from "../site.ts";

/** One entry of a list of links in the overview texts. */
export interface LinkEntry {
  readonly name: string;
  /** URL that answers a plain GET, so that no link of an overview is dead. */
  readonly url: string;
  readonly note: string;
}

/** Lists every surface of Specification §1, each by a document that a client can GET. */
export const interfaceLinks = (site: Site): readonly LinkEntry[] => {
  const { baseUrl, toolsAccess } = site;
  const credentials = toolsAccess === "open" ? ", no credentials" : " with a bearer token";
  return [
    {
      name: "GraphQL schema",
      url: `${baseUrl}${surfacePaths.schema}`,
      note: `products, search, categories, policies; POST queries to ${baseUrl}${surfacePaths.graphql}, no credentials`,
    },
    {
      name: "MCP server card",
      url: `${baseUrl}${documentPaths.serverCard}`,
      note: `seven tools over JSON-RPC; POST to ${baseUrl}${surfacePaths.tools}${credentials}`,
    },
    {
      name: "Research tools",
      url: `${baseUrl}${documentPaths.researchCard}`,
      note: `search and fetch for research connectors (MCP); POST to ${baseUrl}${surfacePaths.research}${credentials}`,
    },
    {
      name: "Access",
      url: `${baseUrl}${documentPaths.authMd}`,
      note:
        toolsAccess === "open"
          ? "nothing needs a token; what one is for"
          : "what needs a token, and how to get one",
    },
    {
      name: "Agent skills",
      url: `${baseUrl}${documentPaths.skills}`,
      note: "how to search, compare, check stock and hand over a checkout link",
    },
    {
      name: "OpenAPI",
      url: `${baseUrl}${documentPaths.openApi}`,
      note: "every HTTP endpoint, described for programs",
    },
    {
      name: "API catalog",
      url: `${baseUrl}${documentPaths.apiCatalog}`,
      note: "the machine-readable list of these interfaces",
    },
  ];
};

export const sitemapLink = (baseUrl: string): LinkEntry => ({
  name: "Agent sitemap",
  url: `${baseUrl}${surfacePaths.sitemap}`,
  note: "every page as Markdown with the time of its last change, to decide what to fetch again",
});
