import { hash } from "node:crypto";
import { errorReply } from "../error-reply.ts";
import { after, type Exchange, getHeader, type Layer } from "../exchange.ts";
import type { Reply, ReplyHead } from "../reply.ts";
import {
  addEncodingVary,
  encodedEtag,
  isCompressible,
  selectEncoding,
  stripEncoding,
} from "./compression.ts";

/** Computes a strong validator: equal ETags mean equal bytes. */
export const strongEtag = (bytes: Uint8Array | string): string =>
  `"${hash("sha256", bytes, "base64url").slice(0, 27)}"`;

/**
 * Answers 304 without body when the client already has the reply, and 412 when its precondition does not hold.
 * `Cache-Control: no-cache` of a request does not matter: clients send it with If-None-Match, and it
 * addresses caches on the way.
 */
export const conditional: Layer = (next) => (exchange) =>
  after(next(exchange), (reply) => {
    if (reply.status !== 200 || (exchange.method !== "GET" && exchange.method !== "HEAD"))
      return reply;
    if (!preconditionsHold(exchange, reply))
      return errorReply(exchange, "precondition_failed", conditionFailed);
    const etag = findMatch(exchange, reply);
    return etag === undefined ? reply : notModified(reply, etag);
  });

/**
 * Answers 304 before a body is rendered, when the client states with its ETags alone that it has the reply. Other preconditions
 * are left to `conditional`. The body may be long enough to be compressed, so the reply varies by encoding.
 */
export const replyUnchanged = (exchange: Exchange, head: ReplyHead): Reply | undefined => {
  const hasPreconditions =
    getHeader(exchange, "if-match") !== "" || getHeader(exchange, "if-unmodified-since") !== "";
  const etag = hasPreconditions ? undefined : findTag(exchange, head.etag);
  return etag === undefined
    ? undefined
    : addEncodingVary({ ...head, status: 304, body: null, etag });
};

const conditionFailed = "The current version does not meet If-Match or If-Unmodified-Since.";

/** @param etag of the client's copy, which may be compressed */
const notModified = (reply: Reply, etag: string): Reply => ({
  ...(isCompressible(reply) ? addEncodingVary(reply) : reply),
  status: 304,
  body: null,
  etag,
});

/**
 * Evaluates If-Match with the strong comparison, and If-Unmodified-Since only without If-Match (RFC 9110
 * §13.1.1, §13.1.4).
 */
const preconditionsHold = (exchange: Exchange, { etag, headers = [] }: Reply): boolean => {
  const tags = getHeader(exchange, "if-match");
  if (tags !== "")
    return tags.trim() === "*" || parseTags(tags).some((tag) => stripEncoding(tag) === etag);
  const unmodifiedSince = getHeader(exchange, "if-unmodified-since");
  if (unmodifiedSince === "") return true;
  const modified = headers[headers.indexOf("Last-Modified") + 1] ?? "";
  return !(Date.parse(modified) > Date.parse(unmodifiedSince));
};

/**
 * Finds the ETag of the client's copy, compressed or not, in If-None-Match. It compares weakly (RFC 9110 §8.8.3.2): a `W/`
 * prefix is ignored. `If-Modified-Since` is ignored, because two events in one second, or a late one, change the reply and
 * not its date.
 */
const findMatch = (exchange: Exchange, reply: Reply): string | undefined => {
  const { etag } = reply;
  if (etag !== undefined && getHeader(exchange, "if-none-match").trim() === "*")
    return encodedEtag(etag, selectEncoding(exchange, reply));
  return findTag(exchange, etag);
};

const findTag = (exchange: Exchange, etag: string | undefined): string | undefined => {
  const ifNoneMatch = getHeader(exchange, "if-none-match");
  if (ifNoneMatch === "" || etag === undefined) return undefined;
  return parseTags(ifNoneMatch)
    .map((tag) => tag.replace(/^W\//, ""))
    .find((tag) => stripEncoding(tag) === etag);
};

const parseTags = (list: string): readonly string[] =>
  list
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);
