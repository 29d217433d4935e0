import type { PageLocation, RenderedPage } from "../../surfaces/markdown/document.ts";
import { toAscii } from "../../surfaces/markdown/escape.ts";
import type { Context } from "../context.ts";
import { strongEtag } from "../middleware/conditional.ts";

const markdownType = "text/markdown; charset=utf-8";

/** Usual estimate of characters per token. */
const charactersPerToken = 4;

export interface PageVariant {
  /** Set when Accept selected the variant, so that other clients may get another one at the same URL. */
  readonly negotiated: boolean;
}

/** Sends a page as Markdown with its validators, for `conditional`. */
export const sendPage = (ctx: Context, page: RenderedPage, { negotiated }: PageVariant): void => {
  if (negotiated) ctx.vary("Accept");
  // A cache that ignores Vary must not serve Markdown to a browser.
  ctx.set("Cache-Control", negotiated ? "private, no-cache" : "no-cache");
  ctx.append("Link", pageLinks(page, negotiated));
  setLastModified(ctx, page.lastModified);
  ctx.set("x-markdown-tokens", String(Math.ceil(page.markdown.length / charactersPerToken)));
  sendText(ctx, page.markdown, markdownType);
};

/** Links the page in the shop and, at a negotiated URL, its Markdown URL. */
export const pageLinks = (page: PageLocation, alternate: boolean): string[] => [
  `<${toAscii(page.canonical)}>; rel="canonical"`,
  ...(alternate ? [`<${toAscii(page.address)}>; rel="alternate"; type="text/markdown"`] : []),
];

/** @param time of an event, ISO 8601 */
export const setLastModified = (ctx: Context, time: string | undefined): void => {
  if (time) ctx.set("Last-Modified", new Date(time).toUTCString());
};

/** Bytes of a text with their strong ETag. */
export interface Representation {
  readonly bytes: Buffer;
  readonly etag: string;
}

export const withEtag = (text: string): Representation => {
  const bytes = Buffer.from(text);
  return { bytes, etag: strongEtag(bytes) };
};

/** Sends text with a strong ETag, for `conditional`. */
export const sendText = (ctx: Context, text: string, type: string): void =>
  sendRepresentation(ctx, withEtag(text), type);

/** Sends a representation that is shared by several responses. */
export const sendRepresentation = (
  ctx: Context,
  { bytes, etag }: Representation,
  type: string,
): void => {
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.set("ETag", etag);
  ctx.type = type;
  ctx.body = bytes;
};
