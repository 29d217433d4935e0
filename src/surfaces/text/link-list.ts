import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PolicyDocument } from "../../read-model/schema/documents.ts";
import { counted } from "../markdown/document.ts";
import { inline, link } from "../markdown/escape.ts";
import { markdownAddress } from "../markdown/url.ts";
import { type Interface, sitemapOf } from "./interfaces.ts";

/** A file list of llmstxt.org: one link per line, with a note where there is something to say. */
export const fileList = (files: readonly Interface[]): string =>
  files
    .map(({ name, url, note }) => {
      const said = inline(note);
      return said ? `- ${link(name, url)}: ${said}` : `- ${link(name, url)}`;
    })
    .join("\n");

export const policyFiles = (policies: readonly PolicyDocument[], baseUrl: string): Interface[] =>
  policies.map(({ title, url, summary }) => ({
    name: title,
    url: markdownAddress(baseUrl, url),
    note: summary ?? "",
  }));

/** Categories an overview names, those nearest to the root first; the rest are found through them. */
const most = 100;

export const categoryFiles = (moment: Snapshot, baseUrl: string): Interface[] => {
  const { categories, total } = moment.nearestCategories(most);
  const files = categories.map(({ name, url, productCount }) => ({
    name,
    url: markdownAddress(baseUrl, url),
    // Those that hold only other categories would look empty.
    note: productCount === 0 ? "" : counted(productCount, "product"),
  }));
  const others = total - files.length;
  return others > 0 ? [...files, { ...sitemapOf(baseUrl), note: othersAreIn(others) }] : files;
};

const othersAreIn = (others: number): string =>
  `${counted(others, "more category", "more categories")}, also on the pages of the ones above`;
