import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PolicyDocument } from "../../read-model/schema/documents.ts";
import { counted } from "../markdown/document.ts";
import { inline, link } from "../markdown/escape.ts";
import { markdownAddress } from "../markdown/url.ts";
import { type Interface, sitemapOf } from "./interfaces.ts";

/** Formats a file list of llmstxt.org: one link per line, with its note if it has one. */
export const fileList = (files: readonly Interface[]): string =>
  files
    .map(({ name, url, note }) => {
      const text = inline(note);
      return text ? `- ${link(name, url)}: ${text}` : `- ${link(name, url)}`;
    })
    .join("\n");

export const policyFiles = (policies: readonly PolicyDocument[], baseUrl: string): Interface[] =>
  policies.map(({ title, url, summary }) => ({
    name: title,
    url: markdownAddress(baseUrl, url),
    note: summary ?? "",
  }));

/** Maximum categories in an overview, nearest to the root first. A client finds the others through them. */
const maxCategories = 100;

export const categoryFiles = (snapshot: Snapshot, baseUrl: string): Interface[] => {
  const { categories, total } = snapshot.nearestCategories(maxCategories);
  const files = categories.map(({ name, url, productCount }) => ({
    name,
    url: markdownAddress(baseUrl, url),
    // Omits "0 products", because a category that holds only other categories would look empty.
    note: productCount === 0 ? "" : counted(productCount, "product"),
  }));
  const others = total - files.length;
  return others > 0 ? [...files, { ...sitemapOf(baseUrl), note: formatOthers(others) }] : files;
};

const formatOthers = (others: number): string =>
  `${counted(others, "more category", "more categories")}, also on the pages of the ones above`;
