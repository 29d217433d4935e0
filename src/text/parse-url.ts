/** Limits of a DNS name and of one label, in characters (RFC 1035, 2.3.4). */
const [maxHostLength, maxLabelLength] = [253, 63];

/**
 * Parses a URL as `new URL` does. Names longer than DNS allows are not parsed, because the conversion of a name to
 * ASCII takes time quadratic in its length.
 * @param base base of a relative URL
 * @returns undefined when the text is no URL
 */
export const parseUrl = (text: string, base?: string): URL | undefined => {
  if (hasOverlongHost(text)) return undefined;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};

/** ASCII without `%`, because percent-encoding may stand for any character. */
const unencodedAscii = /^[\0-$&-\x7f]*$/;
/** Matches the authority of a URL. Browsers accept any number of slashes or backslashes before it. */
const authority = /^[\0- ]*(?:(?:https?|wss?|ftp|file):[\\/]*|[\\/]{2,})([^\\/?#]*)/i;

const hasOverlongHost = (text: string): boolean => {
  if (unencodedAscii.test(text)) return false;
  // The URL parser ignores these characters at any position.
  const [, userAndHost = ""] = authority.exec(text.replace(/[\t\n\r]/g, "")) ?? [];
  const host = percentDecode(userAndHost.slice(userAndHost.lastIndexOf("@") + 1));
  if (unencodedAscii.test(host)) return false;
  return (
    host.length > maxHostLength ||
    host.split(/[.。．｡]/).some((label) => label.length > maxLabelLength)
  );
};

const percentDecode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
