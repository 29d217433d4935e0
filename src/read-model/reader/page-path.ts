import { createHash } from "node:crypto";
import { webAddress } from "../../text/parse-url.ts";

/** Longest address kept as it is, in bytes: LMDB refuses keys of 1,978 bytes, even to look them up. */
const longest = 900;

/** The key of a page by its path and query: the text itself, or its SHA-256 when it is too long for a key. */
export const addressKey = (pathAndQuery: string): string =>
  Buffer.byteLength(pathAndQuery) <= longest
    ? pathAndQuery
    : `sha256:${createHash("sha256").update(pathAndQuery).digest("base64url")}`;

/** The path and query a page's URL is found by; undefined when the URL cannot be parsed. */
export const addressOf = (url: string): string | undefined => {
  const page = webAddress(url);
  return page && addressKey(page.pathname + page.search);
};
