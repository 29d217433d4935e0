import { markdownPath } from "../../text/markdown/markdown-path.ts";
import type { PageLocation } from "./document.ts";

/**
 * Builds the URL of a page's Markdown at this service.
 * @param baseUrl the service's own URL, without a trailing slash
 * @param url the page's URL at the shop
 */
export const markdownUrl = (baseUrl: string, url: string): string =>
  `${baseUrl}${markdownPath(url)}`;

/**
 * Builds the URLs of a page of the shop, or of a further page of a category.
 * @param after cursor of the further page
 */
export const buildPageLocation = (baseUrl: string, url: string, after?: string): PageLocation => {
  const address = markdownUrl(baseUrl, url);
  return { canonical: url, address: after ? nextPageUrl(address, after) : address };
};

/** Builds the URL of a category's further page. */
export const nextPageUrl = (address: string, after: string): string =>
  `${address}${address.includes("?") ? "&" : "?"}after=${after}`;
