import { createHash } from "node:crypto";
import { parseUrl } from "../../text/parse-url.ts";

/** Maximum length of an unhashed path: LMDB rejects keys of 1,978 bytes, also in lookups. */
const maxPathBytes = 900;

/** Returns the key of a path and query: the text itself, or its SHA-256 when it is too long for a key. */
export const pathKey = (pathAndQuery: string): string =>
  Buffer.byteLength(pathAndQuery) <= maxPathBytes
    ? pathAndQuery
    : `sha256:${createHash("sha256").update(pathAndQuery).digest("base64url")}`;

/**
 * Returns the key of a URL's path and query.
 * @returns undefined when the URL cannot be parsed
 */
export const pathKeyOfUrl = (url: string): string | undefined => {
  const page = parseUrl(url);
  return page && pathKey(page.pathname + page.search);
};
