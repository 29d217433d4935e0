import { addresses, surfaces } from "../paths.ts";

/** One entry of a list of links in the overview texts. */
export interface Interface {
  readonly name: string;
  /** URL that answers a plain GET, so that no link of an overview is dead. */
  readonly url: string;
  readonly note: string;
}

/** Lists every surface of Specification §1, each by a document that a client can GET. */
export const interfaces = (baseUrl: string): readonly Interface[] => [
  {
    name: "GraphQL schema",
    url: `${baseUrl}${surfaces.schema}`,
    note: `products, search, categories, policies; POST queries to ${baseUrl}${surfaces.graphql}, no credentials`,
  },
  {
    name: "MCP server card",
    url: `${baseUrl}${addresses.serverCard}`,
    note: `seven tools over JSON-RPC; POST to ${baseUrl}${surfaces.tools} with a bearer token`,
  },
  {
    name: "Access",
    url: `${baseUrl}${addresses.authMd}`,
    note: "what needs a token, and how to get one",
  },
  {
    name: "Agent skills",
    url: `${baseUrl}${addresses.skills}`,
    note: "how to search, compare, check stock and hand over a checkout link",
  },
  {
    name: "OpenAPI",
    url: `${baseUrl}${addresses.openApi}`,
    note: "every HTTP address, described for programs",
  },
  {
    name: "API catalog",
    url: `${baseUrl}${addresses.apiCatalog}`,
    note: "the machine-readable list of these interfaces",
  },
];

/** Builds the link to the agent sitemap. */
export const sitemapOf = (baseUrl: string): Interface => ({
  name: "Agent sitemap",
  url: `${baseUrl}${surfaces.sitemap}`,
  note: "every page as Markdown with the time of its last change, to decide what to fetch again",
});
