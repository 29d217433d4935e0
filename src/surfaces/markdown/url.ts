import { webAddress } from "../../text/parse-url.ts";
import type { PageLocation } from "./document.ts";

/**
 * Where this service shows a page of the shop as Markdown: the page's path with `.md` appended, then its query
 * (§1, table 1).
 * @param baseUrl the service's own address, without a slash at the end
 * @param url the page's address at the shop
 */
export const markdownAddress = (baseUrl: string, url: string): string => {
  const page = webAddress(url);
  return page ? `${baseUrl}${page.pathname}.md${page.search}` : `${baseUrl}/`;
};

/**
 * Locates a page of the shop, or a further page of a category.
 * @param after the cursor of the further page
 */
export const locationOf = (baseUrl: string, url: string, after?: string): PageLocation => {
  const address = markdownAddress(baseUrl, url);
  return { canonical: url, address: after ? following(address, after) : address };
};

/** The address of a category's further page. */
export const following = (address: string, after: string): string =>
  `${address}${address.includes("?") ? "&" : "?"}after=${after}`;
