import { buildId } from "../../package-info.ts";
import { memoizeLast } from "../../platform/memo.ts";
import type { Page, PageLocation } from "../../surfaces/markdown/document.ts";
import { toAscii } from "../../text/markdown/escape.ts";
import type { Exchange } from "../exchange.ts";
import type { Reply, ReplyHead } from "../reply.ts";
import { replyUnchanged, strongEtag } from "../representation/conditional.ts";

export const markdownType = "text/markdown; charset=utf-8";

/** Usual estimate of characters per token. */
const charactersPerToken = 4;

interface PageVariant {
  /** Set when Accept selected the variant, so that other clients may get another one at the same URL. */
  readonly negotiated: boolean;
}

/**
 * Builds the reply of a page as Markdown, with its validators. The Markdown is not rendered for a client that has it. The reply to HEAD
 * needs it, for the number of its bytes and of its tokens.
 */
export const pageReply = (exchange: Exchange, page: Page, { negotiated }: PageVariant): Reply => {
  const head = {
    type: markdownType,
    etag: pageEtag(page),
    vary: negotiated ? "Accept" : undefined,
    publicFor: negotiated ? undefined : 0,
    headers: [
      // A cache that ignores Vary must not serve Markdown to a browser.
      ...(negotiated ? ["Cache-Control", "private, no-cache"] : []),
      ...["Link", pageLinks(page, negotiated)],
      ...lastModified(page.lastModified),
    ],
  };
  return replyUnchanged(exchange, head) ?? renderReply(page, head);
};

const renderReply = (page: Page, { type, etag, vary, publicFor, headers }: ReplyHead): Reply => {
  const markdown = page.markdown();
  const tokens = Math.ceil(markdown.length / charactersPerToken);
  return {
    status: 200,
    body: Buffer.from(markdown),
    type,
    etag,
    vary,
    publicFor,
    headers: [...(headers ?? []), "X-Markdown-Tokens", String(tokens)],
  };
};

/** Computes a strong validator of a page. Another build of this program may render the same data in another way. */
const pageEtag = (page: Page): string => strongEtag(`${buildId} ${page.version()}`);

/** Links the page in the shop and, at a negotiated URL, its Markdown URL. */
export const pageLinks = ({ canonical, address }: PageLocation, alternate: boolean): string =>
  alternate
    ? `<${toAscii(canonical)}>; rel="canonical", <${toAscii(address)}>; rel="alternate"; type="text/markdown"`
    : `<${toAscii(canonical)}>; rel="canonical"`;

/** @param time of an event, ISO 8601 */
export const lastModified = (time: string | undefined): readonly string[] =>
  time === undefined ? [] : ["Last-Modified", toHttpDate(time)];

const toHttpDate = memoizeLast((time: string) => new Date(time).toUTCString());

/** Bytes of a text with their strong ETag. */
export interface Representation {
  readonly body: Buffer;
  readonly etag: string;
}

export const withEtag = (text: string): Representation => {
  const body = Buffer.from(text);
  return { body, etag: strongEtag(body) };
};

export const textReply = (
  text: string,
  type: string,
  reply: Pick<Reply, "headers" | "vary" | "publicFor" | "madeFrom">,
): Reply => representationReply(withEtag(text), type, reply);

export const representationReply = (
  { body, etag }: Representation,
  type: string,
  reply: Pick<Reply, "headers" | "vary" | "forms" | "isShared" | "publicFor" | "madeFrom">,
): Reply => ({
  ...reply,
  status: 200,
  body,
  etag,
  type,
});
