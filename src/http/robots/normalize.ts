import { plain } from "../middleware/normalize-url.ts";

/** Paths and the patterns of a robots.txt in one spelling, whichever they were sent or written in. */

/**
 * What an address always encodes, sometimes or never, encoded; what means the same either way, not (RFC 9309, 2.2.2). The
 * package encodes what is left of it in patterns, and `URL` in paths: neither finds anything here.
 */
export const encoded = (text: string): string =>
  plain(text.toWellFormed().replace(/[^!#-&(-;=?-Z_a-z~]+/g, percentEncode)).replace(
    /%2[89]/g,
    decodeURIComponent,
  );

const percentEncode = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27");

/** Also what is special in a pattern, where it is meant as it stands (RFC 9309, 2.2.3). */
export const literal = (text: string): string =>
  encoded(text).replaceAll("*", "%2A").replaceAll("$", "%24");
