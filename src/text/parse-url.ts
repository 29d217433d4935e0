/** The longest name and the longest part of one that DNS knows, in characters (RFC 1035, 2.3.4). */
const [maxHostLength, maxLabelLength] = [253, 63];

/**
 * What the platform makes of an address, as `new URL` reads it.
 * To turn a name into ASCII takes it a time that grows with the square of the name's length: what is longer than any name
 * there can be is not tried.
 * @param base what a relative address is relative to
 * @returns undefined for what is no address
 */
export const webAddress = (text: string, base?: string): URL | undefined => {
  if (hasOverlongHost(text)) return undefined;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};

/** Letters of ASCII as they are: percent-encoded ones may be any. */
const unencodedAscii = /^[\0-$&-\x7f]*$/;
/** What has a host; a backslash is taken for a slash, and any number of either. */
const authority = /^[\0- ]*(?:(?:https?|wss?|ftp|file):[\\/]*|[\\/]{2,})([^\\/?#]*)/i;

const hasOverlongHost = (text: string): boolean => {
  if (unencodedAscii.test(text)) return false;
  // The platform reads over these wherever they stand.
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
