/**
 * Tests whether an Accept header requests Markdown (RFC 9110 §12.5.1, Contract §8): it lists `text/markdown` or
 * the older `text/x-markdown`, and does not prefer HTML. A wildcard alone never requests Markdown.
 */
export const wantsMarkdown = (accept: string): boolean => {
  const ranges = parseAccept(accept);
  const markdown = Math.max(
    getQuality(ranges, "text/markdown"),
    getQuality(ranges, "text/x-markdown"),
  );
  return markdown > 0 && markdown >= htmlQuality(ranges);
};

/** Tests whether the client accepts HTML. Without Accept it accepts anything. */
export const acceptsHtml = (accept: string): boolean =>
  accept.trim() === "" || htmlQuality(parseAccept(accept)) > 0;

/** Tests whether the client is a browser: it lists HTML, and not JSON at the same quality. A wildcard alone requests no HTML. */
export const prefersHtml = (accept: string): boolean => {
  const ranges = parseAccept(accept);
  return getQuality(ranges, "text/html") > getQuality(ranges, "application/json");
};

type Ranges = ReadonlyMap<string, number>;

/** Returns the quality of the most specific range that includes HTML. */
const htmlQuality = (ranges: Ranges): number =>
  ranges.get("text/html") ?? ranges.get("text/*") ?? ranges.get("*/*") ?? 0;

const getQuality = (ranges: Ranges, type: string): number => ranges.get(type) ?? 0;

/**
 * Parses media ranges with their quality, and ignores other parameters. Of a range listed twice the better
 * quality counts.
 */
const parseAccept = (accept: string): Ranges => {
  const ranges = new Map<string, number>();
  for (const element of accept.toLowerCase().split(",")) {
    const [range = "", ...parameters] = element.split(";").map((part) => part.trim());
    ranges.set(range, Math.max(ranges.get(range) ?? 0, parseQuality(parameters)));
  }
  return ranges;
};

/** Parses a weight of 0 to 1. An invalid one counts as 0. */
const parseQuality = (parameters: readonly string[]): number => {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (weight === undefined) return 1;
  const value = weight.replace(/^q\s*=\s*/, "");
  return /^(0(\.\d*)?|1(\.0*)?)$/.test(value) ? Number(value) : 0;
};
