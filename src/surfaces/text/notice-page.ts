import { escapeHtml } from "../../text/escape-html.ts";
import { escapeUrl } from "../../text/markdown/escape.ts";
import type { PageLocation } from "../markdown/document.ts";
import { type HtmlPage, renderHtmlPage } from "./html-page.ts";

/** Renders what a person sees who opens the address of a page of the shop. */
export const pageNotice = ({ canonical, address }: PageLocation): HtmlPage =>
  notice(
    "This page is in the shop",
    `People read ${link(canonical, "this page in the shop")}. This service gives agents the same page as ${link(address, "Markdown")}.`,
  );

/** Renders what a person sees who opens the address of the tools. */
export const toolsNotice = (baseUrl: string): HtmlPage =>
  notice(
    "Tools for agents",
    `An agent calls this address with POST, by the Model Context Protocol. ${link(`${baseUrl}/`, "How to connect one")}.`,
  );

const notice = (title: string, text: string): HtmlPage =>
  renderHtmlPage({
    title,
    main: `<p class="kicker">Read-only data for agents</p>
<h1>${title}</h1>
<p>${text}</p>`,
  });

const link = (url: string, text: string): string =>
  `<a href="${escapeHtml(escapeUrl(url))}">${text}</a>`;
