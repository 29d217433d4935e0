import { webAddress } from "../../web-address.ts";

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
