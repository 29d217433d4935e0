import { offsetAt, toInstant } from "../../offers/instants.ts";
import { autolink, escapeInline, link } from "../../text/markdown/escape.ts";
import { noPriceShown } from "../format.ts";

/** Writes the parts of a text that depend on its form. The words around them are the same in each style. */
export interface Style {
  /** Stands in place of a price that the shop hides. */
  readonly hiddenPrice: string;
  /** Whether the contents of a piece follow its unit price. */
  readonly showsContents: boolean;
  /** Writes a text of the merchant. */
  readonly text: (value: string) => string;
  readonly link: (label: string, url: string) => string;
  readonly url: (url: string) => string;
  /** @param time a date, or RFC 3339 with an offset */
  readonly time: (time: string) => string;
}

/** Texts of tools: values as they are, and times that programs can parse. */
export const plain: Style = {
  hiddenPrice: noPriceShown,
  showsContents: true,
  text: (value) => value,
  link: (label, url) => `${label} (${url})`.trimStart(),
  url: (url) => url,
  time: (time) => time,
};

/** Text of a page in place of a price that the shop hides. */
export const hiddenPrice = "not shown";

/** Markdown, with times on the clocks of the shop. @param timeZone UTC when the shop does not say */
export const markdownStyle = (timeZone: string | null): Style => ({
  hiddenPrice,
  showsContents: false,
  text: escapeInline,
  link,
  url: autolink,
  time: (time) => formatDateOrInstant(time, timeZone),
});

/**
 * Formats a date, `15 Jan 2027`, or a time on the clocks of the shop, `30 Nov 2026, 00:00 (Europe/Berlin)`.
 * @param time `2027-01-15`, or RFC 3339 with an offset
 * @param timeZone UTC when the shop does not say
 */
const formatDateOrInstant = (time: string, timeZone: string | null): string => {
  if (time.length === bareDateLength) return formatDate(time);
  const zone = timeZone ?? "UTC";
  const key = `${zone} ${time}`;
  const existing = instants.get(key);
  if (existing !== undefined) return existing;
  const text = formatInstant(time, zone);
  if (instants.size >= maxInstants) instants.clear();
  instants.set(key, text);
  return text;
};

const bareDateLength = "2027-01-15".length;

/** Maximum number of formatted times in memory. */
const maxInstants = 1_000;

/** Memoises formatted times, because the variants of a product share few of them. */
const instants = new Map<string, string>();

const formatInstant = (time: string, zone: string): string => {
  const instant = toInstant(time);
  const local = new Date(instant + offsetAt(instant, zone)).toISOString();
  // The year 10000 has a sign and six digits: an open end is often the last second of 9999.
  const [date = "", clock = ""] = local.replace(/^\+0?/, "").split("T");
  return `${formatDate(date)}, ${clock.slice(0, 5)} (${zone})`;
};

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const formatDate = (date: string): string => {
  const [year, month, day] = date.split("-");
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
};
