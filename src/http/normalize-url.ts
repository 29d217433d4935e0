/**
 * Normalizes a request target to path and query without dot segments, also one in absolute form, with any
 * scheme (RFC 9112 §3.2.2). Routes, robots.txt and pages all use this form, because a difference between them
 * could be used to bypass one of them.
 * @param target from the request line, or already normalized
 * @returns undefined when it is not a valid URL
 */
export const normalizeTarget = (target: string): string | undefined => {
  if (plainTarget.test(target)) return target;
  const url = target.startsWith("/") ? `http://x${target}` : target.replace(/^[a-z]+:/i, "http:");
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Matches paths without escapes, query or segments that begin with a dot: they are in normal form. */
const plainTarget = /^(?:\/|(?:\/[\w~-][\w.~-]*)+\/?|\*)$/;

const escapes = /%[0-9a-f]{2}/gi;

export const uppercaseEscapes = (text: string): string =>
  text.replace(escapes, (hex) => hex.toUpperCase());

/** Decodes unreserved characters, and writes other percent-encoded octets in upper case (RFC 3986 §6.2.2). */
export const decodeUnreserved = (text: string): string =>
  uppercaseEscapes(text).replace(
    /%(?:2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/g,
    decodeURIComponent,
  );
