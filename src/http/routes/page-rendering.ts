import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import type { Page, PageLocation } from "../../surfaces/markdown/document.ts";
import { shopPage } from "../../surfaces/markdown/page.ts";
import { buildPageLocation } from "../../surfaces/markdown/url.ts";
import type { Site } from "../../surfaces/site.ts";
import { homeLocation, overview } from "../../surfaces/text/overview.ts";
import type { PageRequest } from "./page-lookup.ts";

/**
 * Reads a page of the shop.
 * @returns `bad_cursor` when the cursor does not belong to the category, undefined when the page is not visible
 */
export const readPage = (
  snapshot: Snapshot,
  site: Site,
  { page, after }: PageRequest,
): Page | "bad_cursor" | undefined => {
  if (page.kind !== "home") return shopPage(snapshot, site.baseUrl, page, after);
  return after === undefined ? overview(snapshot, site) : undefined;
};

/**
 * Locates a page without reading all of it, at a fraction of the cost.
 * @returns undefined when the page is not visible
 */
export const locatePage = (
  snapshot: Snapshot,
  baseUrl: string,
  { page, after }: PageRequest,
): PageLocation | undefined => {
  if (after !== undefined && page.kind !== "category") return undefined;
  if (page.kind === "home") return homeLocation(snapshot, baseUrl);
  const document = getDocument(snapshot, page);
  return document && buildPageLocation(baseUrl, document.url, after);
};

const getDocument = (
  snapshot: Snapshot,
  { kind, id }: PageAddress,
): { readonly url: string } | undefined => {
  switch (kind) {
    case "product":
      return snapshot.product(id)?.text;
    case "category":
      return snapshot.category(id);
    case "page":
      return snapshot.page(id);
  }
};
