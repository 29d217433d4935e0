import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PolicyDocument } from "../../read-model/schema/documents.ts";
import { escapeInline, link } from "../../text/markdown/escape.ts";
import { skillPath } from "../discovery/document.ts";
import { pluralize } from "../format.ts";
import { markdownUrl } from "../markdown/url.ts";
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
  const { graphql, schema, tools, research, changes, ucp } = surfacePaths;
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
      "Change feed",
      skillPath("keep-a-mirror"),
      `how to keep a copy of the shop; begin with ${baseUrl}${changes}?since=start, no credentials`,
    ),
    link(
      "UCP profile",
      documentPaths.ucpProfile,
      `the catalogue in the words of UCP, for shopping agents; POST to ${baseUrl}${ucp}/catalog/search, no credentials`,
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
      "how to search, compare, check stock, keep a copy and hand over a checkout link",
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

/**
 * Formats a file list of llmstxt.org: one link per line, with its note if it has one. Small readers of the format end a name at
 * the first `]`, escaped or not, so that round brackets replace square ones.
 */
export const fileList = (files: readonly LinkEntry[]): string =>
  files
    .map(({ name, url, note }) => {
      const text = escapeInline(note);
      const item = `- ${link(name.replace(/\[/g, "(").replace(/\]/g, ")"), url)}`;
      return text ? `${item}: ${text}` : item;
    })
    .join("\n");

export const policyLinks = (policies: readonly PolicyDocument[], baseUrl: string): LinkEntry[] =>
  policies.map(({ title, url, summary }) => ({
    name: title,
    url: markdownUrl(baseUrl, url),
    note: summary ?? "",
  }));

/** Maximum categories in an overview, nearest to the root first. A client finds the others through them. */
const maxCategories = 100;

export const categoryLinks = (snapshot: Snapshot, baseUrl: string): LinkEntry[] => {
  const { categories, total } = snapshot.topCategories(maxCategories);
  const files = categories.map(({ name, url, productCount }) => ({
    name,
    url: markdownUrl(baseUrl, url),
    // Omits "0 products", because a category that holds only other categories would look empty.
    note: productCount === 0 ? "" : pluralize(productCount, "product"),
  }));
  const others = total - files.length;
  return others > 0 ? [...files, { ...sitemapLink(baseUrl), note: formatOthers(others) }] : files;
};

const formatOthers = (others: number): string =>
  `${pluralize(others, "more category", "more categories")}, also on the pages of the ones above`;
