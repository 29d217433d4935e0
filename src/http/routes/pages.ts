import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import type { Page, PageLocation } from "../../surfaces/markdown/document.ts";
import { shopPage } from "../../surfaces/markdown/page.ts";
import { buildPageLocation } from "../../surfaces/markdown/url.ts";
import type { Site } from "../../surfaces/site.ts";
import { pageNotice } from "../../surfaces/text/notice-page.ts";
import { homeLocation, overview } from "../../surfaces/text/overview.ts";
import { cacheReads, type ResponseCache } from "../cache/response-cache.ts";
import { errorReply, notFound, withNotice } from "../error-reply.ts";
import { type Exchange, getHeader, type Handler, type HasModel, type Layer } from "../exchange.ts";
import { allowOrigins, answerPreflight } from "../middleware/cors.ts";
import { requireModel } from "../middleware/requirements.ts";
import { commonHeaders } from "../middleware/sunset.ts";
import { wantsMarkdown } from "../negotiation/markdown-or-html.ts";
import type { Reply } from "../reply.ts";
import { conditional } from "../representation/conditional.ts";
import { type ComposedRoute, checkMethod, type OuterLayers } from "../route.ts";
import { admissionControl, type WorkQueue } from "../scheduling/work-queue.ts";
import { findPage, type PageRequest } from "./page-lookup.ts";
import { pageLinks, pageReply } from "./page-reply.ts";

interface PagesOptions {
  readonly site: Site;
  readonly queue: WorkQueue;
  readonly cache: ResponseCache;
  readonly compress: Layer;
}

/** Composes the route of all paths that are not in the table. Metrics call it `unknown` when no page is there. */
export const composePages = (
  { guard, admit }: OuterLayers,
  { site, queue, cache, compress }: PagesOptions,
): ComposedRoute => {
  const answer = requireModel(conditional(pages(site)));
  const cached = compress(cacheReads(cache)(admissionControl(queue)(answer)));
  return {
    name: "unknown",
    path: "",
    headers: commonHeaders(undefined),
    handler: guard(allowOrigins("any")(admit(cached))),
  };
};

const methods = ["GET", "HEAD"];
const preflight = answerPreflight("any", methods);

/**
 * Serves pages of the shop as Markdown (Specification §4.4) at all paths without a route: for `Accept:
 * text/markdown`, or with `.md` appended to the path. For HTML it answers 406 with the Markdown URL, because
 * only the shop serves HTML. A URL without a page is answered 404, for every method.
 */
const pages =
  (site: Site): Handler<HasModel> =>
  (exchange) => {
    const { model, target } = exchange;
    return model.snapshot((snapshot, readSet) => {
      const request = findPage(snapshot, target);
      const reply = request && answerPage(snapshot, site, exchange, request);
      if (!reply) return { madeFrom: readSet, ...notFound(exchange) };
      exchange.route = "page";
      return { madeFrom: readSet, validity: readSet && { reader: model, readSet }, ...reply };
    });
  };

/** @returns undefined when the page is not visible */
const answerPage = (
  snapshot: Snapshot,
  site: Site,
  exchange: Exchange,
  request: PageRequest,
): Reply | undefined => {
  const isRead = methods.includes(exchange.method);
  const isMarkdown = request.markdown || wantsMarkdown(getHeader(exchange, "accept"));
  if (!isRead || !isMarkdown) {
    const location = locatePage(snapshot, site.baseUrl, request);
    return (
      location &&
      (preflight(exchange) ?? checkMethod(exchange, methods) ?? notAcceptable(exchange, location))
    );
  }
  const page = readPage(snapshot, site, request);
  if (page === "bad_cursor") {
    const message = "after is not a cursor of this page: follow its links.";
    return errorReply(exchange, "bad_request", message);
  }
  return page && pageReply(exchange, page, { negotiated: !request.markdown });
};

const notAcceptable = (exchange: Exchange, page: PageLocation): Reply => {
  const message = `This page is available as Markdown only: send Accept: text/markdown, or fetch ${page.address}`;
  const headers = ["Link", pageLinks(page, true)];
  const reply = errorReply(exchange, "not_acceptable", message, { headers });
  return withNotice(exchange, reply, () => pageNotice(page));
};

/**
 * Reads a page of the shop.
 * @returns `bad_cursor` when the cursor does not belong to the category, undefined when the page is not visible
 */
const readPage = (
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
const locatePage = (
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
