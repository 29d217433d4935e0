import { decodeUnreserved } from "../normalize-url.ts";

/** Normal form of paths and robots.txt patterns, independent of their spelling. */

/**
 * Percent-encodes what a URL always, sometimes or never encodes, and decodes equivalent escapes (RFC 9309
 * §2.2.2). The result contains nothing left to encode for robots-parser (patterns) or `URL` (paths).
 */
export const normalizePath = (text: string): string =>
  decodeUnreserved(text.toWellFormed().replace(/[^!#-&(-;=?-Z_a-z~]+/g, percentEncode)).replace(
    /%2[89]/g,
    decodeURIComponent,
  );

const percentEncode = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27");

/**
 * Also escapes the special characters of patterns, for a path that contains them literally (RFC 9309 §2.2.3).
 */
export const escapePattern = (text: string): string =>
  normalizePath(text).replaceAll("*", "%2A").replaceAll("$", "%24");
