import type { CurrentReader } from "../../read-model/reader/reader.ts";
import type { PageLocation } from "../../surfaces/markdown/document.ts";
import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";
import { conditional } from "../middleware/conditional.ts";
import { preflight } from "../middleware/cors.ts";
import { allowMethods } from "../middleware/method.ts";
import { sendUnavailable } from "../middleware/require-model.ts";
import { wantsMarkdown } from "../negotiation/markdown-or-html.ts";
import { addDiscoveryLinks } from "./discovery.ts";
import { findPage, type PageRequest } from "./page-lookup.ts";
import { locatePage, renderPage } from "./page-rendering.ts";
import { pageLinks, sendPage } from "./send-page.ts";

/**
 * Serves pages of the shop as Markdown (Specification §4.4) at all paths without a route: for `Accept:
 * text/markdown`, or with `.md` appended to the path. For HTML it answers 406 with the Markdown URL, because
 * only the shop serves HTML.
 */
export const pages = (reader: CurrentReader, baseUrl: string): readonly Middleware[] => [
  resolvePage(reader, baseUrl),
  preflight("any", methods),
  allowMethods(methods),
  conditional(),
  addDiscoveryLinks(baseUrl),
  servePage,
];

const methods = ["GET", "HEAD"];

/**
 * Finds the page of a URL, and answers 404 without one. The page is rendered in the same snapshot, but only
 * when method and Accept request it: rendering is most of the work, and 204, 405 and 406 do not need it.
 */
const resolvePage =
  (reader: CurrentReader, baseUrl: string): Middleware =>
  (ctx, next) => {
    const currentReader = reader();
    if (!currentReader) return sendUnavailable(ctx);
    const match = currentReader.snapshot((snapshot, readSet) => {
      const request = findPage(snapshot, ctx.url);
      if (!request) return undefined;
      const page = (isMarkdownRequested(ctx, request) ? renderPage : locatePage)(
        snapshot,
        baseUrl,
        request,
      );
      return page && { page, negotiated: !request.markdown, footprint: readSet };
    });
    // A 404 also depends on the model, so it carries its age.
    ctx.state.reader = currentReader;
    if (!match) return;
    ctx.state.readSet = match.footprint;
    ctx.state.route = "page";
    ctx.state.pageMatch = match;
    return next();
  };

/** Tests whether the Markdown is requested, with or without body. */
const isMarkdownRequested = (ctx: Context, { markdown }: PageRequest): boolean =>
  methods.includes(ctx.method) && (markdown || wantsMarkdown(ctx.get("Accept")));

const servePage: Middleware = (ctx) => {
  const { pageMatch: match } = ctx.state;
  if (!match) return;
  const { page, negotiated } = match;
  if (page === "bad_cursor") {
    return sendError(ctx, "bad_request", "after is not a cursor of this page: follow its links.");
  }
  if (!("markdown" in page)) return sendNotAcceptable(ctx, page);
  sendPage(ctx, page, { negotiated });
};

const sendNotAcceptable = (ctx: Context, page: PageLocation): void => {
  sendError(
    ctx,
    "not_acceptable",
    `This page is available as Markdown only: send Accept: text/markdown, or fetch ${page.address}`,
  );
  ctx.append("Link", pageLinks(page, true));
};
