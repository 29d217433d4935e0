import type { CurrentReader } from "../../read-model/reader/reader.ts";
import type { PageLocation, Rendered } from "../../surfaces/markdown/document.ts";
import type { Context, Step } from "../context.ts";
import { refuse } from "../error-response.ts";
import { conditional } from "../middleware/conditional.ts";
import { preflight } from "../middleware/cors.ts";
import { method } from "../middleware/method.ts";
import { notReady } from "../middleware/require-model.ts";
import { wantsMarkdown } from "../negotiation/markdown-or-html.ts";
import { links } from "./discovery.ts";
import { type Asked, findPage } from "./page-lookup.ts";
import { locatePage, renderPage } from "./page-rendering.ts";
import { pageLinks, sendPage } from "./send-page.ts";

/**
 * Pages of the shop as Markdown (§4.4), at any path no route has: by `Accept: text/markdown`, or with `.md` appended
 * to the path. A page asked for as HTML is the shop's business: 406, naming the Markdown address.
 */
export const pages = (reader: CurrentReader, baseUrl: string): readonly Step[] => [
  resolvePage(reader, baseUrl),
  preflight(methods),
  method(methods),
  conditional(),
  links(baseUrl),
  servePage,
];

const methods = ["GET", "HEAD"];

/**
 * Ends here, as an address nothing answers at, where no page is. Renders the page in the same snapshot where method and
 * Accept ask for it; rendering is most of the work, and 204, 405 and 406 need none.
 */
const resolvePage =
  (reader: CurrentReader, baseUrl: string): Step =>
  (ctx, next) => {
    const currentReader = reader();
    if (!currentReader) return notReady(ctx);
    const match = currentReader.snapshot((snapshot, readSetCheck) => {
      const request = findPage(snapshot, ctx.url);
      if (!request) return undefined;
      const page = (isMarkdownRequested(ctx, request) ? renderPage : locatePage)(
        snapshot,
        baseUrl,
        request,
      );
      return page && { page, negotiated: !request.markdown, footprint: readSetCheck };
    });
    // That no page is here is told of the model too.
    ctx.state.reader = currentReader;
    if (!match) return;
    ctx.state.footprint = match.footprint;
    ctx.state.route = "page";
    ctx.state.found = match;
    return next();
  };

/** Whether a page is sent, with or without its body. */
const isMarkdownRequested = (ctx: Context, { markdown }: Asked): boolean =>
  methods.includes(ctx.method) && (markdown || wantsMarkdown(ctx.get("Accept")));

/** What `find` leaves for the step that shows it. */
export interface Found {
  /** Only its location where it is not wanted as Markdown. */
  readonly page: Rendered | PageLocation | "bad_cursor";
  /** Whether Accept decides; a `.md` address heeds none. */
  readonly negotiated: boolean;
}

const servePage: Step = (ctx) => {
  const { found: match } = ctx.state;
  if (!match) return;
  const { page, negotiated } = match;
  if (page === "bad_cursor") {
    return refuse(ctx, "bad_request", "after is no cursor of this page: follow its links.");
  }
  if (!("markdown" in page)) return sendNotAcceptable(ctx, page);
  sendPage(ctx, page, { negotiated });
};

const sendNotAcceptable = (ctx: Context, page: PageLocation): void => {
  refuse(
    ctx,
    "not_acceptable",
    `This page is here as Markdown only: send Accept: text/markdown, or fetch ${page.address}`,
  );
  ctx.append("Link", pageLinks(page, true));
};
