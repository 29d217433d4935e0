import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PolicyDocument } from "../../read-model/schema/documents.ts";
import { escapeInline, link } from "../../text/markdown/escape.ts";
import { pluralize } from "../format.ts";
import { markdownUrl } from "../markdown/url.ts";
import { type LinkEntry, sitemapLink } from "./interfaces.ts";

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
