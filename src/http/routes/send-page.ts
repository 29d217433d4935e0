import type { PageLocation, Rendered } from "../../surfaces/markdown/document.ts";
import { ascii } from "../../surfaces/markdown/escape.ts";
import type { Context } from "../context.ts";
import { strongEtag } from "../middleware/conditional.ts";

const markdownType = "text/markdown; charset=utf-8";

/** Characters per token, as is usually reckoned. */
const charactersPerToken = 4;

export interface Variant {
  /** Whether Accept chose it, so that another client may be told something else at the same address. */
  readonly negotiated: boolean;
}

/** Sends a page as Markdown with its validators, for `conditional` before it. */
export const sendPage = (ctx: Context, page: Rendered, { negotiated }: Variant): void => {
  if (negotiated) ctx.vary("Accept");
  // A store on the way that heeds no Vary must not hand Markdown to a browser.
  ctx.set("Cache-Control", negotiated ? "private, no-cache" : "no-cache");
  ctx.append("Link", pageLinks(page, negotiated));
  setLastModified(ctx, page.lastModified);
  ctx.set("x-markdown-tokens", String(Math.ceil(page.markdown.length / charactersPerToken)));
  sendText(ctx, page.markdown, markdownType);
};

/** Where the page is at the shop; at the negotiated address also where its Markdown has one of its own. */
export const pageLinks = (page: PageLocation, alternate: boolean): string[] => [
  `<${ascii(page.canonical)}>; rel="canonical"`,
  ...(alternate ? [`<${ascii(page.address)}>; rel="alternate"; type="text/markdown"`] : []),
];

/** @param time ISO 8601, of an event */
export const setLastModified = (ctx: Context, time: string | undefined): void => {
  if (time) ctx.set("Last-Modified", new Date(time).toUTCString());
};

/** Bytes of a text, and their strong ETag. */
export interface Tagged {
  readonly bytes: Buffer;
  readonly etag: string;
}

export const tagged = (text: string): Tagged => {
  const bytes = Buffer.from(text);
  return { bytes, etag: strongEtag(bytes) };
};

/** Sends text with a strong ETag, for `conditional` before it. */
export const sendText = (ctx: Context, text: string, type: string): void =>
  sendTagged(ctx, tagged(text), type);

/** The same for a text that is sent more than once. */
export const sendTagged = (ctx: Context, { bytes, etag }: Tagged, type: string): void => {
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.set("ETag", etag);
  ctx.type = type;
  ctx.body = bytes;
};
