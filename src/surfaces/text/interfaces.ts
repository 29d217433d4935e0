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
export const interfaceLinks = ({ baseUrl, toolsAccess }: Site): readonly LinkEntry[] => {
  const credentials = toolsAccess === "open" ? ", no credentials" : " with a bearer token";
  const link = (name: string, path: string, note: string): LinkEntry => {
    return { name, url: `${baseUrl}${path}`, note };
  };
  const { graphql, schema, tools, research } = surfacePaths;
  return [
    link(
      "GraphQL schema",
      schema,
      `products, search, categories, policies; POST queries to ${baseUrl}${graphql}, no credentials`,
    ),
    link(
      "MCP server card",
      documentPaths.serverCard,
      `seven tools over JSON-RPC; POST to ${baseUrl}${tools}${credentials}`,
    ),
    link(
      "Research tools",
      documentPaths.researchCard,
      `search and fetch for research connectors (MCP); POST to ${baseUrl}${research}${credentials}`,
    ),
    link(
      "Access",
      documentPaths.authMd,
      toolsAccess === "open"
        ? "nothing needs a token; what one is for"
        : "what needs a token, and how to get one",
    ),
    link(
      "Agent skills",
      documentPaths.skills,
      "how to search, compare, check stock and hand over a checkout link",
    ),
    link("OpenAPI", documentPaths.openApi, "every HTTP endpoint, described for programs"),
    link("API catalog", documentPaths.apiCatalog, "the machine-readable list of these interfaces"),
  ];
};

export const sitemapLink = (baseUrl: string): LinkEntry => ({
  name: "Agent sitemap",
  url: `${baseUrl}${surfacePaths.sitemap}`,
  note: "every page as Markdown with the time of its last change, to decide what to fetch again",
});

export const llmsLink = (baseUrl: string): LinkEntry => ({
  name: "llms.txt",
  url: `${baseUrl}/llms.txt`,
  note: "an overview for language models",
});
