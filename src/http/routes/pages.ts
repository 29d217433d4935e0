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
  find(reader, baseUrl),
  preflight(methods),
  method(methods),
  conditional(),
  links(baseUrl),
  show,
];

const methods = ["GET", "HEAD"];

/**
 * Ends here, as an address nothing answers at, where no page is. Renders the page in the same snapshot where method and
 * Accept ask for it; rendering is most of the work, and 204, 405 and 406 need none.
 */
const find =
  (reader: CurrentReader, baseUrl: string): Step =>
  (ctx, next) => {
    const current = reader();
    if (!current) return notReady(ctx);
    const found = current.snapshot((moment, footprint) => {
      const asked = findPage(moment, ctx.url);
      if (!asked) return undefined;
      const page = (isWanted(ctx, asked) ? renderPage : locatePage)(moment, baseUrl, asked);
      return page && { page, negotiated: !asked.markdown, footprint };
    });
    // That no page is here is told of the model too.
    ctx.state.reader = current;
    if (!found) return;
    ctx.state.footprint = found.footprint;
    ctx.state.route = "page";
    ctx.state.found = found;
    return next();
  };

/** Whether a page is sent, with or without its body. */
const isWanted = (ctx: Context, { markdown }: Asked): boolean =>
  methods.includes(ctx.method) && (markdown || wantsMarkdown(ctx.get("Accept")));

/** What `find` leaves for the step that shows it. */
export interface Found {
  /** Only its location where it is not wanted as Markdown. */
  readonly page: Rendered | PageLocation | "bad_cursor";
  /** Whether Accept decides; a `.md` address heeds none. */
  readonly negotiated: boolean;
}

const show: Step = (ctx) => {
  const { found } = ctx.state;
  if (!found) return;
  const { page, negotiated } = found;
  if (page === "bad_cursor") {
    return refuse(ctx, "bad_request", "after is no cursor of this page: follow its links.");
  }
  if (!("markdown" in page)) return refuseHtml(ctx, page);
  sendPage(ctx, page, { negotiated });
};

const refuseHtml = (ctx: Context, page: PageLocation): void => {
  refuse(
    ctx,
    "not_acceptable",
    `This page is here as Markdown only: send Accept: text/markdown, or fetch ${page.address}`,
  );
  ctx.append("Link", pageLinks(page, true));
};
