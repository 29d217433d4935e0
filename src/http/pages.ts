import type { CurrentReader, Snapshot } from "../read-model/reader.ts";
import { categoryPage } from "../surfaces/markdown/category.ts";
import { contentPage } from "../surfaces/markdown/page.ts";
import { productPage } from "../surfaces/markdown/product.ts";
import type { Rendered } from "../surfaces/markdown/rendered.ts";
import { overview } from "../surfaces/text/overview.ts";
import type { Context, Step } from "./context.ts";
import { openToAnyPage, preflight } from "./cors.ts";
import { links } from "./discovery.ts";
import { conditional } from "./etag.ts";
import { method } from "./method.ts";
import { wantsMarkdown } from "./negotiate.ts";
import { type Asked, findPage } from "./pages-find.ts";
import { pageLinks, sendPage } from "./pages-send.ts";
import { notReady } from "./ready.ts";
import { refuse } from "./refuse.ts";

/**
 * Pages of the shop as Markdown (§4.4), at any path no route has: by `Accept: text/markdown`, or with `.md` appended
 * to the path. A page asked for as HTML is the shop's business: 406, naming the Markdown address.
 */
export const pages = (reader: CurrentReader, baseUrl: string): readonly Step[] => {
  const methods = ["GET", "HEAD"];
  return [
    find(reader, baseUrl),
    openToAnyPage(),
    preflight(methods),
    method(methods),
    conditional(),
    links(baseUrl),
    show,
  ];
};

/** Ends here, as an address nothing answers at, where no page is. */
const find =
  (reader: CurrentReader, baseUrl: string): Step =>
  (ctx, next) => {
    const current = reader();
    if (!current) return notReady(ctx);
    const found = current.snapshot((moment, footprint) => {
      const asked = findPage(moment, ctx.url);
      const page = asked && render(moment, baseUrl, asked);
      return asked && page ? { page, negotiated: !asked.markdown, footprint } : undefined;
    });
    // That no page is here is told of the model too.
    ctx.state.reader = current;
    if (!found) return;
    ctx.state.footprint = found.footprint;
    ctx.state.route = "page";
    ctx.state.found = found;
    return next();
  };

/** What `find` leaves for the step that shows it. */
export interface Found {
  readonly page: Rendered | "bad_cursor";
  /** Whether Accept decides; a `.md` address heeds none. */
  readonly negotiated: boolean;
}

const render = (
  moment: Snapshot,
  baseUrl: string,
  { page, after }: Asked,
): Rendered | "bad_cursor" | undefined => {
  if (page.kind === "category") return categoryPage(moment, baseUrl, page.id, after);
  // Only categories have further pages.
  if (after !== undefined) return undefined;
  if (page.kind === "home") return overview(moment, baseUrl);
  return (page.kind === "product" ? productPage : contentPage)(moment, baseUrl, page.id);
};

const show: Step = (ctx) => {
  const { found } = ctx.state;
  if (!found) return;
  const { page, negotiated } = found;
  if (page === "bad_cursor") {
    return refuse(ctx, "bad_request", "after is no cursor of this page: follow its links.");
  }
  if (negotiated && !wantsMarkdown(ctx.get("Accept"))) return refuseHtml(ctx, page);
  sendPage(ctx, page, { negotiated });
};

const refuseHtml = (ctx: Context, page: Rendered): void => {
  refuse(
    ctx,
    "not_acceptable",
    `This page is here as Markdown only: send Accept: text/markdown, or fetch ${page.address}`,
  );
  ctx.append("Link", pageLinks(page, true));
};
