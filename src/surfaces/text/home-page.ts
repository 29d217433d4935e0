import { createHash } from "node:crypto";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import { escapeHtml } from "../../text/escape-html.ts";
import { escapeUrl } from "../../text/markdown/escape.ts";
import { connectHtml, copyScript, copyScriptSource } from "../connect/html.ts";
import { pluralize } from "../format.ts";
import { readShopInfo } from "../shop-info.ts";
import type { Site } from "../site.ts";
import { interfaceLinks, type LinkEntry, sitemapLink } from "./interfaces.ts";

export interface HomePage {
  readonly text: string;
  /** Allows the page's inline style and script only. */
  readonly contentSecurityPolicy: string;
}

/**
 * Renders the HTML page at `/` for people: the shop's name, and URLs for programs. It loads no files, and its only
 * script copies a snippet.
 */
export const renderHomePage = (snapshot: Snapshot, site: Site): HomePage => {
  const { baseUrl } = site;
  const shop = readShopInfo(snapshot, baseUrl);
  const name = escapeHtml(shop.name);
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} for agents</title>
<link rel="alternate" type="text/markdown" href="${escapeHtml(baseUrl)}/index.md">
<style>${style}</style>
</head>
<body>
<main>
<p class="kicker">Read-only data for agents</p>
<h1>${name}</h1>
<p>${pluralize(shop.productCount, "product")} in ${pluralize(shop.categoryCount, "category", "categories")}, prices in ${escapeHtml(shop.currency)}. To browse and buy, go to <a href="${escapeHtml(escapeUrl(shop.url))}">the shop</a>; the addresses below are for programs.</p>
<ul>
${[...humanLinks(baseUrl), ...interfaceLinks(site), sitemapLink(baseUrl)].map(formatItem).join("\n")}
</ul>
${connectHtml(site)}
<p class="foot">Every product, category and page also answers with <code>.md</code> appended to its path, or to <code>Accept: text/markdown</code>. Nothing here can be written, ordered or paid.</p>
</main>
<script>${copyScript}</script>
</body>
</html>
`;
  return { text, contentSecurityPolicy };
};

const humanLinks = (baseUrl: string): readonly LinkEntry[] => [
  { name: "GraphiQL", url: `${baseUrl}/graphql`, note: "try GraphQL queries in the browser" },
  { name: "Store overview", url: `${baseUrl}/index.md`, note: "the shop on one page of Markdown" },
  { name: "llms.txt", url: `${baseUrl}/llms.txt`, note: "an overview for language models" },
];

const formatItem = ({ name, url, note }: LinkEntry): string =>
  `<li><a href="${escapeHtml(url)}">${escapeHtml(name)}</a><span>${escapeHtml(note)}</span></li>`;

const style = `
:root{color-scheme:light dark;--ink:#1d2327;--soft:#59636b;--paper:#fbfaf7;--line:#dedad1;--link:#0b5c8a}
@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--soft:#a3abb1;--paper:#16191c;--line:#33393e;--link:#7cc4ee}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
main{max-width:42rem;margin:0 auto;padding:clamp(1.5rem,6vw,4rem) 1.25rem}
h1{margin:.1em 0 .5em;font-size:clamp(1.7rem,6vw,2.4rem);line-height:1.15;overflow-wrap:anywhere}
.kicker,.foot,li span{color:var(--soft)}
.kicker{margin:0;font-size:.85rem;letter-spacing:.06em;text-transform:uppercase}
ul{list-style:none;margin:2rem 0;padding:0;border-top:1px solid var(--line)}
li{padding:.7rem 0;border-bottom:1px solid var(--line)}
li a{display:inline-block;font-weight:600}
li span{display:block;font-size:.925rem;overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible{outline:2px solid currentColor;outline-offset:3px}
code{font-size:.9em}
h2{margin:2.5rem 0 .5rem;font-size:1.25rem}
details{border-top:1px solid var(--line);padding:.6rem 0}
summary{font-weight:600;cursor:pointer}
summary:focus-visible,button:focus-visible,pre:focus-visible{outline:2px solid currentColor;outline-offset:3px}
.snippet{position:relative}
pre{margin:0;padding:.8rem 5.5rem .8rem .8rem;white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.3rem;line-height:1.45}
button{position:absolute;top:.4rem;right:.4rem;padding:.3rem .6rem;border:1px solid var(--line);border-radius:.3rem;background:var(--paper);color:var(--link);font:inherit;font-size:.85rem;cursor:pointer}
.foot{font-size:.925rem}
`;

const styleHash = createHash("sha256").update(style).digest("base64");

const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; script-src ${copyScriptSource}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
