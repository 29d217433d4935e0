import type { Snapshot } from "../../read-model/reader/reader.ts";
import { escapeHtml } from "../../text/escape-html.ts";
import { escapeUrl } from "../../text/markdown/escape.ts";
import { connectHtml, copyScript } from "../connect/html.ts";
import { pluralize } from "../format.ts";
import { readShopInfo } from "../shop-info.ts";
import type { Site } from "../site.ts";
import { type HtmlPage, renderHtmlPage } from "./html-page.ts";
import { interfaceLinks, type LinkEntry, llmsLink, sitemapLink } from "./links.ts";

/**
 * Creates the HTML page at `/` for people: the shop's name, and URLs for programs. It loads no files, and its only
 * script copies a snippet.
 */
export const createHomePage = (site: Site): ((snapshot: Snapshot) => HtmlPage) => {
  const { baseUrl } = site;
  const links = [...humanLinks(baseUrl), ...interfaceLinks(site), sitemapLink(baseUrl)];
  const items = links.map(formatItem).join("\n");
  const connect = connectHtml(site);
  return (snapshot) => {
    const shop = readShopInfo(snapshot, baseUrl);
    const name = escapeHtml(shop.name);
    return renderHtmlPage({
      title: `${name} for agents`,
      head: `<link rel="alternate" type="text/markdown" href="${escapeHtml(baseUrl)}/index.md">\n`,
      main: `<p class="kicker">Read-only data for agents</p>
<h1>${name}</h1>
<p>${pluralize(shop.productCount, "product")} in ${pluralize(shop.categoryCount, "category", "categories")}, prices in ${escapeHtml(shop.currency)}. To browse and buy, go to <a href="${escapeHtml(escapeUrl(shop.url))}">the shop</a>; the addresses below are for programs.</p>
<ul>
${items}
</ul>
${connect}
<p class="foot">Every product, category and page also answers with <code>.md</code> appended to its path, or to <code>Accept: text/markdown</code>. Nothing here can be written, ordered or paid.</p>`,
      script: copyScript,
    });
  };
};

const humanLinks = (baseUrl: string): readonly LinkEntry[] => [
  { name: "GraphiQL", url: `${baseUrl}/graphql`, note: "try GraphQL queries in the browser" },
  { name: "Store overview", url: `${baseUrl}/index.md`, note: "the shop on one page of Markdown" },
  llmsLink(baseUrl),
];

const formatItem = ({ name, url, note }: LinkEntry): string =>
  `<li><a href="${escapeHtml(url)}">${escapeHtml(name)}</a><span>${escapeHtml(note)}</span></li>`;
