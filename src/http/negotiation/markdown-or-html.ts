/**
 * Whether an Accept header asks for Markdown (RFC 9110 §12.5.1, contract §8): `text/markdown` or its older name
 * `text/x-markdown` is listed, and HTML is not wanted more. A wildcard alone never asks for Markdown.
 */
export const wantsMarkdown = (accept: string): boolean => {
  const ranges = parseAccept(accept);
  const markdown = Math.max(
    getQuality(ranges, "text/markdown"),
    getQuality(ranges, "text/x-markdown"),
  );
  return markdown > 0 && markdown >= htmlQuality(ranges);
};

/** Whether HTML will do; a client that sends no Accept takes anything. */
export const takesHtml = (accept: string): boolean =>
  accept.trim() === "" || htmlQuality(parseAccept(accept)) > 0;

type Ranges = ReadonlyMap<string, number>;

/** The most specific range that covers HTML counts. */
const htmlQuality = (ranges: Ranges): number =>
  ranges.get("text/html") ?? ranges.get("text/*") ?? ranges.get("*/*") ?? 0;

const getQuality = (ranges: Ranges, type: string): number => ranges.get(type) ?? 0;

/** Media ranges with their quality; of a range listed twice the better counts. Other parameters do not matter here. */
const parseAccept = (accept: string): Ranges => {
  const ranges = new Map<string, number>();
  for (const element of accept.toLowerCase().split(",")) {
    const [range = "", ...parameters] = element.split(";").map((part) => part.trim());
    ranges.set(range, Math.max(ranges.get(range) ?? 0, parseQuality(parameters)));
  }
  return ranges;
};

/** 0 to 1; a weight that is none counts as a refusal. */
const parseQuality = (parameters: readonly string[]): number => {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (weight === undefined) return 1;
  const value = weight.replace(/^q\s*=\s*/, "");
  return /^(0(\.\d*)?|1(\.0*)?)$/.test(value) ? Number(value) : 0;
};
